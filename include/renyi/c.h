// The C interface of the library: a small ABI that has its own version number (docs/c.md, docs/versioning.md).
// It can be used from C99 and later and from C++; link with librenyi_c (pkg-config renyi-c, CMake renyi::c).
//
//     renyi_result result;
//     renyi_error error;
//     if (renyi_sampled_gaussian_epsilon(0.01, 1.1, 10000, 1e-5, &result, &error) != RENYI_OK) {
//       fprintf(stderr, "%s\n", error.message);
//     } else {
//       printf("epsilon <= %g\n", result.exact_upper);
//     }
//
// Ownership: the library does not keep any pointer that it is given. What it returns belongs to the caller:
// texts are freed by renyi_free, plans by renyi_plan_free, filters by renyi_filter_free, ledgers by renyi_ledger_free.
// Texts are UTF-8 and end with NUL.
//
// Threads: every function may run in several threads at once. Several threads may compute the cost of the same
// plan, but not while another thread adds to the plan or frees it; filters likewise. Several threads may use the same
// ledger for everything but freeing it. There is no global state but the time limit of each thread, and
// no result depends on the locale.
//
// Failure: a failed call returns a status and writes a message to *error if `error` is not NULL. No exception leaves
// the library. A failed call sets *out to the worst possible value (an infinite epsilon, divergence or noise
// multiplier, a delta of 1), so that a result that is read by mistake guarantees nothing. Noise is the exception: where
// it cannot be drawn, nothing is written to the values, so look at the status before you publish them.
//
// Compatibility: within one ABI version functions may be added, but nothing in this header is changed or removed: no
// signature, no struct, no value of an enumeration. New statuses may be added: treat a status that you do not
// know as a failure.
#pragma once

#include <stddef.h>  // NOLINT(modernize-deprecated-headers): this is C
#include <stdint.h>  // NOLINT(modernize-deprecated-headers): this is C

// This number is also part of the SONAME, librenyi_c.so.1, and of the version node of every symbol, RENYI_1.
#define RENYI_ABI_VERSION 1

#if defined(__GNUC__)
#define RENYI_C_API __attribute__((visibility("default")))
// Values to which no noise was added must not be taken for others, so compilers warn where the status is not read.
#define RENYI_C_MUST_READ __attribute__((warn_unused_result))
#else
#define RENYI_C_API
#define RENYI_C_MUST_READ
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The outcome of a call.
typedef enum renyi_status {
  RENYI_OK = 0,
  RENYI_INVALID_ARGUMENT = 1,  // the input is invalid; the message names the field, the value and what is allowed
  RENYI_UNSUPPORTED = 2,       // no sound answer exists for this valid input; the message says why, and what to do
  RENYI_NOT_CONVERGED = 3,     // a numerical method did not reach its accuracy; the message says where
  RENYI_OUT_OF_MEMORY = 4,
  RENYI_INTERNAL = 5,  // this library has a defect
  // The file or the database of a ledger failed; the message says why, and what to do. Nothing that was acknowledged is
  // lost. A call may be repeated with its key.
  RENYI_STORE_FAILURE = 6,
  // The limit of renyi_set_time_limit was reached before any bound was known; the message says what to do.
  RENYI_LIMIT_REACHED = 7
} renyi_status;

// The description of a failure. It is owned by the caller, who may pass NULL instead. Every call that takes one fills
// it; after a success the status is RENYI_OK and the texts are empty. Texts that are too long are truncated.
typedef struct renyi_error {
  renyi_status status;
  char field[124];    // the parameter or JSON path that caused the failure, or empty
  char message[512];  // the same text as in the answer of renyi_call
} renyi_error;

// An epsilon or a delta. The exact value lies in [exact_lower, exact_upper] and is at most `renyi`.
typedef struct renyi_result {
  double renyi;  // upper bound from the Renyi divergences
  double order;  // the order at which that bound is attained; may be infinite
  double exact_lower;
  double exact_upper;
  // RENYI_OK, or the reason why there is no exact value, for example because only bounds on the divergences of a step
  // are known. The interval is then [0, renyi], and the other members are valid. RENYI_INTERNAL if two methods gave
  // intervals that do not meet, which is a defect to report: the interval then is from 0 to the largest end of both.
  // After a failed call this is the status of the call.
  renyi_status exact_status;
} renyi_result;

