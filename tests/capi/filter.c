// Filters as handles: charged step by step, refused, stored, read back.
#include <math.h>
#include <string.h>

#include "check.h"
#include "renyi/c.h"

static renyi_plan* step_of(const char* mechanism, const char* name, double value) {
  renyi_plan* plan = renyi_plan_new(NULL, NULL);
  CHECK(renyi_plan_add(plan, mechanism, &name, &value, 1, 1, NULL) == RENYI_OK);
  return plan;
}

static void check_charges(void) {
  renyi_error error;
  renyi_verdict verdict;
  renyi_filter* filter = renyi_filter_new("{\"kind\":\"zcdp\",\"rho\":0.5}", NULL, 1, NULL, &error);
  renyi_plan *small = step_of("gaussian", "noise_multiplier", 2), *large = step_of("gaussian", "noise_multiplier", 1);
  CHECK(filter != NULL && error.status == RENYI_OK);
  int64_t more = -1;
  CHECK(renyi_filter_headroom(filter, small, &more, &error) == RENYI_OK && more == 4);
  CHECK(renyi_filter_charge(filter, small, 1, &verdict, &error) == RENYI_OK && verdict.runs == 1);
  CHECK(verdict.reason[0] == '\0');
  char* before = renyi_filter_to_json(filter, NULL);
  // A refusal is an answer, and changes nothing.
  CHECK(renyi_filter_charge(filter, large, 1, &verdict, &error) == RENYI_OK && verdict.runs == 0);
  CHECK(strcmp(verdict.reason, "rho would be 0.625, its limit is 0.5, and 0.375 is left") == 0);
  CHECK(renyi_filter_may_run(filter, small, 3, &verdict, &error) == RENYI_OK && verdict.runs == 1);
  CHECK(renyi_filter_may_run(filter, small, 4, &verdict, &error) == RENYI_OK && verdict.runs == 0);
  char* after = renyi_filter_to_json(filter, NULL);
  CHECK(before != NULL && after != NULL && strcmp(before, after) == 0);
  renyi_free(before);
  renyi_free(after);
  renyi_fit fit;
  CHECK(renyi_filter_would_fit(filter, large, 1, &fit, &error) == RENYI_OK && fit.found == 1);
  CHECK(strcmp(fit.parameter, "noise_multiplier") == 0 && fit.value == 1.155);
  size_t quantities = 0;
  renyi_balance balances[2];
  CHECK(renyi_filter_remaining(filter, NULL, 0, &quantities, &error) == RENYI_OK && quantities == 1);
  CHECK(renyi_filter_remaining(filter, balances, 2, &quantities, &error) == RENYI_OK && quantities == 1);
  CHECK(strcmp(balances[0].name, "rho") == 0 && balances[0].order == 0 && balances[0].within == 1);
  CHECK(balances[0].limit == 0.5 && balances[0].spent >= 0.125 && balances[0].spent < 0.1250001);
  CHECK(balances[0].left <= 0.375 && balances[0].left > 0.3749999 && balances[1].name[0] == '\0');
  renyi_plan_free(large);
  renyi_plan_free(small);
  renyi_filter_free(filter);
}

// What the interaction satisfies is a plan, and so is what was run.
static void check_plans(void) {
  renyi_verdict verdict;
  renyi_result result;
  renyi_filter* filter =
      renyi_filter_new("{\"kind\":\"gdp\",\"mu\":0.5}", "replace-one", 2, "{\"kind\":\"gdp\",\"mu\":1}", NULL);
  renyi_plan* step = renyi_plan_from_json(
      "{\"renyi\":1,\"neighbors\":\"replace-one\",\"unit\":2,\"steps\":[{\"mechanism\":\"gaussian\","
      "\"noise_multiplier\":10}]}",
      NULL);
  CHECK(renyi_filter_charge(filter, step, 6, &verdict, NULL) == RENYI_OK && verdict.runs == 1);
  CHECK(renyi_filter_charge(filter, step, 1, &verdict, NULL) == RENYI_OK && verdict.runs == 0);
  CHECK(renyi_filter_set_budget(filter, "{\"kind\":\"gdp\",\"mu\":1}", NULL) == RENYI_OK);
  CHECK(renyi_filter_charge(filter, step, 1, &verdict, NULL) == RENYI_OK && verdict.runs == 1);
  renyi_plan *guarantee = renyi_filter_guarantee(filter, NULL), *history = renyi_filter_history(filter, NULL);
  CHECK(renyi_plan_epsilon(guarantee, 1e-5, &result, NULL) == RENYI_OK && fabs(result.exact_upper - 4.377) < 1e-3);
  char* text = renyi_plan_to_json(history, NULL);
  CHECK(text != NULL && strstr(text, "\"noise_multiplier\":10,\"count\":7}") != NULL);
  renyi_free(text);
  char* stored = renyi_filter_to_json(filter, NULL);
  renyi_filter* read = renyi_filter_from_json(stored, NULL);
  char* again = renyi_filter_to_json(read, NULL);
  CHECK(stored != NULL && again != NULL && strcmp(stored, again) == 0);
  // A file that was edited.
  renyi_error error;
  char* mu = stored == NULL ? NULL : strstr(stored, "\"mu\":1");
  CHECK(mu != NULL);
  if (mu != NULL) mu[5] = '9';
  CHECK(renyi_filter_from_json(stored, &error) == NULL);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "checksum", "checksum: got crc64:"));
  renyi_free(again);
  renyi_free(stored);
  renyi_filter_free(read);
  renyi_plan_free(history);
  renyi_plan_free(guarantee);
  renyi_plan_free(step);
  renyi_filter_free(filter);
}

