// Usage: capi_tests GROUP
#include <stdio.h>
#include <string.h>

#include "check.h"

static const struct {
  const char* name;
  void (*run)(void);
} groups[] = {
    {"direct", test_direct_calls}, {"plans", test_plans},   {"errors", test_errors},
    {"bad_steps", test_bad_steps}, {"calls", test_calls},   {"threads", test_threads},
    {"sampling", test_sampling},   {"run", test_run},       {"noise", test_noise},
    {"filter", test_filter},       {"ledger", test_ledger},
};

int main(int argc, char** argv) {
  for (size_t i = 0; argc == 2 && i < sizeof groups / sizeof *groups; ++i) {
    if (strcmp(argv[1], groups[i].name) != 0) continue;
    groups[i].run();
    printf("%s: %d failures\n", groups[i].name, failures());
    return failures() == 0 ? 0 : 1;
  }
  fprintf(stderr, "usage: capi_tests direct|plans|errors|bad_steps|calls|threads|sampling|run|noise|filter|ledger\n");
  return 2;
}