// What an exact interval is exact for.
typedef enum renyi_standing {
  RENYI_ATTAINED = 0,   // exact for the plan itself
  RENYI_PROMISED = 1,   // exact for the worst mechanism with the stated guarantees; the plan may cost less
  RENYI_DOMINATED = 2,  // exact for a dominating pair of distributions; the plan may cost less than the lower end
} renyi_standing;

// renyi_abi_version returns the ABI version of the library that is loaded; compare it with RENYI_ABI_VERSION.
// renyi_version returns the version of the library, "major.minor.patch"; this text must not be freed.
RENYI_C_API int renyi_abi_version(void);
RENYI_C_API const char* renyi_version(void);

// Limits the time of each later call of this thread, in seconds; INFINITY, which is the beginning, removes the limit.
// At the limit a call returns the best bounds that are known by then, or RENYI_LIMIT_REACHED if nothing is known yet.
// Calls that charge a ledger are never ended half way. A request of renyi_call may have a "time_limit" of its own.
RENYI_C_API renyi_status renyi_set_time_limit(double seconds, renyi_error* error);

// ---- Every operation, as JSON

// Answers one JSON request with one JSON text (docs/format/requests.md). A failed request is answered by a text
// with the member "error". Free the answer by renyi_free. NULL means that there was no memory for the answer.
RENYI_C_API char* renyi_call(const char* request);

// Frees a text that this library returned. NULL is allowed.
RENYI_C_API void renyi_free(char* text);

// ---- Direct calls for DP-SGD: `steps` steps of Gaussian noise on a Poisson sample, where neighbouring datasets
// differ by adding or removing one record

// Computes the epsilon at `delta` in [0, 1].
RENYI_C_API renyi_status renyi_sampled_gaussian_epsilon(double sampling_rate, double noise_multiplier, int64_t steps,
                                                        double delta, renyi_result* out, renyi_error* error);

// Computes the delta at `epsilon`, which is at least 0 and may be infinite.
RENYI_C_API renyi_status renyi_sampled_gaussian_delta(double sampling_rate, double noise_multiplier, int64_t steps,
                                                      double epsilon, renyi_result* out, renyi_error* error);

// Computes upper bounds on the Renyi divergence at each of `size` orders, which are in [1, 1e100] or infinite.
// `out` has space for `size` numbers, and may be the same array as `orders`.
RENYI_C_API renyi_status renyi_sampled_gaussian_rdp(double sampling_rate, double noise_multiplier, int64_t steps,
                                                    const double* orders, size_t size, double* out, renyi_error* error);

// Computes the smallest noise multiplier whose exact cost is within (epsilon, delta), rounded up. The result is at
// least 0.01, the smallest noise multiplier that sampled Gaussian steps support: if less noise would suffice, the
// result is 0.01.
RENYI_C_API renyi_status renyi_sampled_gaussian_noise(double sampling_rate, int64_t steps, double epsilon, double delta,
                                                      double* out, renyi_error* error);

// Computes the epsilon at `delta` of DP-SGD that is specified by its sizes: `epochs` passes over `dataset_size` records
// in batches of `batch_size` on average. The run has ceil(epochs * dataset_size / batch_size) steps at the sampling
// rate batch_size / dataset_size.
RENYI_C_API renyi_status renyi_training_epsilon(int64_t dataset_size, int64_t batch_size, double epochs,
                                                double noise_multiplier, double delta, renyi_result* out,
                                                renyi_error* error);

// ---- Plans: the steps of a run

// A list of steps together with a neighbouring relation.
//
//     const char* const names[] = {"sampling_rate", "noise_multiplier"};
//     const double values[] = {0.01, 1.1};
//     renyi_plan* plan = renyi_plan_new("add-or-remove-one", NULL);
//     renyi_plan_add(plan, "sampled-gaussian", names, values, 2, 10000, NULL);
//     renyi_result result;
//     renyi_plan_epsilon(plan, 1e-5, &result, NULL);
//     renyi_plan_free(plan);
typedef struct renyi_plan renyi_plan;

// Makes a plan without steps. `neighbors` is "add-or-remove-one", "replace-one" or "zero-out"; NULL means
// "add-or-remove-one". Returns NULL on failure. Free the plan by renyi_plan_free.
RENYI_C_API renyi_plan* renyi_plan_new(const char* neighbors, renyi_error* error);

