// Plans as handles: built step by step, stored, read back, asked.
#include <math.h>
#include <string.h>

#include "check.h"
#include "renyi/c.h"

static const char* const text =
    "{\"renyi\":1,\"neighbors\":\"zero-out\",\"steps\":["
    "{\"mechanism\":\"sampled-gaussian\",\"sampling_rate\":0.02,\"noise_multiplier\":1.3,\"count\":500},"
    "{\"mechanism\":\"laplace\",\"scale\":12.5},"
    "{\"mechanism\":\"gaussian\",\"noise_multiplier\":8,\"count\":9223372036854775807}]}";

static renyi_plan* built(void) {
  renyi_plan* plan = renyi_plan_new("zero-out", NULL);
  const char* const sampled[] = {"sampling_rate", "noise_multiplier"};
  const double sampled_values[] = {0.02, 1.3};
  CHECK(renyi_plan_add(plan, "sampled-gaussian", sampled, sampled_values, 2, 500, NULL) == RENYI_OK);
  const char* const scale = "scale";
  const double scale_value = 12.5;
  CHECK(renyi_plan_add(plan, "laplace", &scale, &scale_value, 1, 1, NULL) == RENYI_OK);
  // By the other spelling; and a count that no double holds.
  const char* const gaussian[] = {"stddev", "l2_sensitivity"};
  const double gaussian_values[] = {8, 1};
  CHECK(renyi_plan_add(plan, "gaussian", gaussian, gaussian_values, 2, INT64_MAX, NULL) == RENYI_OK);
  return plan;
}

static void check_text(void) {
  renyi_error error;
  renyi_plan* plan = built();
  char* written = renyi_plan_to_json(plan, &error);
  CHECK(written != NULL && error.status == RENYI_OK && strcmp(written, text) == 0);
  renyi_plan* read = renyi_plan_from_json(written, &error);
  CHECK(read != NULL && error.status == RENYI_OK);
  char* again = renyi_plan_to_json(read, NULL);
  CHECK(again != NULL && strcmp(again, text) == 0);
  renyi_free(again);
  renyi_free(written);
  renyi_plan_free(read);
  renyi_plan_free(plan);
}

#define STEPS                                                                                                   \
  "\"steps\":[{\"plan\":[{\"mechanism\":\"sampled-gaussian\",\"sampling_rate\":0.02,\"noise_multiplier\":1.3}," \
  "{\"mechanism\":\"laplace\",\"scale\":50}],\"count\":20},{\"mechanism\":\"randomized-response\",\"truth_"     \
  "probability\":0.6}]"

// Checks what the exact intervals are exact for.
static void check_standing(void) {
  renyi_standing standing = RENYI_DOMINATED;
  renyi_plan* plan = renyi_plan_from_json("{\"renyi\":1," STEPS "}", NULL);
  CHECK(renyi_plan_standing(plan, &standing, NULL) == RENYI_OK && standing == RENYI_ATTAINED);
  const char* const epsilon = "epsilon";
  const double value = 0.5;
  CHECK(renyi_plan_add(plan, "pure-dp", &epsilon, &value, 1, 1, NULL) == RENYI_OK);
  CHECK(renyi_plan_standing(plan, &standing, NULL) == RENYI_OK && standing == RENYI_PROMISED);
  renyi_plan_free(plan);
  plan = renyi_plan_from_json(
      "{\"renyi\":1,\"neighbors\":\"zero-out\",\"steps\":[{\"mechanism\":\"randomized-response\","
      "\"truth_probability\":0.75,\"sampling\":{\"scheme\":\"shuffled\",\"batches\":10}}]}",
      NULL);
  CHECK(renyi_plan_standing(plan, &standing, NULL) == RENYI_OK && standing == RENYI_DOMINATED);
  renyi_plan_free(plan);
  // A failed call leaves the most careful word.
  standing = RENYI_ATTAINED;
  CHECK(renyi_plan_standing(NULL, &standing, NULL) == RENYI_INVALID_ARGUMENT && standing == RENYI_DOMINATED);
}

