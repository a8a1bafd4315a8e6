// The C interface: a small ABI with a version of its own (docs/c.md, docs/versioning.md).
// C99 and later, C++; link with librenyi_c (pkg-config renyi-c, CMake renyi::c).
//
// Ownership: the library keeps no pointer it is given. What it hands out belongs to the caller:
// texts go back by renyi_free, plans by renyi_plan_free. Texts are UTF-8 and end with NUL.
//
// Threads: every function may run in several threads at once. A plan may be asked by several
// threads, but not while one adds to it or frees it. There is no global state, and the locale
// plays no part.
//
// Failure: a status, and words in *error where that is not NULL. No exception leaves the library.
// A failed call leaves the worst there is in *out (an infinite epsilon, divergence or noise
// multiplier, a delta of 1), so that a result read by mistake promises nothing.
//
// Growth: within one ABI version functions are added, and nothing here is changed or removed: no
// signature, no struct, no value of an enumeration. Statuses may be added: treat one that you do not
// know as a failure.
#pragma once

#include <stddef.h>  // NOLINT(modernize-deprecated-headers): this is C
#include <stdint.h>  // NOLINT(modernize-deprecated-headers): this is C

// Also the SONAME, librenyi_c.so.1, and the version node of every symbol, RENYI_1.
#define RENYI_ABI_VERSION 1

#if defined(__GNUC__)
#define RENYI_C_API __attribute__((visibility("default")))
#else
#define RENYI_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum renyi_status {
  RENYI_OK = 0,
  RENYI_INVALID_ARGUMENT = 1,  // bad input: the message names the field, the value and what is allowed
  RENYI_UNSUPPORTED = 2,       // good input without a proven answer: why, and what would do
  RENYI_NOT_CONVERGED = 3,     // a numerical method that did not reach its accuracy: where
  RENYI_OUT_OF_MEMORY = 4,
  RENYI_INTERNAL = 5  // a defect of this library
} renyi_status;

// Owned by the caller, who may pass NULL instead. Every call that takes one fills it; after a success
// the status is RENYI_OK and the texts are empty. Texts that are too long are cut.
typedef struct renyi_error {
  renyi_status status;
  char field[124];    // the parameter or JSON path it is about, or empty
  char message[512];  // as in the answers to requests
} renyi_error;

// An epsilon or a delta. The truth lies in [exact_lower, exact_upper] and is at most `renyi`.
typedef struct renyi_result {
  double renyi;  // upper bound from the Renyi divergences
  double order;  // the order that gave it; may be infinite
  double exact_lower;
  double exact_upper;
  // RENYI_OK; or why there is no exact figure (a step that enters by bounds on its divergences only):
  // then the interval is [0, renyi], and the rest of the result stands. After a failed call: its status.
  renyi_status exact_status;
} renyi_result;

// Whose figures the exact ones are.
typedef enum renyi_standing {
  RENYI_ATTAINED = 0,   // those of what was run
  RENYI_PROMISED = 1,   // those of the worst step that keeps a promise, such as a pure epsilon: it may cost less
  RENYI_DOMINATED = 2,  // those of a pair of laws that dominates the steps: what was run may cost less
} renyi_standing;

// What the library was built with, to be compared with RENYI_ABI_VERSION; and the version of the
// library, "major.minor.patch", which is never freed.
RENYI_C_API int renyi_abi_version(void);
RENYI_C_API const char* renyi_version(void);

// ---- Every operation, as JSON

// One request in, one answer out (docs/format/requests.md). A failure is an answer too, with the
// member "error". Free it by renyi_free. NULL: there was no memory for the answer.
RENYI_C_API char* renyi_call(const char* request);

// Takes back a text, or NULL.
RENYI_C_API void renyi_free(char* text);

// ---- Direct calls: `steps` steps of Gaussian noise on a Poisson sample (DP-SGD), neighbours that
// differ by adding or removing one record

// The epsilon at `delta` in [0, 1].
RENYI_C_API renyi_status renyi_sampled_gaussian_epsilon(double sampling_rate, double noise_multiplier, int64_t steps,
                                                        double delta, renyi_result* out, renyi_error* error);