// Makes a plan from the text of a plan file (docs/format/plan.md). Returns NULL on failure. Free the plan by
// renyi_plan_free.
RENYI_C_API renyi_plan* renyi_plan_from_json(const char* json, renyi_error* error);

// Makes a plan from a training run that is specified by its sizes. `run` is the object "run" of a request
// (docs/format/requests.md), for example
// {"dataset_size":60000,"batch_size":256,"epochs":60,"noise_multiplier":1.1}. `neighbors` has the same values as in
// renyi_plan_new. Returns NULL on failure. Free the plan by renyi_plan_free. The rules that were used, and warnings,
// are only in the answers of renyi_call.
RENYI_C_API renyi_plan* renyi_plan_from_run(const char* run, const char* neighbors, renyi_error* error);

// Writes a plan as the text of a plan file. Returns NULL on failure. Free the text by renyi_free.
RENYI_C_API char* renyi_plan_to_json(const renyi_plan* plan, renyi_error* error);

// Adds a mechanism that runs `count` times. `mechanism` is its kind, and `names` and `values` give `size` parameters
// by the names that they have in plan files. Parameters with a default may be omitted. A failed call does not change
// the plan.
RENYI_C_API renyi_status renyi_plan_add(renyi_plan* plan, const char* mechanism, const char* const* names,
                                        const double* values, size_t size, int64_t count, renyi_error* error);

// Frees a plan. NULL is allowed.
RENYI_C_API void renyi_plan_free(renyi_plan* plan);

// These functions, and renyi_plan_rdp below, answer the questions of the direct calls above for all steps of the plan
// together. An answer may rest on an assumption that the plan does not state: for tree and matrix mechanisms under
// add-or-remove-one, that the other records keep their rounds. The member "assumes" of renyi_call's answers states it.
RENYI_C_API renyi_status renyi_plan_epsilon(const renyi_plan* plan, double delta, renyi_result* out,
                                            renyi_error* error);
RENYI_C_API renyi_status renyi_plan_delta(const renyi_plan* plan, double epsilon, renyi_result* out,
                                          renyi_error* error);
// Tells what the exact intervals of the two calls above are exact for. Those of the direct calls for DP-SGD are always
// RENYI_ATTAINED.
RENYI_C_API renyi_status renyi_plan_standing(const renyi_plan* plan, renyi_standing* out, renyi_error* error);
RENYI_C_API renyi_status renyi_plan_rdp(const renyi_plan* plan, const double* orders, size_t size, double* out,
                                        renyi_error* error);

// ---- Filters: budgets for steps that are chosen on the way, after earlier results were seen (docs/math/filters.md)

// Decides before each step whether it may run, and keeps the history. Steps are plans, usually of one step.
//
//     renyi_filter* filter = renyi_filter_new("{\"kind\":\"zcdp\",\"rho\":0.5}", NULL, 1, NULL, NULL);
//     renyi_verdict verdict;
//     if (renyi_filter_charge(filter, step, 1, &verdict, NULL) == RENYI_OK && verdict.runs) run_the_step();
//     renyi_filter_free(filter);
//
// A copy of a filter, or a second process with the same file, would spend the budget again: never let both decide about
// the same data.
typedef struct renyi_filter renyi_filter;

// The answer to "may it run?". After a failure `runs` is 0.
typedef struct renyi_verdict {
  int runs;          // 1: it may run, and renyi_filter_charge has charged it; 0: it may not, and nothing was charged
  char reason[512];  // why not: which number, what it would be, its limit and how much is left; empty if it runs
} renyi_verdict;

// How much is spent of one number that a budget limits. After a failure everything is 0.
typedef struct renyi_balance {
  char name[40];  // "epsilon", "rho", "mu", "order 8" or "infinite mass"
  double order;   // for budgets by orders, perhaps infinite; otherwise 0
  double spent;   // upper bound
  double limit;
  double left;  // what one more step may cost, rounded down: limit - spent; a root where squares add (mu, approx)
  int within;   // 1: spent is at most the limit
} renyi_balance;

// A change of one parameter with which a step would run.
typedef struct renyi_fit {
  int found;           // 0: there is none, and the other members are empty
  char parameter[36];  // as in plan files, for example "noise_multiplier"
  double value;        // four digits, rounded towards less cost
} renyi_fit;