static void check_bad_budgets(void) {
  renyi_error error;
  static const struct {
    const char *budget, *neighbors;
    int64_t unit;
    const char *cap, *field;
  } bad[] = {
      {NULL, NULL, 1, NULL, "budget"},
      {"{\"kind\":\"zcdp\"}", NULL, 1, NULL, "budget.rho"},
      {"{\"kind\":\"zcdp\",\"rho\":-1}", NULL, 1, NULL, "budget.rho"},
      {"{\"kind\":\"zcdp\",\"rho\":1}", "one", 1, NULL, "neighbors"},
      {"{\"kind\":\"zcdp\",\"rho\":1}", NULL, 0, NULL, "unit"},
      {"{\"kind\":\"zcdp\",\"rho\":1}", NULL, 1, "{\"kind\":\"zcdp\",\"rho\":0.5}", "budget"},
      {"{\"kind\":\"zcdp\",\"rho\":1}", NULL, 1, "{\"kind\":\"mu\"}", "cap.kind"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    CHECK(renyi_filter_new(bad[i].budget, bad[i].neighbors, bad[i].unit, bad[i].cap, &error) == NULL);
    CHECK(says(&error, RENYI_INVALID_ARGUMENT, bad[i].field, ""));
  }
  CHECK(renyi_filter_from_json("{}", &error) == NULL && error.status == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_filter_from_json(NULL, &error) == NULL && strcmp(error.field, "json") == 0);
}

// Failures charge nothing, and leave nothing that could be taken for a yes.
static void check_bad_steps(void) {
  renyi_error error;
  renyi_filter* filter = renyi_filter_new("{\"kind\":\"pure\",\"epsilon\":1}", NULL, 1, NULL, NULL);
  renyi_plan *pure = step_of("pure-dp", "epsilon", 0.1), *gaussian = step_of("gaussian", "noise_multiplier", 9);
  renyi_plan* other = renyi_plan_from_json("{\"renyi\":1,\"neighbors\":\"zero-out\",\"steps\":[]}", NULL);
  renyi_verdict verdict = {1, "?"};
  CHECK(renyi_filter_charge(filter, pure, 0, &verdict, &error) == RENYI_INVALID_ARGUMENT && verdict.runs == 0);
  CHECK(strcmp(error.field, "count") == 0 && verdict.reason[0] == '\0');
  verdict.runs = 1;
  CHECK(renyi_filter_charge(filter, gaussian, 1, &verdict, &error) == RENYI_UNSUPPORTED && verdict.runs == 0);
  verdict.runs = 1;
  CHECK(renyi_filter_charge(filter, other, 1, &verdict, &error) == RENYI_INVALID_ARGUMENT && verdict.runs == 0);
  CHECK(renyi_filter_charge(filter, NULL, 1, &verdict, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(strcmp(error.field, "steps") == 0);
  CHECK(renyi_filter_charge(NULL, pure, 1, &verdict, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(strcmp(error.field, "filter") == 0);
  CHECK(renyi_filter_charge(filter, pure, 1, NULL, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(strcmp(error.field, "out") == 0);
  CHECK(renyi_filter_set_budget(filter, "{\"kind\":\"pure\",\"epsilon\":2}", &error) == RENYI_INVALID_ARGUMENT);
  int64_t more = 9;
  const char* const name = "epsilon";
  const double value = 0.2;
  CHECK(renyi_plan_add(other, "pure-dp", &name, &value, 1, 2, NULL) == RENYI_OK);
  CHECK(renyi_filter_headroom(filter, other, &more, &error) == RENYI_INVALID_ARGUMENT && more == 0);
  CHECK(strcmp(error.field, "step") == 0);
  size_t quantities = 9;
  CHECK(renyi_filter_remaining(filter, NULL, 1, &quantities, &error) == RENYI_INVALID_ARGUMENT && quantities == 0);
  renyi_plan* history = renyi_filter_history(filter, NULL);
  char* text = renyi_plan_to_json(history, NULL);
  CHECK(text != NULL && strstr(text, "\"steps\":[]") != NULL);
  renyi_free(text);
  renyi_plan_free(history);
  CHECK(renyi_filter_guarantee(NULL, &error) == NULL && renyi_filter_history(NULL, &error) == NULL);
  CHECK(renyi_filter_to_json(NULL, &error) == NULL);
  renyi_plan_free(other);
  renyi_plan_free(gaussian);
  renyi_plan_free(pure);
  renyi_filter_free(filter);
  renyi_filter_free(NULL);
}

void test_filter(void) {
  check_charges();
  check_plans();
  check_bad_budgets();
  check_bad_steps();
}