// The same numbers as the requests of the same steps.
static void check_numbers(void) {
  renyi_plan* plan = renyi_plan_from_json("{\"renyi\":1," STEPS "}", NULL);
  renyi_result result = {0};
  char* answer = ask("{\"op\":\"epsilon\"," STEPS ",\"delta\":1e-5}");
  CHECK(renyi_plan_epsilon(plan, 1e-5, &result, NULL) == RENYI_OK && result.exact_status == RENYI_OK);
  CHECK(same(number_at(answer, "renyi", "epsilon"), result.renyi));
  CHECK(same(number_at(answer, "renyi", "order"), result.order));
  CHECK(same(number_at(answer, "exact", "lower"), result.exact_lower));
  CHECK(same(number_at(answer, "exact", "upper"), result.exact_upper));
  renyi_free(answer);
  answer = ask("{\"op\":\"delta\"," STEPS ",\"epsilon\":1}");
  CHECK(renyi_plan_delta(plan, 1, &result, NULL) == RENYI_OK && result.exact_status == RENYI_OK);
  CHECK(same(number_at(answer, "renyi", "delta"), result.renyi));
  CHECK(same(number_at(answer, "exact", "upper"), result.exact_upper));
  renyi_free(answer);
  const double order = 7.5;
  double divergence = 0;
  answer = ask("{\"op\":\"rdp\"," STEPS ",\"orders\":[7.5]}");
  CHECK(renyi_plan_rdp(plan, &order, 1, &divergence, NULL) == RENYI_OK);
  CHECK(same(number_at(answer, "rdp", NULL), divergence));
  renyi_free(answer);
  renyi_plan_free(plan);
}

// Nothing was run: nothing was lost.
static void check_empty(void) {
  renyi_plan* plan = renyi_plan_new(NULL, NULL);
  char* written = renyi_plan_to_json(plan, NULL);
  CHECK(written != NULL && strcmp(written, "{\"renyi\":1,\"neighbors\":\"add-or-remove-one\",\"steps\":[]}") == 0);
  renyi_free(written);
  renyi_result result = {1, 1, 1, 1, RENYI_INTERNAL};
  CHECK(renyi_plan_epsilon(plan, 0, &result, NULL) == RENYI_OK && result.renyi == 0 && result.exact_upper == 0);
  renyi_plan_free(plan);
}

// zCDP bounds divergences only: (epsilon, delta) by Renyi, and no exact figure. Not a failure.
static void check_without_exact(void) {
  renyi_plan* plan = renyi_plan_new("replace-one", NULL);
  const char* const rho = "rho";
  const double value = 0.1;
  CHECK(renyi_plan_add(plan, "zcdp", &rho, &value, 1, 3, NULL) == RENYI_OK);
  renyi_result result = {0};
  renyi_error error;
  CHECK(renyi_plan_epsilon(plan, 1e-5, &result, &error) == RENYI_OK && error.status == RENYI_OK);
  CHECK(result.exact_status == RENYI_UNSUPPORTED);
  CHECK(result.renyi > 1 && result.renyi < 5 && result.order > 1);
  CHECK(result.exact_lower == 0 && result.exact_upper == result.renyi);
  CHECK(renyi_plan_delta(plan, 3, &result, NULL) == RENYI_OK && result.exact_status == RENYI_UNSUPPORTED);
  CHECK(result.renyi > 0 && result.renyi < 1 && result.exact_lower == 0 && result.exact_upper == result.renyi);
  renyi_plan_free(plan);
}

// Every kind of the catalogue goes by its name; the catalogue is a request.
static void check_catalogue(void) {
  char* answer = ask("{\"op\":\"mechanisms\",\"kind\":\"gdp\"}");
  CHECK(strstr(answer, "{\"mechanism\":\"gdp\",\"mu\":0.5}") != NULL);
  renyi_free(answer);
  const char* const mu = "mu";
  const double value = 0.5;
  renyi_plan* plan = renyi_plan_new(NULL, NULL);
  CHECK(renyi_plan_add(plan, "gdp", &mu, &value, 1, 4, NULL) == RENYI_OK);
  renyi_plan* read =
      renyi_plan_from_json("{\"renyi\":1,\"steps\":[{\"mechanism\":\"gdp\",\"mu\":0.5,\"count\":4}]}", NULL);
  renyi_result built_result = {0}, read_result = {0};
  CHECK(renyi_plan_epsilon(plan, 1e-5, &built_result, NULL) == RENYI_OK);
  CHECK(renyi_plan_epsilon(read, 1e-5, &read_result, NULL) == RENYI_OK);
  CHECK(same(built_result.exact_upper, read_result.exact_upper) && built_result.exact_upper > 1);
  renyi_plan_free(read);
  renyi_plan_free(plan);
}

void test_plans(void) {
  check_catalogue();
  check_text();
  check_numbers();
  check_standing();
  check_empty();
  check_without_exact();
  renyi_plan_free(NULL);
}
