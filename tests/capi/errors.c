// Bad input is a status and words, and leaves nothing behind that could be taken for a guarantee.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "renyi/c.h"

static bool promises_nothing(const renyi_result* r, double worst, renyi_status status) {
  return r->renyi == worst && r->exact_lower == 0 && r->exact_upper == worst && r->exact_status == status;
}

typedef struct bad_run {
  double rate, noise;
  int64_t steps;
  double delta;
  const char *field, *message;
} bad_run;

static const bad_run bad_runs[] = {
    {0.01, 1, 1, 2, "delta", "delta: got 2, allowed: a number in [0, 1]"},
    {0.01, 1, 1, NAN, "delta", "delta: got nan, allowed: a number in [0, 1]"},
    {0.01, 1, 0, 1e-5, "steps", "steps: got 0, allowed: an integer from 1 to 2^63-1"},
    {0.01, 1, INT64_MIN, 1e-5, "steps", "steps: got -9223372036854775808, allowed: "},
    {1.5, 1, 1, 1e-5, "sampling_rate", "sampling_rate: got 1.5, allowed: "},
    {NAN, 1, 1, 1e-5, "sampling_rate", "sampling_rate: got nan, allowed: "},
    {0.01, 0, 1, 1e-5, "noise_multiplier", "noise_multiplier: got 0, allowed: "},
    {0.01, NAN, 1, 1e-5, "noise_multiplier", "noise_multiplier: got nan, allowed: "},
    {0.01, INFINITY, 1, 1e-5, "noise_multiplier", "noise_multiplier: got inf, allowed: "},
};

static void check_bad_runs(void) {
  for (size_t i = 0; i < sizeof bad_runs / sizeof *bad_runs; ++i) {
    const bad_run* b = &bad_runs[i];
    renyi_result result = {0};
    renyi_error error;
    CHECK(renyi_sampled_gaussian_epsilon(b->rate, b->noise, b->steps, b->delta, &result, &error) ==
          RENYI_INVALID_ARGUMENT);
    CHECK(says(&error, RENYI_INVALID_ARGUMENT, b->field, b->message));
    CHECK(promises_nothing(&result, INFINITY, RENYI_INVALID_ARGUMENT));
  }
}

// At a limit there are bounds, or nothing that could be taken for one.
static void check_time_limit(void) {
  renyi_error error;
  renyi_result with = {0}, without = {0};
  double noise = 0;
  CHECK(renyi_set_time_limit(-1, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "seconds", "seconds: got -1, allowed: "));
  CHECK(renyi_set_time_limit(NAN, NULL) == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_sampled_gaussian_epsilon(0.01, 1.1, 1000, 1e-5, &without, &error) == RENYI_OK);
  CHECK(renyi_set_time_limit(0, &error) == RENYI_OK);
  CHECK(renyi_sampled_gaussian_epsilon(0.01, 1.1, 1000, 1e-5, &with, &error) == RENYI_OK);
  CHECK(with.exact_lower <= without.exact_lower && with.exact_upper >= without.exact_upper);
  CHECK(renyi_sampled_gaussian_noise(0.01, 1000, 2, 1e-5, &noise, &error) == RENYI_LIMIT_REACHED);
  CHECK(noise == INFINITY && strstr(error.message, "time limit of 0 s") != NULL);
  CHECK(renyi_set_time_limit(INFINITY, &error) == RENYI_OK);
  CHECK(renyi_sampled_gaussian_noise(0.01, 1000, 2, 1e-5, &noise, &error) == RENYI_OK && noise < 10);
}

