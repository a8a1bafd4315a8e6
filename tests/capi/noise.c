// Noise from C: what is drawn, what to account for, and that a failure writes nothing.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "renyi/c.h"

#define SIZE 20000

static double doubles[SIZE], noisy[SIZE];
static float floats[SIZE];
static int64_t wholes[SIZE];
static uint8_t bytes[SIZE];
static uint64_t indices[SIZE];

// The cost of the step that a release names can be computed.
static bool is_a_step(const renyi_release* release, const char* mechanism) {
  char plan[512];
  snprintf(plan, sizeof plan, "{\"renyi\":1,\"steps\":[%s]}", release->step);
  renyi_plan* made = renyi_plan_from_json(plan, NULL);
  renyi_result result = {0};
  const bool good = made != NULL && renyi_plan_epsilon(made, 1e-5, &result, NULL) == RENYI_OK && result.renyi > 0 &&
                    strcmp(release->mechanism, mechanism) == 0;
  renyi_plan_free(made);
  return good;
}

static bool is_nothing(const renyi_release* release) {
  return release->draws == 0 && release->mechanism[0] == '\0' && release->step[0] == '\0' && release->grid == 0;
}

// Six standard deviations of a mean, or of a mean square.
static bool has_moments(const double* values, double variance) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < SIZE; ++i) {
    sum += values[i];
    squares += values[i] * values[i];
  }
  const double mean = sum / SIZE, spread = squares / SIZE / variance - 1;
  return fabs(mean) < 6 * sqrt(variance / SIZE) && fabs(spread) < 6 * sqrt(6.0 / SIZE);
}

static void check_real_numbers(void) {
  renyi_release release;
  const renyi_on_grid options = {.grid = 0.25, .range = 1000, .sensitivity = 2};
  CHECK(renyi_noise_gaussian(doubles, SIZE, noisy, 10, &options, &release, NULL) == RENYI_OK);
  CHECK(release.draws >= SIZE && release.grid == 0.25 && release.range == 1000);
  CHECK(release.effective_stddev >= 10 && release.effective_stddev < 10.1);
  CHECK(release.timing_delta >= 0 && release.timing_delta < 1e-9);
  CHECK(is_a_step(&release, "gaussian") && strstr(release.step, "\"l2_sensitivity\":2") != NULL);
  CHECK(has_moments(noisy, 100));
  for (size_t i = 0; i < SIZE; ++i) CHECK(noisy[i] / 0.25 == floor(noisy[i] / 0.25));
  CHECK(renyi_noise_laplace(noisy, SIZE, noisy, 3, NULL, &release, NULL) == RENYI_OK);  // in place
  CHECK(is_a_step(&release, "laplace") && release.grid > 0 && release.grid <= 3 * 0x1p-20);
  CHECK(has_moments(noisy, 118));

  CHECK(renyi_noise_gaussian_float(floats, SIZE, floats, 1, NULL, &release, NULL) == RENYI_OK);
  CHECK(is_a_step(&release, "gaussian"));
  CHECK(renyi_noise_laplace_float(floats, SIZE, floats, 1, NULL, &release, NULL) == RENYI_OK);
  for (size_t i = 0; i < SIZE; ++i) noisy[i] = (double)floats[i];
  CHECK(has_moments(noisy, 3));
}

// Data never fail, whatever they are.
static void check_hostile_data(void) {
  double values[] = {NAN, INFINITY, -INFINITY, 1e308, -0.0};
  const renyi_on_grid options = {.grid = 0.5, .range = 64, .sensitivity = 0};
  CHECK(renyi_noise_gaussian(values, 5, values, 1, &options, NULL, NULL) == RENYI_OK);
  for (int i = 0; i < 5; ++i) CHECK(fabs(values[i]) <= 64);
  CHECK(fabs(values[0]) < 20 && values[1] > 40 && values[2] < -40 && values[3] > 40 && fabs(values[4]) < 20);
  int64_t ends[] = {INT64_MAX, INT64_MIN};
  CHECK(renyi_noise_discrete_gaussian(ends, 2, ends, 5, 1, NULL, NULL) == RENYI_OK);
  CHECK(ends[0] > INT64_MAX - 1000 && ends[1] < INT64_MIN + 1000);
}