// Makes a filter without steps. `budget` and `cap` are budgets as JSON (docs/format/filter.md), where a "plan" whose
// cost is the budget has the relation add-or-remove-one and the unit 1. `neighbors` has the same values as in
// renyi_plan_new; `unit` is at least 1 and a part of the budget's meaning. `cap` is the largest budget that
// renyi_filter_set_budget may set; NULL is the budget itself. Returns NULL on failure. Free the filter by
// renyi_filter_free.
RENYI_C_API renyi_filter* renyi_filter_new(const char* budget, const char* neighbors, int64_t unit, const char* cap,
                                           renyi_error* error);

// Makes a filter from the text of a filter file; a text that was changed after it was written is a failure. Returns
// NULL on failure. Free the filter by renyi_filter_free.
RENYI_C_API renyi_filter* renyi_filter_from_json(const char* json, renyi_error* error);

// Writes a filter as the text of a filter file. Returns NULL on failure. Free the text by renyi_free.
RENYI_C_API char* renyi_filter_to_json(const renyi_filter* filter, renyi_error* error);

// Frees a filter. NULL is allowed.
RENYI_C_API void renyi_filter_free(renyi_filter* filter);

// Tells whether `count` runs of the steps may run now. A refusal is an answer, not a failure: the status is RENYI_OK.
RENYI_C_API renyi_status renyi_filter_may_run(const renyi_filter* filter, const renyi_plan* steps, int64_t count,
                                              renyi_verdict* out, renyi_error* error) RENYI_C_MUST_READ;

// Charges `count` runs of the steps if they may run. Run a step only after it was charged: only if the status is
// RENYI_OK and out->runs is 1. Otherwise nothing changes.
RENYI_C_API renyi_status renyi_filter_charge(renyi_filter* filter, const renyi_plan* steps, int64_t count,
                                             renyi_verdict* out, renyi_error* error) RENYI_C_MUST_READ;

// Counts how many more such steps may run, up to 2^63-1 steps in all. `step` is a plan of one mechanism that runs once,
// here and in renyi_filter_would_fit. After a failure *out is 0.
RENYI_C_API renyi_status renyi_filter_headroom(const renyi_filter* filter, const renyi_plan* step, int64_t* out,
                                               renyi_error* error);

// Finds the change of the step's noise, or of its own epsilon, that costs least and with which `count` such steps would
// run.
RENYI_C_API renyi_status renyi_filter_would_fit(const renyi_filter* filter, const renyi_plan* step, int64_t count,
                                                renyi_fit* out, renyi_error* error);

// Writes the balances of the first `size` quantities that the budget limits to `out`, and the number of all quantities
// to *quantities; `out` may be NULL if `size` is 0.
RENYI_C_API renyi_status renyi_filter_remaining(const renyi_filter* filter, renyi_balance* out, size_t size,
                                                size_t* quantities, renyi_error* error);

// Changes the budget within the cap. Since the change may depend on results, the guarantee stays that of the cap.
RENYI_C_API renyi_status renyi_filter_set_budget(renyi_filter* filter, const char* budget, renyi_error* error);

// renyi_filter_history makes a plan of the steps charged so far, merged. renyi_filter_guarantee makes a plan of
// promised steps: what the whole interaction satisfies, however long it goes on; ask renyi_plan_epsilon about it. What
// renyi_plan_epsilon says about the history is the cost if its steps had been fixed in advance, and no bound for steps
// that were chosen on the way. Both return NULL on failure. Free the plans by renyi_plan_free.
RENYI_C_API renyi_plan* renyi_filter_history(const renyi_filter* filter, renyi_error* error);
RENYI_C_API renyi_plan* renyi_filter_guarantee(const renyi_filter* filter, renyi_error* error);

// ---- Ledgers: budgets that outlive the process, in a file or a database (docs/guide/ledger.md)

// Everything that is accepted is on the disk when a call returns.
//
//     renyi_ledger* ledger = renyi_ledger_open("clinic.ledger", NULL, NULL);
//     const renyi_charge charge = {"clinic/2026-11", step, 1, NULL, 0};
//     renyi_receipt ticket, opened, committed;
//     if (renyi_ledger_reserve(ledger, &charge, 3600, NULL, &ticket, NULL) == RENYI_OK && ticket.accepted &&
//         renyi_ledger_open_ticket(ledger, ticket.ticket, ticket.secret, NULL, &opened, NULL) == RENYI_OK &&
//         opened.accepted && !opened.repeated) {
//       publish_something();  // only here may data be read and noise be drawn
//       renyi_ledger_commit(ledger, ticket.ticket, NULL, 0, NULL, &committed, NULL);
//     }
//     renyi_ledger_free(ledger);
//
// A process that was forked opens the ledger again.
typedef struct renyi_ledger renyi_ledger;