static void check_other_calls(void) {
  renyi_error error;
  renyi_result result = {0};
  CHECK(renyi_sampled_gaussian_delta(0.1, 1, 1, -1, &result, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "epsilon", "epsilon: got -1, allowed: a number of at least 0"));
  CHECK(promises_nothing(&result, 1, RENYI_INVALID_ARGUMENT));
  CHECK(renyi_sampled_gaussian_delta(0.1, 1, 1, NAN, &result, NULL) == RENYI_INVALID_ARGUMENT);
  const double orders[] = {2, 0.5};
  double divergences[] = {0, 0};
  CHECK(renyi_sampled_gaussian_rdp(0.1, 1, 1, orders, 2, divergences, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(divergences[0] == INFINITY && divergences[1] == INFINITY && strstr(error.message, "0.5") != NULL);
  const double nan_order = NAN;
  CHECK(renyi_sampled_gaussian_rdp(0.1, 1, 1, &nan_order, 1, divergences, NULL) == RENYI_INVALID_ARGUMENT);
  double noise = 0;
  CHECK(renyi_sampled_gaussian_noise(0.1, 10, -1, 1e-5, &noise, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(noise == INFINITY && says(&error, RENYI_INVALID_ARGUMENT, "epsilon", "epsilon: got -1, allowed: "));
  CHECK(renyi_sampled_gaussian_noise(1, 1, 0, 0, &noise, &error) == RENYI_UNSUPPORTED);
  CHECK(noise == INFINITY && says(&error, RENYI_UNSUPPORTED, "epsilon", "epsilon: the target 0 at delta 0 cannot be"));
}

static void check_nulls(void) {
  renyi_error error;
  const double order = 2;
  double divergence = 0;
  CHECK(renyi_sampled_gaussian_epsilon(0.1, 1, 1, 1e-5, NULL, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "out", "out: got NULL, allowed: "));
  CHECK(renyi_sampled_gaussian_epsilon(0.1, 1, 1, 1e-5, NULL, NULL) == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_sampled_gaussian_delta(0.1, 1, 1, 1, NULL, NULL) == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_sampled_gaussian_noise(0.1, 1, 1, 1e-5, NULL, NULL) == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_sampled_gaussian_rdp(0.1, 1, 1, &order, 1, NULL, NULL) == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_sampled_gaussian_rdp(0.1, 1, 1, NULL, 1, &divergence, NULL) == RENYI_INVALID_ARGUMENT);
  CHECK(divergence == INFINITY);
  renyi_result result = {0};
  CHECK(renyi_plan_epsilon(NULL, 1e-5, &result, &error) == RENYI_INVALID_ARGUMENT && result.renyi == INFINITY);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "plan", "plan: got NULL, allowed: "));
  CHECK(renyi_plan_delta(NULL, 1, &result, NULL) == RENYI_INVALID_ARGUMENT && result.renyi == 1);
  CHECK(renyi_plan_rdp(NULL, &order, 1, &divergence, NULL) == RENYI_INVALID_ARGUMENT && divergence == INFINITY);
  CHECK(renyi_plan_to_json(NULL, &error) == NULL && error.status == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_plan_from_json(NULL, &error) == NULL && error.status == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_plan_from_json("{\"renyi\":2,\"steps\":[]}", &error) == NULL);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "renyi", "renyi: got 2, allowed: "));
  CHECK(renyi_plan_from_json("{", NULL) == NULL);
  CHECK(renyi_plan_new("two-apart", &error) == NULL);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "neighbors", "neighbors: got \"two-apart\", allowed: one of add-or-rem"));
  CHECK(renyi_plan_add(NULL, "laplace", NULL, NULL, 0, 1, NULL) == RENYI_INVALID_ARGUMENT);
}

// A path of 122 bytes, and then characters of two bytes each: the 123rd and last byte would be half a one.
static void check_long_texts(void) {
  enum { levels = 15 };
  char text[levels * 16 + 64] = "";
  for (int i = 0; i < levels; ++i) strcat(text, i == 0 ? "{\"renyi\":1,\"steps\":[" : "{\"plan\":[");
  strcat(text, "{\"mechanism\":\"laplace\",\"\xc3\xa9\xc3\xa9\":1}");
  for (int i = 0; i < levels; ++i) strcat(text, "]}");
  renyi_error error;
  memset(&error, 'x', sizeof error);
  CHECK(renyi_plan_from_json(text, &error) == NULL && error.status == RENYI_INVALID_ARGUMENT);
  CHECK(strlen(error.field) == 122 && strcmp(error.field + 104, ".plan[0].plan[0][\"") == 0);
  CHECK(strstr(error.message, ".plan[0].plan[0][\"\xc3\xa9\xc3\xa9\"]: got ") != NULL);
}

void test_errors(void) {
  check_bad_runs();
  check_time_limit();
  check_other_calls();
  check_nulls();
  check_long_texts();
}