static void check_whole_numbers(void) {
  renyi_release release;
  CHECK(renyi_noise_discrete_gaussian(wholes, SIZE, wholes, 4, 1, &release, NULL) == RENYI_OK);
  CHECK(is_a_step(&release, "discrete-gaussian") && release.grid == 0 && release.effective_stddev == 0);
  CHECK(renyi_noise_skellam(wholes, SIZE, wholes, 9, 2, &release, NULL) == RENYI_OK);
  CHECK(is_a_step(&release, "skellam"));
  for (size_t i = 0; i < SIZE; ++i) noisy[i] = (double)wholes[i];
  CHECK(has_moments(noisy, 25));
  CHECK(renyi_noise_discrete_laplace(wholes, SIZE, wholes, 4, 1, &release, NULL) == RENYI_OK);
  CHECK(is_a_step(&release, "discrete-laplace"));
  CHECK(renyi_noise_geometric(wholes, SIZE, 3, &release, NULL) == RENYI_OK);
  CHECK(release.step[0] == '\0');
  for (size_t i = 0; i < SIZE; ++i) CHECK(wholes[i] >= 0);

  const int64_t answers[] = {-7, 0, 2, 99};
  int64_t kept[4];
  CHECK(renyi_noise_randomized_response(answers, 4, kept, 0.75, 3, &release, NULL) == RENYI_OK);
  CHECK(is_a_step(&release, "randomized-response"));
  for (int i = 0; i < 4; ++i) CHECK(0 <= kept[i] && kept[i] < 3);
}

static size_t ones(void) {
  size_t count = 0;
  for (size_t i = 0; i < SIZE; ++i) count += bytes[i];
  return count;
}

static void check_coins_and_samples(void) {
  const double expected = 0.25 * SIZE, far = 6 * sqrt(0.25 * 0.75 * SIZE);
  CHECK(renyi_noise_bernoulli(bytes, SIZE, 0.25, NULL, NULL) == RENYI_OK && fabs((double)ones() - expected) < far);
  CHECK(renyi_noise_bernoulli_exp(bytes, SIZE, log(4), NULL, NULL) == RENYI_OK);
  CHECK(fabs((double)ones() - expected) < far);
  CHECK(renyi_noise_poisson_sample(bytes, SIZE, 0.25, NULL, NULL) == RENYI_OK);
  CHECK(fabs((double)ones() - expected) < far);
  CHECK(renyi_noise_fixed_size_sample(bytes, SIZE, 777, NULL, NULL) == RENYI_OK && ones() == 777);
  CHECK(renyi_noise_random_allocation(indices, SIZE, 5, NULL, NULL) == RENYI_OK);
  for (size_t i = 0; i < SIZE; ++i) CHECK(indices[i] < 5);
  CHECK(renyi_noise_shuffle(indices, SIZE, NULL, NULL) == RENYI_OK);
  memset(bytes, 0, SIZE);
  for (size_t i = 0; i < SIZE; ++i) CHECK(indices[i] < SIZE && bytes[indices[i]]++ == 0);
}

