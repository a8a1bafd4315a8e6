// Helpers of the C tests. They are written in C, as programs of users are.
#ifndef RENYI_TESTS_CAPI_CHECK_H
#define RENYI_TESTS_CAPI_CHECK_H

#include <stdbool.h>

#include "renyi/c.h"

// Counts and prints what does not hold, and goes on.
#define CHECK(holds) check((holds), #holds, __FILE__, __LINE__)
bool check(bool holds, const char* what, const char* file, int line);
int failures(void);

// Equal bit for bit, and numbers.
bool same(double a, double b);

// The number behind the last of these keys of an answer, each looked for behind the one before:
// number_at(answer, "exact", "lower"), number_at(answer, "value", NULL). The first one of an array.
// Fails the test and gives NaN where there is none.
double number_at(const char* json, const char* outer, const char* key);

// The answer to a request written like printf's format; to be freed by renyi_free.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
char* ask(const char* format, ...);

// The error has this status and field, and its message begins like this.
bool says(const renyi_error* error, renyi_status status, const char* field, const char* message);

// The groups of tests.
void test_direct_calls(void);
void test_plans(void);
void test_sampling(void);
void test_run(void);
void test_errors(void);
void test_bad_steps(void);
void test_calls(void);
void test_threads(void);
void test_noise(void);
void test_filter(void);
void test_ledger(void);

#endif