// Steps that are to be paid for.
typedef struct renyi_charge {
  const char* scope;
  const renyi_plan* steps;  // under the relation of the scope
  int64_t count;            // how often they run
  const char* const* blocks;
  size_t blocks_size;  // 0: everything is read, or the scope has no blocks
} renyi_charge;

// Part of every call that writes; NULL instead of it is a call without any of them. The same key with the same content
// gives the stored answer again; with another content it is RENYI_INVALID_ARGUMENT.
typedef struct renyi_ledger_call {
  const char* key;  // NULL: a random one is made
  const char* person;
  const char* comment;
} renyi_ledger_call;

// The entry of the log that records a call. A refusal is an answer, not a failure: the status is RENYI_OK and
// `accepted` is 0; it is recorded and changes nothing else. After a failure everything is 0 or empty.
typedef struct renyi_receipt {
  int accepted;
  int repeated;  // 1: the stored answer to the same call before. What it paid for may have run: do not run it again
  int64_t entry;
  int64_t ticket;         // 0 if there is none
  int64_t fitting_count;  // in a refusal: how many such steps would have been accepted; -1 if it is not known
  renyi_fit fit;          // in a refusal: the change with which one step would have been accepted
  char hash[72];          // SHA-256 of the entry, in hexadecimal digits
  char time[32];          // UTC, "2026-11-17T12:00:00.000Z"
  char state[16];         // that of the ticket: "reserved", "opened", "committed", "cancelled", "expired" or empty
  char secret[72];        // a reservation is opened with it
  char expires[32];       // when a reservation goes back that was not opened
  char refused_by[208];   // the scope that refused
  char reason[512];       // why
} renyi_receipt;

// renyi_ledger_create makes a new ledger, and renyi_ledger_open opens one: a path, or "postgresql://...". `witness` is
// a second file or database that learns of each entry before it is acknowledged, or NULL; it is given at creation, and
// afterwards only to say where it is now. Both return NULL on failure. Free the ledger by renyi_ledger_free.
RENYI_C_API renyi_ledger* renyi_ledger_create(const char* location, const char* witness, renyi_error* error);
RENYI_C_API renyi_ledger* renyi_ledger_open(const char* location, const char* witness, renyi_error* error);

// Closes a ledger. NULL is allowed.
RENYI_C_API void renyi_ledger_free(renyi_ledger* ledger);

// Adds a scope, a budget for everything that is charged to it and to the scopes within it ("clinic/2026-11" lies in
// "clinic"). `budget` and `cap` are JSON as in renyi_filter_new; `cap`, the largest budget that may be set later, may
// be NULL. With neighbors NULL and unit 0 the relation is that of the parent.
RENYI_C_API renyi_status renyi_ledger_add_scope(renyi_ledger* ledger, const char* name, const char* budget,
                                                const char* cap, const char* neighbors, int64_t unit,
                                                const renyi_ledger_call* call, renyi_receipt* out,
                                                renyi_error* error) RENYI_C_MUST_READ;

// Tells what renyi_ledger_charge would answer now. Nothing is recorded.
RENYI_C_API renyi_status renyi_ledger_may_run(const renyi_ledger* ledger, const renyi_charge* charge,
                                              renyi_receipt* out, renyi_error* error) RENYI_C_MUST_READ;

// Charges the steps to the scope and to all that it lies in. Run them only if the status is RENYI_OK, out->accepted is
// 1 and out->repeated is 0.
RENYI_C_API renyi_status renyi_ledger_charge(renyi_ledger* ledger, const renyi_charge* charge,
                                             const renyi_ledger_call* call, renyi_receipt* out,
                                             renyi_error* error) RENYI_C_MUST_READ;

// Reserves the budget for steps that run later. What is not opened after `expires_in` seconds goes back.
RENYI_C_API renyi_status renyi_ledger_reserve(renyi_ledger* ledger, const renyi_charge* charge, int64_t expires_in,
                                              const renyi_ledger_call* call, renyi_receipt* out,
                                              renyi_error* error) RENYI_C_MUST_READ;

