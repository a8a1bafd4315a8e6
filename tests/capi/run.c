// Training runs described by their sizes give the numbers of the JSON requests, to the last bit.
#include <math.h>
#include <stdint.h>

#include "check.h"
#include "renyi/c.h"

#define MNIST "{\"dataset_size\":60000,\"batch_size\":256,\"epochs\":60,\"noise_multiplier\":1.1}"
#define SHUFFLED \
  "{\"dataset_size\":100,\"batch_size\":10,\"epochs\":3,\"noise_multiplier\":4,\"sampling\":\"shuffled\"}"

static void check_same(const char* answer, const renyi_result* result) {
  CHECK(result->exact_status == RENYI_OK);
  CHECK(same(number_at(answer, "renyi", "epsilon"), result->renyi));
  CHECK(same(number_at(answer, "renyi", "order"), result->order));
  CHECK(same(number_at(answer, "exact", "lower"), result->exact_lower));
  CHECK(same(number_at(answer, "exact", "upper"), result->exact_upper) && result->exact_upper > 0);
}

static void check_direct(void) {
  renyi_result result = {0};
  renyi_error error;
  char* answer = ask("{\"op\":\"epsilon\",\"run\":" MNIST ",\"delta\":1e-5}");
  CHECK(renyi_training_epsilon(60000, 256, 60, 1.1, 1e-5, &result, &error) == RENYI_OK);
  check_same(answer, &result);
  CHECK(number_at(answer, "run", "steps") == 14063);
  renyi_free(answer);
}

static void check_plan(const char* run, const char* neighbors, char* answer) {
  renyi_error error;
  renyi_result result = {0};
  renyi_plan* plan = renyi_plan_from_run(run, neighbors, &error);
  CHECK(plan != NULL && error.status == RENYI_OK);
  CHECK(renyi_plan_epsilon(plan, 1e-5, &result, &error) == RENYI_OK);
  check_same(answer, &result);
  renyi_free(answer);
  renyi_plan_free(plan);
}

static void check_refusals(void) {
  renyi_result result = {0};
  renyi_error error;
  CHECK(renyi_training_epsilon(0, 256, 60, 1.1, 1e-5, &result, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "dataset_size", "dataset_size: got 0, allowed: an integer from 1"));
  CHECK(isinf(result.renyi) && isinf(result.exact_upper) && result.exact_status == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_training_epsilon(100, 256, 60, 1.1, 1e-5, &result, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "batch_size", "batch_size: got 256, allowed: at most the 100 records"));
  CHECK(renyi_training_epsilon(1000, 256, NAN, 1.1, 1e-5, &result, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "epochs", "epochs: got nan"));
  CHECK(renyi_training_epsilon(INT64_MAX, 1, 2, 1.1, 1e-5, &result, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "epochs", "epochs: got 2, allowed: what makes 1 to 2^63-1 steps"));
  CHECK(renyi_training_epsilon(1000, 10, 1, 0, 1e-5, &result, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "noise_multiplier", "noise_multiplier: got 0"));
  CHECK(renyi_training_epsilon(1000, 10, 1, 1, 2, &result, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "delta", "delta: got 2"));

  CHECK(renyi_plan_from_run(NULL, NULL, &error) == NULL);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "run", "run: got NULL"));
  CHECK(renyi_plan_from_run("{\"noise_multiplier\":1,\"epochs\":2}", NULL, &error) == NULL);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "epochs", "epochs: got 2, allowed: together with \"dataset_size\""));
  CHECK(renyi_plan_from_run("{\"noise_multiplier\":null}", NULL, &error) == NULL);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "noise_multiplier", "noise_multiplier: got null"));
  CHECK(renyi_plan_from_run(MNIST, "nobody", &error) == NULL);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "neighbors", "neighbors: got \"nobody\""));
  CHECK(renyi_plan_from_run(SHUFFLED, NULL, &error) == NULL);
  CHECK(says(&error, RENYI_UNSUPPORTED, "neighbors", "neighbors: shuffled epochs"));
  CHECK(renyi_plan_from_run("7", NULL, &error) == NULL && error.status == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_plan_from_run("{", NULL, NULL) == NULL);
}

void test_run(void) {
  check_direct();
  check_plan(MNIST, NULL, ask("{\"op\":\"epsilon\",\"run\":" MNIST ",\"delta\":1e-5}"));
  check_plan(SHUFFLED, "zero-out",
             ask("{\"op\":\"epsilon\",\"neighbors\":\"zero-out\",\"run\":" SHUFFLED ",\"delta\":1e-5}"));
  check_refusals();
}
