// With every allocation failing in turn no exception leaves the library: calls say that there is no
// memory, or have found their answer without it.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renyi/c.h"

// The allocator of the C library. The malloc below replaces the library's malloc.
extern void* __libc_malloc(size_t size);

static long before_failure = -1;  // how many more succeed; negative: all
static bool only_one = false;     // fails, and the later ones succeed again
static size_t smallest = 0;       // smaller ones do not count, and succeed

void* malloc(size_t size) {
  if (size < smallest || before_failure < 0) return __libc_malloc(size);
  if (before_failure-- > 0) return __libc_malloc(size);
  before_failure = only_one ? -1 : 0;
  return NULL;
}

typedef enum outcome { done, no_memory, wrong } outcome;

static outcome by_status(renyi_status status, double result) {
  if (status == RENYI_OK) return isfinite(result) ? done : wrong;
  return status == RENYI_OUT_OF_MEMORY && result == INFINITY ? no_memory : wrong;
}

static renyi_plan* plan;

static outcome ask_epsilon(void) {
  renyi_result result = {0};
  const renyi_status status = renyi_sampled_gaussian_epsilon(0.02, 1.1, 100, 1e-5, &result, NULL);
  return by_status(status, result.renyi);
}

static outcome ask_rdp(void) {
  const double order = 3.5;
  double result = 0;
  const renyi_status status = renyi_sampled_gaussian_rdp(0.02, 1.1, 100, &order, 1, &result, NULL);
  return by_status(status, result);
}

static outcome ask_plan(void) {
  renyi_result result = {0};
  const renyi_status status = renyi_plan_epsilon(plan, 1e-3, &result, NULL);
  return by_status(status, result.renyi);
}

// Without memory there is no noise, and nothing is written. Where the cipher has no memory, it gives no bits.
static outcome draw_noise(void) {
  double values[] = {1e6, 1e6, 1e6};
  const renyi_status status = renyi_noise_gaussian(values, 3, values, 1, NULL, NULL, NULL);
  const bool unchanged = values[0] == 1e6 && values[1] == 1e6 && values[2] == 1e6;
  if (status == RENYI_OK) return unchanged ? wrong : done;
  return (status == RENYI_OUT_OF_MEMORY || status == RENYI_UNSUPPORTED) && unchanged ? no_memory : wrong;
}

static outcome ask_anything(void) {
  char* answer = renyi_call(
      "{\"op\":\"epsilon\",\"steps\":[{\"mechanism\":\"laplace\",\"scale\":3,\"count\":2},{\"mechanism\":\"laplace\","
      "\"scale\":5}],\"delta\":1e-3}");
  if (answer == NULL) return no_memory;
  const bool told = strstr(answer, "out of memory") != NULL, answered = strstr(answer, "\"exact\":{\"lower\"") != NULL;
  renyi_free(answer);
  if (told) return no_memory;
  return answered ? done : wrong;
}

// Repeats the call with later failures until it succeeds before an allocation fails.
static bool holds(const char* name, outcome (*call)(void)) {
  call();  // initializes everything that is made only once
  long failing = 0;
  for (long n = 0; n < 100000; ++n) {
    before_failure = n;
    const outcome result = call();
    const bool all_succeeded = before_failure > 0;
    before_failure = -1;
    if (result == wrong) printf("%s: wrong with allocation %ld failing\n", name, n);
    if (result == wrong) return false;
    failing += result == no_memory;
    if (all_succeeded) break;
  }
  printf("%s: no memory %ld times\n", name, failing);
  return failing > 0;
}

int main(void) {
  plan = renyi_plan_from_json(
      "{\"renyi\":1,\"steps\":[{\"mechanism\":\"laplace\",\"scale\":3,\"count\":2},"
      "{\"mechanism\":\"laplace\",\"scale\":5}]}",
      NULL);
  bool good = plan != NULL;
  // First with memory left for what the C library loads when an exception first passes through it.
  for (int i = 0; good && i < 2; ++i) {
    only_one = i == 0;
    smallest = 0;
    good =
        holds("epsilon", ask_epsilon) && holds("rdp", ask_rdp) && holds("plan", ask_plan) && holds("noise", draw_noise);
    // JSON documents cannot be taken apart without a few bytes (docs/c.md).
    smallest = 1000;
    good = good && holds("call", ask_anything);
  }
  renyi_plan_free(plan);
  return good ? 0 : 1;
}