// Opens a reserved ticket by its secret, once. Touch data and noise only if the status is RENYI_OK, out->accepted is 1
// and out->repeated is 0. What was opened stays spent.
RENYI_C_API renyi_status renyi_ledger_open_ticket(renyi_ledger* ledger, int64_t ticket, const char* secret,
                                                  const renyi_ledger_call* call, renyi_receipt* out,
                                                  renyi_error* error) RENYI_C_MUST_READ;

// Commits an opened ticket. `output`, `size` bytes that are published, is stored, so that a release that is tried again
// can return it; NULL with size 0 stores nothing.
RENYI_C_API renyi_status renyi_ledger_commit(renyi_ledger* ledger, int64_t ticket, const void* output, size_t size,
                                             const renyi_ledger_call* call, renyi_receipt* out,
                                             renyi_error* error) RENYI_C_MUST_READ;

// Gives a reserved ticket back, if it was not opened and the scope allows it.
RENYI_C_API renyi_status renyi_ledger_cancel(renyi_ledger* ledger, int64_t ticket, const renyi_ledger_call* call,
                                             renyi_receipt* out, renyi_error* error) RENYI_C_MUST_READ;

// Returns the stored output of a committed ticket, with a NUL behind it, and its number of bytes in *size. NULL if
// there is none, or on failure. Free it by renyi_free.
RENYI_C_API char* renyi_ledger_output(const renyi_ledger* ledger, int64_t ticket, size_t* size, renyi_error* error);

// Writes the balances of a scope, as renyi_filter_remaining does.
RENYI_C_API renyi_status renyi_ledger_remaining(const renyi_ledger* ledger, const char* scope, renyi_balance* out,
                                                size_t size, size_t* quantities, renyi_error* error);

// ---- Noise that may be published: drawn exactly from the law that was accounted for (docs/guide/noise.md)
//
// Every function reads `size` values from `values` and writes as many to `out`, which may be the same memory. Values
// never cause a failure: they are clamped to a public range, NaN counts as 0, and sums saturate. Parameters that are
// not allowed, and a system that gives no random bits, are failures; then nothing is written to `out`.

// What a call drew, and what to account for. After a failure nothing was drawn: `draws` is 0 and the texts are empty.
typedef struct renyi_release {
  uint64_t draws;
  double timing_delta;      // an upper bound on the probability that the time of the call depended on what was drawn
  double grid;              // Gaussian and Laplace noise: results are multiples of it; otherwise 0
  double range;             // Gaussian and Laplace noise: values were clamped to [-range, range]; otherwise 0
  double effective_stddev;  // Gaussian and Laplace noise: upper bound, rounding included; otherwise 0
  char mechanism[32];       // the kind of the mechanism in plans; empty where nothing is to be accounted for
  char step[256];           // the step of a plan file, as JSON; empty where nothing is to be accounted for
} renyi_release;

// How real numbers are rounded and limited. 0 chooses, and NULL instead of the options chooses everything.
typedef struct renyi_on_grid {
  double grid;         // a power of two; 0: at most 2^-20 of the scale, coarser if floats need it
  double range;        // values are clamped to [-range, range]; 0: as far as the results are exact
  double sensitivity;  // only for the step to account for: L2 of Gaussian noise, L1 of Laplace noise; 0: 1
} renyi_on_grid;

// How scores are limited. 0 chooses, and NULL instead of the options chooses everything.
typedef struct renyi_scores {
  double sensitivity;  // how far one record moves any score; 0: 1
  double range;        // scores are clamped to [-range, range]; 0: 2^40
  int monotonic;       // not 0: one record moves all scores the same way, or not at all
} renyi_scores;

// Adds Gaussian or Laplace noise to real numbers; the results are rounded to the grid.
RENYI_C_API renyi_status renyi_noise_gaussian(const double* values, size_t size, double* out, double stddev,
                                              const renyi_on_grid* options, renyi_release* release,
                                              renyi_error* error) RENYI_C_MUST_READ;
RENYI_C_API renyi_status renyi_noise_gaussian_float(const float* values, size_t size, float* out, double stddev,
                                                    const renyi_on_grid* options, renyi_release* release,
                                                    renyi_error* error) RENYI_C_MUST_READ;