static void check_choices(void) {
  const double scores[] = {1, 2000, 3, NAN, -INFINITY};
  renyi_release release;
  size_t index = 99;
  CHECK(renyi_noise_exponential(scores, 5, 1, NULL, &index, &release, NULL) == RENYI_OK && index == 1);
  CHECK(is_a_step(&release, "exponential"));
  const renyi_scores options = {.sensitivity = 2, .range = 4096, .monotonic = 1};
  CHECK(renyi_noise_permute_and_flip(scores, 5, 1, &options, &index, &release, NULL) == RENYI_OK && index == 1);
  CHECK(is_a_step(&release, "permute-and-flip"));
  CHECK(renyi_noise_report_noisy_max(scores, 5, 2, &options, &index, &release, NULL) == RENYI_OK && index == 1);
  CHECK(is_a_step(&release, "report-noisy-max") && strstr(release.step, "\"sensitivity\":2") != NULL);
  renyi_error error;
  CHECK(renyi_noise_exponential(NULL, 0, 1, NULL, &index, &release, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(index == SIZE_MAX && is_nothing(&release));
  CHECK(renyi_noise_exponential(scores, 5, 1, NULL, NULL, NULL, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "out", "out: got NULL"));
}

static void check_failures(void) {
  double values[] = {1, 2, 3};
  renyi_error error;
  renyi_release release;
  memset(&release, 7, sizeof release);
  CHECK(renyi_noise_gaussian(values, 3, values, 0, NULL, &release, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "stddev", "stddev: got 0") && is_nothing(&release));
  renyi_on_grid options = {.grid = 0.3, .range = 0, .sensitivity = 0};
  CHECK(renyi_noise_laplace(values, 3, values, 1, &options, NULL, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "grid", "grid: got 0.3"));
  CHECK(renyi_noise_gaussian(NULL, 3, values, 1, NULL, NULL, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "values", "values: got NULL"));
  CHECK(renyi_noise_gaussian(values, 3, NULL, 1, NULL, NULL, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "out", "out: got NULL"));
  CHECK(values[0] == 1 && values[1] == 2 && values[2] == 3);  // nothing was written
  uint8_t coin = 9;
  CHECK(renyi_noise_bernoulli(&coin, 1, NAN, NULL, &error) == RENYI_INVALID_ARGUMENT && coin == 9);
  CHECK(strcmp(error.field, "probability") == 0);
  CHECK(renyi_noise_fixed_size_sample(&coin, 1, 2, NULL, &error) == RENYI_INVALID_ARGUMENT && coin == 9);
  CHECK(renyi_noise_gaussian(NULL, 0, NULL, 1, NULL, &release, &error) == RENYI_OK && error.status == RENYI_OK);
  CHECK(is_a_step(&release, "gaussian"));  // no values: the step is known all the same
}

// Whatever is refused, no message repeats a number that is published only with noise.
static void check_silence(void) {
  enum { COUNT = 2 };
  const double reals[COUNT] = {8093617.5, -8093617}, bad[] = {0, -1, NAN, INFINITY, 1e-320, 1e300};
  const float floats[COUNT] = {8093617, -8093617};
  const int64_t wholes[COUNT] = {8093617, -8093617};
  double out[COUNT];
  float out_float[COUNT];
  int64_t out_whole[COUNT];
  size_t index = 0, refused = 0;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    const renyi_on_grid grid = {.grid = bad[i], .range = bad[i], .sensitivity = bad[i]};
    const renyi_scores limits = {.sensitivity = bad[i], .range = bad[i], .monotonic = 0};
    renyi_error errors[12];
    const renyi_status all[] = {
        renyi_noise_gaussian(reals, COUNT, out, bad[i], NULL, NULL, &errors[0]),
        renyi_noise_gaussian(reals, COUNT, out, 1, &grid, NULL, &errors[1]),
        renyi_noise_laplace(reals, COUNT, out, bad[i], &grid, NULL, &errors[2]),
        renyi_noise_gaussian_float(floats, COUNT, out_float, bad[i], &grid, NULL, &errors[3]),
        renyi_noise_laplace_float(floats, COUNT, out_float, bad[i], NULL, NULL, &errors[4]),
        renyi_noise_discrete_gaussian(wholes, COUNT, out_whole, bad[i], 1, NULL, &errors[5]),
        renyi_noise_discrete_laplace(wholes, COUNT, out_whole, 1, bad[i], NULL, &errors[6]),
        renyi_noise_skellam(wholes, COUNT, out_whole, bad[i], 1, NULL, &errors[7]),
        renyi_noise_randomized_response(wholes, COUNT, out_whole, 0.5, (int64_t)i - 3, NULL, &errors[8]),
        renyi_noise_exponential(reals, COUNT, bad[i], NULL, &index, NULL, &errors[9]),
        renyi_noise_permute_and_flip(reals, COUNT, 1, &limits, &index, NULL, &errors[10]),
        renyi_noise_report_noisy_max(reals, COUNT, bad[i], &limits, &index, NULL, &errors[11])};
    for (size_t j = 0; j < sizeof all / sizeof *all; ++j) {
      refused += all[j] != RENYI_OK;
      CHECK(all[j] == errors[j].status && strstr(errors[j].message, "8093") == NULL);
      CHECK(strstr(errors[j].message, "3617") == NULL && strstr(errors[j].field, "8093617") == NULL);
    }
  }
  CHECK(refused > 36);
}

void test_noise(void) {
  check_real_numbers();
  check_hostile_data();
  check_whole_numbers();
  check_coins_and_samples();
  check_choices();
  check_failures();
  check_silence();
}
