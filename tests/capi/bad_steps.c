// Steps that a plan refuses, each of which leaves it as it was.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "renyi/c.h"

typedef struct bad_step {
  const char* mechanism;
  const char* names[2];
  double values[2];
  size_t size;
  int64_t count;
  const char *field, *message;
} bad_step;

static const bad_step bad_steps[] = {
    {"laplas",
     {"scale"},
     {1},
     1,
     1,
     "mechanism",
     "mechanism: got \"laplas\" (did you mean laplace?), allowed: one of gaussian, "},
    {NULL, {"scale"}, {1}, 1, 1, "mechanism", "mechanism: got NULL, allowed: "},
    {"laplace", {"scale", "scale"}, {1, 1}, 2, 1, "names", "names: got scale, allowed: each parameter once"},
    {"laplace", {"scale", "sigma"}, {1, 1}, 2, 1, "sigma", "sigma: got "},
    {"laplace", {"scale\xff"}, {1}, 1, 1, "[\"scale\xef\xbf\xbd\"]", "[\"scale"},
    {"laplace", {"mechanism"}, {1}, 1, 1, "names", "names: got mechanism, allowed: "},
    {"laplace", {"scale", NULL}, {1, 1}, 2, 1, "names", "names: got NULL, allowed: "},
    {"laplace", {NULL}, {0}, 0, 1, "scale", "scale: got nothing, allowed: "},
    {"laplace", {"scale"}, {NAN}, 1, 1, "scale", "scale: got nan, allowed: "},
    {"laplace", {"scale"}, {-INFINITY}, 1, 1, "scale", "scale: got -inf, allowed: "},
    {"laplace", {"scale"}, {0}, 1, 1, "scale", "scale: got 0, allowed: "},
    {"laplace", {"scale"}, {1}, 1, 0, "count", "count: got 0, allowed: "},
    {"laplace", {"scale"}, {1}, 1, -5, "count", "count: got -5, allowed: "},
    {"gaussian", {"noise_multiplier", "stddev"}, {1, 1}, 2, 1, "stddev", "stddev: got 1, allowed: either "},
};

static void check_refused(renyi_plan* plan, const bad_step* s) {
  renyi_error error;
  CHECK(renyi_plan_add(plan, s->mechanism, s->names, s->values, s->size, s->count, &error) == RENYI_INVALID_ARGUMENT);
  if (!CHECK(says(&error, RENYI_INVALID_ARGUMENT, s->field, s->message))) printf("  instead of %s\n", s->message);
}

void test_bad_steps(void) {
  renyi_plan* plan = renyi_plan_new("replace-one", NULL);
  renyi_error error;
  for (size_t i = 0; i < sizeof bad_steps / sizeof *bad_steps; ++i) check_refused(plan, &bad_steps[i]);
  const char* const names[] = {"sampling_rate", "noise_multiplier"};
  const double values[] = {0.1, 1};
  CHECK(renyi_plan_add(plan, "laplace", NULL, values, 1, 1, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "names", "names: got NULL, allowed: "));
  CHECK(renyi_plan_add(plan, "laplace", names, NULL, 1, 1, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "values", "values: got NULL, allowed: "));
  // A sampling scheme has a name, which no number can say: plans in JSON can.
  const char* const sampled[] = {"scale", "sampling"};
  CHECK(renyi_plan_add(plan, "laplace", sampled, values, 2, 1, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(says(&error, RENYI_INVALID_ARGUMENT, "sampling", "sampling: got 1"));
  char* text = renyi_plan_to_json(plan, NULL);
  CHECK(text != NULL && strstr(text, "\"steps\":[]") != NULL);
  renyi_free(text);
  renyi_plan_free(plan);
}
