// Samples, relations and units: plans say them in JSON, and so do requests.
#include <string.h>

#include "check.h"
#include "renyi/c.h"

#define SAMPLED                                                                                               \
  "\"steps\":[{\"mechanism\":\"pure-dp\",\"epsilon\":0.5,\"sampling\":{\"scheme\":\"poisson\",\"rate\":0.1}," \
  "\"count\":20}]"
#define UNIT "\"neighbors\":\"zero-out\",\"unit\":4,\"steps\":[{\"mechanism\":\"gaussian\",\"noise_multiplier\":8}]"

static void check_same(const char* file, const char* request) {
  renyi_plan* plan = renyi_plan_from_json(file, NULL);
  renyi_result result = {0};
  char* answer = ask(request);
  CHECK(renyi_plan_epsilon(plan, 1e-5, &result, NULL) == RENYI_OK && result.exact_status == RENYI_OK);
  CHECK(same(number_at(answer, "renyi", "epsilon"), result.renyi));
  CHECK(same(number_at(answer, "exact", "upper"), result.exact_upper) && result.exact_upper > 0);
  renyi_free(answer);
  renyi_plan_free(plan);
}

// One person's 4 records move the query 4 times as far: noise 8 is then noise 2.
static void check_unit(void) {
  renyi_plan* plan = renyi_plan_from_json("{\"renyi\":1," UNIT "}", NULL);
  const char* const noise = "noise_multiplier";
  const double eight = 8, order = 3;
  CHECK(renyi_plan_add(plan, "gaussian", &noise, &eight, 1, 1, NULL) == RENYI_OK);
  double divergence = 0;
  CHECK(renyi_plan_rdp(plan, &order, 1, &divergence, NULL) == RENYI_OK);
  CHECK(divergence >= 0.75 && divergence < 0.75 + 1e-12);  // 2 steps of order/(2 2^2)
  char* text = renyi_plan_to_json(plan, NULL);
  CHECK(text != NULL && strstr(text, "\"unit\":4") != NULL);
  renyi_free(text);
  renyi_plan_free(plan);
}

// Unsupported steps are refused with the reason, in a plan and in a step that is added to one.
static void check_refusals(void) {
  renyi_error error;
  CHECK(renyi_plan_from_json("{\"renyi\":1,\"steps\":[{\"mechanism\":\"gaussian\",\"noise_multiplier\":1,"
                             "\"sampling\":{\"scheme\":\"shuffled\",\"batches\":9}}]}",
                             &error) == NULL);
  CHECK(error.status == RENYI_UNSUPPORTED && strstr(error.message, "add-or-remove-one") != NULL);
  CHECK(renyi_plan_from_json("{\"renyi\":1,\"unit\":0,\"steps\":[]}", &error) == NULL);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "unit", "unit: got 0"));
}

void test_sampling(void) {
  check_same("{\"renyi\":1," SAMPLED "}", "{\"op\":\"epsilon\",\"delta\":1e-5," SAMPLED "}");
  check_same("{\"renyi\":1," UNIT "}", "{\"op\":\"epsilon\",\"delta\":1e-5," UNIT "}");
  check_unit();
  check_refusals();
}