RENYI_C_API renyi_status renyi_noise_laplace(const double* values, size_t size, double* out, double scale,
                                             const renyi_on_grid* options, renyi_release* release,
                                             renyi_error* error) RENYI_C_MUST_READ;
RENYI_C_API renyi_status renyi_noise_laplace_float(const float* values, size_t size, float* out, double scale,
                                                   const renyi_on_grid* options, renyi_release* release,
                                                   renyi_error* error) RENYI_C_MUST_READ;

// Adds noise to whole numbers. `sensitivity`, a whole number, is only for the step to account for: how far one record
// moves a value. If it moves up to k of them, account for k such steps.
RENYI_C_API renyi_status renyi_noise_discrete_gaussian(const int64_t* values, size_t size, int64_t* out, double stddev,
                                                       double sensitivity, renyi_release* release,
                                                       renyi_error* error) RENYI_C_MUST_READ;
RENYI_C_API renyi_status renyi_noise_discrete_laplace(const int64_t* values, size_t size, int64_t* out, double scale,
                                                      double sensitivity, renyi_release* release,
                                                      renyi_error* error) RENYI_C_MUST_READ;
RENYI_C_API renyi_status renyi_noise_skellam(const int64_t* values, size_t size, int64_t* out, double variance,
                                             double sensitivity, renyi_release* release,
                                             renyi_error* error) RENYI_C_MUST_READ;

// Keeps each value in 0, ..., categories - 1 with the probability of truth, or replaces it by another category.
RENYI_C_API renyi_status renyi_noise_randomized_response(const int64_t* values, size_t size, int64_t* out,
                                                         double truth_probability, int64_t categories,
                                                         renyi_release* release, renyi_error* error) RENYI_C_MUST_READ;

// Draws whole numbers k >= 0 with masses proportional to exp(-k/scale); coins that are 1 with the probability, exactly;
// coins that are 1 with probability exp(-exponent).
RENYI_C_API renyi_status renyi_noise_geometric(int64_t* out, size_t size, double scale, renyi_release* release,
                                               renyi_error* error) RENYI_C_MUST_READ;
RENYI_C_API renyi_status renyi_noise_bernoulli(uint8_t* out, size_t size, double probability, renyi_release* release,
                                               renyi_error* error) RENYI_C_MUST_READ;
RENYI_C_API renyi_status renyi_noise_bernoulli_exp(uint8_t* out, size_t size, double exponent, renyi_release* release,
                                                   renyi_error* error) RENYI_C_MUST_READ;

// Chooses one of `size` scores, and writes its index to *out, or SIZE_MAX after a failure.
RENYI_C_API renyi_status renyi_noise_exponential(const double* scores, size_t size, double epsilon,
                                                 const renyi_scores* options, size_t* out, renyi_release* release,
                                                 renyi_error* error) RENYI_C_MUST_READ;
RENYI_C_API renyi_status renyi_noise_permute_and_flip(const double* scores, size_t size, double epsilon,
                                                      const renyi_scores* options, size_t* out, renyi_release* release,
                                                      renyi_error* error) RENYI_C_MUST_READ;
RENYI_C_API renyi_status renyi_noise_report_noisy_max(const double* scores, size_t size, double score_scale,
                                                      const renyi_scores* options, size_t* out, renyi_release* release,
                                                      renyi_error* error) RENYI_C_MUST_READ;

// Samples of `size` records: 1 for each record in the sample; for each record one of `steps` steps, from 0; a uniform
// permutation of 0, ..., size - 1.
RENYI_C_API renyi_status renyi_noise_poisson_sample(uint8_t* out, size_t size, double sampling_rate,
                                                    renyi_release* release, renyi_error* error) RENYI_C_MUST_READ;
RENYI_C_API renyi_status renyi_noise_fixed_size_sample(uint8_t* out, size_t size, uint64_t sample_size,
                                                       renyi_release* release, renyi_error* error) RENYI_C_MUST_READ;
RENYI_C_API renyi_status renyi_noise_random_allocation(uint64_t* out, size_t size, uint64_t steps,
                                                       renyi_release* release, renyi_error* error) RENYI_C_MUST_READ;
RENYI_C_API renyi_status renyi_noise_shuffle(uint64_t* out, size_t size, renyi_release* release,
                                             renyi_error* error) RENYI_C_MUST_READ;

#ifdef __cplusplus
}
#endif