// The delta at `epsilon` of at least 0, or infinity.
RENYI_C_API renyi_status renyi_sampled_gaussian_delta(double sampling_rate, double noise_multiplier, int64_t steps,
                                                      double epsilon, renyi_result* out, renyi_error* error);

// Upper bounds on the Renyi divergence at each of `size` orders in [1, 1e100] or infinity.
// `out` has room for `size` numbers, and may be the same array as `orders`.
RENYI_C_API renyi_status renyi_sampled_gaussian_rdp(double sampling_rate, double noise_multiplier, int64_t steps,
                                                    const double* orders, size_t size, double* out, renyi_error* error);

// The smallest noise multiplier whose exact cost is within (epsilon, delta), from the private side. Never below 0.01,
// where sampled Gaussian steps begin to be accounted for: where less noise would do, 0.01 is the answer.
RENYI_C_API renyi_status renyi_sampled_gaussian_noise(double sampling_rate, int64_t steps, double epsilon, double delta,
                                                      double* out, renyi_error* error);

// The epsilon at `delta` of DP-SGD told by its sizes: `epochs` passes over `dataset_size` records in batches of
// `batch_size` on average. That is ceil(epochs * dataset_size / batch_size) steps at the rate
// batch_size / dataset_size.
RENYI_C_API renyi_status renyi_training_epsilon(int64_t dataset_size, int64_t batch_size, double epochs,
                                                double noise_multiplier, double delta, renyi_result* out,
                                                renyi_error* error);

// ---- Plans: what was run, step by step

typedef struct renyi_plan renyi_plan;

// A plan without steps. `neighbors` is "add-or-remove-one" (also by NULL), "replace-one" or "zero-out".
// NULL on failure. Free it by renyi_plan_free.
RENYI_C_API renyi_plan* renyi_plan_new(const char* neighbors, renyi_error* error);

// From the text of a plan file (docs/format/plan.md). NULL on failure. Free it by renyi_plan_free.
RENYI_C_API renyi_plan* renyi_plan_from_json(const char* json, renyi_error* error);

// From a training run told by its sizes: the object "run" of a request (docs/format/requests.md), as
// {"dataset_size":60000,"batch_size":256,"epochs":60,"noise_multiplier":1.1}. `neighbors` as for renyi_plan_new. NULL
// on failure. Free it by renyi_plan_free. The rules that were used, and warnings, are in renyi_call's answers.
RENYI_C_API renyi_plan* renyi_plan_from_run(const char* run, const char* neighbors, renyi_error* error);

// The text of a plan file. NULL on failure. Free it by renyi_free.
RENYI_C_API char* renyi_plan_to_json(const renyi_plan* plan, renyi_error* error);

// Adds a mechanism that runs `count` times: its kind and `size` parameters by the names they have in
// plan files. Those with a default may be left out. On failure the plan is as before.
RENYI_C_API renyi_status renyi_plan_add(renyi_plan* plan, const char* mechanism, const char* const* names,
                                        const double* values, size_t size, int64_t count, renyi_error* error);

// Takes back a plan, or NULL.
RENYI_C_API void renyi_plan_free(renyi_plan* plan);

// As the direct calls above, of all steps together. What figures take for granted that the plan does not say (of trees
// and matrices under add-or-remove-one, that the other records keep their rounds) is the member "assumes" of
// renyi_call's answers.
RENYI_C_API renyi_status renyi_plan_epsilon(const renyi_plan* plan, double delta, renyi_result* out,
                                            renyi_error* error);
RENYI_C_API renyi_status renyi_plan_delta(const renyi_plan* plan, double epsilon, renyi_result* out,
                                          renyi_error* error);
// Whose figures the exact ones of the two calls above are. Of the direct calls for DP-SGD they are attained.
RENYI_C_API renyi_status renyi_plan_standing(const renyi_plan* plan, renyi_standing* out, renyi_error* error);
RENYI_C_API renyi_status renyi_plan_rdp(const renyi_plan* plan, const double* orders, size_t size, double* out,
                                        renyi_error* error);

#ifdef __cplusplus
}
#endif
