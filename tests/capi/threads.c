// Several threads at once, some sharing a plan: everybody gets the numbers of one alone.
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "renyi/c.h"

enum { threads = 4, rounds = 5 };

typedef struct numbers {
  renyi_result direct, plan;
  double noise, divergence;
  char answer[512];
  renyi_error error;
} numbers;

static const renyi_plan* shared;

static void work(numbers* n) {
  const double order = 6.5;
  renyi_sampled_gaussian_epsilon(0.01, 1.1, 2000, 1e-5, &n->direct, NULL);
  renyi_plan_epsilon(shared, 1e-6, &n->plan, NULL);
  renyi_plan_rdp(shared, &order, 1, &n->divergence, NULL);
  renyi_sampled_gaussian_noise(0.05, 100, 1.5, 1e-5, &n->noise, NULL);
  renyi_sampled_gaussian_epsilon(0.01, 1.1, 0, 1e-5, &(renyi_result){0}, &n->error);
  char* answer = renyi_call("{\"op\":\"epsilon\",\"steps\":[{\"mechanism\":\"laplace\",\"scale\":9}],\"delta\":1e-3}");
  strncpy(n->answer, answer == NULL ? "" : answer, sizeof n->answer - 1);
  renyi_free(answer);
}

static void* run(void* place) {
  for (int i = 0; i < rounds; ++i) work(place);
  return NULL;
}

static bool equal(const renyi_result* a, const renyi_result* b) {
  return same(a->renyi, b->renyi) && same(a->order, b->order) && same(a->exact_lower, b->exact_lower) &&
         same(a->exact_upper, b->exact_upper) && a->exact_status == RENYI_OK && b->exact_status == RENYI_OK;
}

void test_threads(void) {
  renyi_plan* plan = renyi_plan_from_json(
      "{\"renyi\":1,\"steps\":[{\"mechanism\":\"sampled-gaussian\",\"sampling_rate\":0.1,\"noise_multiplier\":2,"
      "\"count\":30},{\"mechanism\":\"laplace\",\"scale\":30}]}",
      NULL);
  CHECK(plan != NULL);
  shared = plan;
  static numbers alone, seen[threads];
  work(&alone);
  pthread_t ids[threads];
  for (int i = 0; i < threads; ++i) CHECK(pthread_create(&ids[i], NULL, run, &seen[i]) == 0);
  for (int i = 0; i < threads; ++i) {
    CHECK(pthread_join(ids[i], NULL) == 0);
    CHECK(equal(&seen[i].direct, &alone.direct));
    CHECK(equal(&seen[i].plan, &alone.plan));
    CHECK(same(seen[i].noise, alone.noise) && same(seen[i].divergence, alone.divergence));
    CHECK(strlen(alone.answer) > 0 && strcmp(seen[i].answer, alone.answer) == 0);
    CHECK(memcmp(&seen[i].error, &alone.error, sizeof alone.error) == 0 &&
          alone.error.status == RENYI_INVALID_ARGUMENT);
  }
  renyi_plan_free(plan);
}
