// Direct calls give the numbers of the requests, to the last bit.
#include <math.h>
#include <stdio.h>

#include "check.h"
#include "renyi/c.h"

#define STEP "{\"mechanism\":\"sampled-gaussian\",\"sampling_rate\":%.17g,\"noise_multiplier\":%.17g,\"count\":%lld}"

typedef struct run {
  double rate, noise;
  int64_t steps;
} run;

static const run runs[] = {
    {0.01, 1.1, 10000}, {1, 2, 3}, {0.3, 0.7, 1}, {0.004, 0.9, 15000}, {0.1, 30, 77}, {0, 1, 5}, {1e-6, 0.5, INT64_MAX},
};

static void check_result(const char* answer, const char* figure, const renyi_result* result) {
  CHECK(result->exact_status == RENYI_OK);
  CHECK(same(number_at(answer, "renyi", figure), result->renyi));
  CHECK(same(number_at(answer, "renyi", "order"), result->order));
  CHECK(same(number_at(answer, "exact", "lower"), result->exact_lower));
  CHECK(same(number_at(answer, "exact", "upper"), result->exact_upper));
  CHECK(0 <= result->exact_lower && result->exact_lower <= result->exact_upper);
  CHECK(result->exact_upper <= result->renyi);
}

static void check_epsilon(run r, double delta) {
  char* answer =
      ask("{\"op\":\"epsilon\",\"steps\":[" STEP "],\"delta\":%.17g}", r.rate, r.noise, (long long)r.steps, delta);
  renyi_result result = {0};
  renyi_error error = {RENYI_INTERNAL, "old", "old"};
  CHECK(renyi_sampled_gaussian_epsilon(r.rate, r.noise, r.steps, delta, &result, &error) == RENYI_OK);
  CHECK(error.status == RENYI_OK && error.field[0] == '\0' && error.message[0] == '\0');
  check_result(answer, "epsilon", &result);
  renyi_free(answer);
}

static void check_delta(run r, double epsilon) {
  char* answer =
      ask("{\"op\":\"delta\",\"steps\":[" STEP "],\"epsilon\":%.17g}", r.rate, r.noise, (long long)r.steps, epsilon);
  renyi_result result = {0};
  CHECK(renyi_sampled_gaussian_delta(r.rate, r.noise, r.steps, epsilon, &result, NULL) == RENYI_OK);
  check_result(answer, "delta", &result);
  renyi_free(answer);
}

static void check_rdp(run r, double order) {
  char* answer =
      ask("{\"op\":\"rdp\",\"steps\":[" STEP "],\"orders\":[%.17g]}", r.rate, r.noise, (long long)r.steps, order);
  double value = -1;
  CHECK(renyi_sampled_gaussian_rdp(r.rate, r.noise, r.steps, &order, 1, &value, NULL) == RENYI_OK);
  CHECK(same(number_at(answer, "rdp", NULL), value));
  renyi_free(answer);
}

static void check_noise(double rate, int64_t steps, double epsilon, double delta) {
  char* answer =
      ask("{\"op\":\"calibrate\",\"steps\":[{\"mechanism\":\"sampled-gaussian\",\"sampling_rate\":%.17g,"
          "\"noise_multiplier\":null,\"count\":%lld}],\"epsilon\":%.17g,\"delta\":%.17g}",
          rate, (long long)steps, epsilon, delta);
  double noise = 0;
  CHECK(renyi_sampled_gaussian_noise(rate, steps, epsilon, delta, &noise, NULL) == RENYI_OK);
  CHECK(same(number_at(answer, "value", NULL), noise));
  renyi_free(answer);
  renyi_result result = {0};
  CHECK(renyi_sampled_gaussian_epsilon(rate, noise, steps, delta, &result, NULL) == RENYI_OK);
  CHECK(result.exact_upper <= epsilon && result.exact_upper > 0.999 * epsilon);
}

// Without sampling the divergence of order a is steps a / (2 noise^2), and a pure Gaussian has no largest loss.
static void check_known_values(void) {
  double orders[] = {1, 4, 1.5, INFINITY};
  CHECK(renyi_sampled_gaussian_rdp(1, 2, 3, orders, 4, orders, NULL) == RENYI_OK);  // in place
  const double truth[] = {0.375, 1.5, 0.5625};
  for (int i = 0; i < 3; ++i) CHECK(truth[i] <= orders[i] && orders[i] <= truth[i] * (1 + 1e-9));
  CHECK(orders[3] == INFINITY);
  // delta(epsilon) of one Gaussian of noise 1 at epsilon 1: Phi(-1/2) - e Phi(-3/2).
  const double phi_half = 0.5 * erfc(0.5 / sqrt(2)), phi_three_halves = 0.5 * erfc(1.5 / sqrt(2));
  const double delta = phi_half - exp(1) * phi_three_halves;
  renyi_result result = {0};
  CHECK(renyi_sampled_gaussian_delta(1, 1, 1, 1, &result, NULL) == RENYI_OK);
  CHECK(result.exact_lower <= delta * (1 + 1e-12) && delta * (1 - 1e-12) <= result.exact_upper);
  CHECK(result.exact_upper - result.exact_lower < 1e-9 * delta && result.renyi > delta);
}

void test_direct_calls(void) {
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    check_epsilon(runs[i], 1e-5);
    check_epsilon(runs[i], 0.3);
    check_delta(runs[i], 0.5);
    check_delta(runs[i], 8);
    check_rdp(runs[i], 1);
    check_rdp(runs[i], 2.75);
    check_rdp(runs[i], 64);
  }
  check_noise(0.01, 1000, 2, 1e-5);
  check_noise(1, 1, 1, 1e-6);
  check_known_values();
  CHECK(renyi_sampled_gaussian_rdp(0.1, 1, 1, NULL, 0, NULL, NULL) == RENYI_OK);  // no orders, nothing to do
}
