// Plans from training runs that are specified by numbers of records, batches and epochs, with warnings about such runs.
//
//     const renyi::TrainingRun run{.sizes = {.dataset_size = 60000, .batch_size = 256, .epochs = 60},
//                                  .mechanism = renyi::Gaussian{.stddev = 1.1}};  // a noise multiplier of 1.1
//     const renyi::Plan plan = renyi::plan_of(run);  // 14063 steps at the rate 256 / 60000
//     const renyi::Cost cost = renyi::epsilon(plan, 1e-5);
//     for (const renyi::RunWarning& warning : renyi::warnings_of(renyi::resolved_run(run.sizes), 1e-5)) {
//       std::cerr << warning.text << "\n";  // for example that a loader that shuffles is not covered
//     }
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/mechanism.h"
#include "renyi/plan.h"
#include "renyi/sampling.h"

namespace renyi {

// How many records a run has and how it draws batches from them. Members that are not set are not specified.
struct RunSizes {
  std::optional<std::int64_t> dataset_size{};  // N, the number of records
  std::optional<std::int64_t> batch_size{};    // B, the records per batch; for Poisson sampling the expected number
  std::optional<std::int64_t> accumulation{};  // A, the number of batches whose A * B records make up one step
  std::optional<double> epochs{};              // passes over the data; they determine the steps if `steps` is not set
  std::optional<std::int64_t> steps{};         // how often the mechanism runs; 1 if neither this nor `epochs` is set
  std::optional<double> sampling_rate{};       // can be given instead of a batch size if the scheme has a rate
  std::optional<Scheme> sampling{};            // if not set: Poisson if there is a batch size or a rate
  std::optional<std::int64_t> batch_limit{};   // the largest batch size in truncated Poisson sampling

  bool operator==(const RunSizes&) const = default;
};

// The sizes that can be unknown, so that calibration (renyi/calibrate.h) solves for them.
enum class UnknownSize { dataset_size, batch_size, batch_limit, sampling_rate, steps, epochs };
inline constexpr std::array all_unknown_sizes{UnknownSize::dataset_size, UnknownSize::batch_size,
                                              UnknownSize::batch_limit,  UnknownSize::sampling_rate,
                                              UnknownSize::steps,        UnknownSize::epochs};

// Returns the name of the member of RunSizes: "dataset_size", "batch_size", "batch_limit", "sampling_rate", "steps" or
// "epochs".
[[nodiscard]] std::string_view to_string(UnknownSize size) noexcept;

// Returns whether this size alone determines a number of a run that draws its records by the given scheme, or that uses
// all records if no scheme is given.
//
//     renyi::can_be_unknown(renyi::UnknownSize::sampling_rate, renyi::Scheme::poisson);  // true
[[nodiscard]] bool can_be_unknown(UnknownSize size, std::optional<Scheme> scheme);

// One parameter of a sampling scheme, with its name in `parameters(scheme)`. If neither value is set, it is unknown.
struct SchemeNumber {
  std::string_view name;
  std::optional<double> rate{};         // the value of "rate"
  std::optional<std::int64_t> whole{};  // the value of every other parameter
};

// Returns the member of RunSizes that specifies a parameter of a scheme: "sampling_rate" for "rate", "batch_size" for
// "batches", and the same name for the others.
[[nodiscard]] std::string_view size_behind(std::string_view number) noexcept;

// The result of `resolved_run`: how each step draws its records, how many steps there are, and the rules by which this
// follows from the sizes.
struct ResolvedRun {
  // The function resolved_run makes it: braces with the sizes of a run are not taken for one.
  ResolvedRun() = default;

  std::optional<Scheme> scheme{};         // not set if every step uses all records
  std::vector<SchemeNumber> numbers{};    // the parameters of the scheme, in the order of `parameters(scheme)`
  std::optional<std::int64_t> count = 1;  // the number of steps, or of epochs if they are shuffled; not set if unknown
  std::optional<std::int64_t> dataset_size{};
  std::optional<UnknownSize> unknown{};  // the size that is solved for, if any
  RunSizes sizes{};                      // the sizes that the run was resolved from
  bool in_epochs = false;                // the run is specified by batches and epochs, as for a data loader
  std::string rate_rule{};               // "B / N = 256 / 60000"
  std::string batch_rule{};              // "ceil(N / B) = ceil(60000 / 256) = 235 an epoch"
  std::string steps_rule{};              // "ceil(epochs * N / B) = ceil(60 * 60000 / 256) = 14063"
  std::string size_rule{};               // that N is taken as public, where batches and the number of records are given

  // Returns the scheme with its parameters, or std::nullopt if every step uses all records. An unknown parameter has a
  // placeholder value that is valid together with the others.
  [[nodiscard]] std::optional<Sampling> sampling() const;
  // Returns the rules as lines of text, for example "sampling rate: B / N = 256 / 60000".
  [[nodiscard]] std::vector<std::string> rules() const;
};

// Computes the sampling scheme and the number of steps from sizes. If `open` is given, this size must not be set in
// `sizes` and is treated as unknown.
//
//     const renyi::ResolvedRun run = renyi::resolved_run({.dataset_size = 60000, .batch_size = 256, .epochs = 60});
//     run.count;       // 14063
//     run.rules()[1];  // "steps: ceil(epochs * N / B) = ceil(60 * 60000 / 256) = 14063"
//
// Throws InvalidArgument that names the member of RunSizes, its value and what is allowed. The message quotes
// the names of members of RunSizes.
[[nodiscard]] ResolvedRun resolved_run(const RunSizes& sizes, std::optional<UnknownSize> open = std::nullopt);

// A training run: one mechanism, the sizes that determine how often it runs and on which records, and the neighbouring
// relation.
struct TrainingRun {
  RunSizes sizes{};
  Mechanism mechanism;  // runs in each step; Gaussian{.stddev = z} has the noise multiplier z
  Adjacency adjacency{};
};

// Makes a plan with one step from a run. Gaussian noise of sensitivity 1 on Poisson samples becomes the mechanism
// `SampledGaussian`. If a number of the resolved run is unknown, the plan contains a placeholder for it, which
// calibrate (renyi/calibrate.h) ignores: in the count, in "sampling_rate" of a SampledGaussian, or in "sampling.rate",
// "sampling.batch_size" and so on.
//
//     const renyi::Plan plan =
//         renyi::plan_of({.sizes = {.dataset_size = 1000, .batch_size = 10, .sampling = renyi::Scheme::fixed_size},
//                         .mechanism = renyi::Laplace{.scale = 2}});
//
// Throws InvalidArgument in the same cases as `resolved_run`, and the exceptions of Plan::add.
[[nodiscard]] Plan plan_of(const TrainingRun& run);
[[nodiscard]] Plan plan_of(const ResolvedRun& parts, const Mechanism& mechanism, const Adjacency& adjacency = {});

// The kinds of warnings about a run.
enum class RunWarningKind {
  large_delta,      // delta is not below 1/N
  shuffled_loader,  // the run is specified by epochs and batches, as for a data loader that shuffles the records, but
                    // it is accounted for with a sampling scheme that such a loader does not implement
};
// Returns "large-delta" or "shuffled-loader".
[[nodiscard]] std::string_view to_string(RunWarningKind kind) noexcept;

// A warning that the user should read although the answer is correct: its kind and a sentence.
struct RunWarning {
  RunWarningKind kind{};
  std::string text{};

  bool operator==(const RunWarning&) const = default;
};

// Returns the warnings about a run, given the delta of the question if it has one.
//
//     renyi::warnings_of(renyi::resolved_run({.dataset_size = 1000}), 1e-3).front().kind;  // large_delta
[[nodiscard]] std::vector<RunWarning> warnings_of(const ResolvedRun& parts, std::optional<double> delta);

// ---- The rules that resolved_run uses

// Returns ceil(epochs * dataset_size / batch_size). `epochs` denotes the shortest decimal number that reads back to it.
// Throws InvalidArgument unless the result is from 1 to 2^63-1. Both sizes must be at least 1.
//
//     renyi::steps_from_epochs(0.1, 1000, 10);  // 10
[[nodiscard]] std::int64_t steps_from_epochs(double epochs, std::int64_t dataset_size, std::int64_t batch_size);

// Returns the largest number of epochs that takes this many steps, steps * batch_size / dataset_size, as the double
// next to it. If no double takes exactly these steps, which may be so beyond 10^15 of them, it takes fewer. All
// arguments must be at least 1.
//
//     renyi::epochs_from_steps(14063, 60000, 256);  // 60.00213333333333
[[nodiscard]] double epochs_from_steps(std::int64_t steps, std::int64_t dataset_size, std::int64_t batch_size);

// Returns the number of batches of one epoch, ceil(dataset_size / batch_size). The last batch may be smaller.
//
//     renyi::batches_of_epoch(60000, 256);  // 235
[[nodiscard]] std::int64_t batches_of_epoch(std::int64_t dataset_size, std::int64_t batch_size);

// Returns the rate at which Poisson sampling draws batches of this size on average, batch_size / dataset_size, rounded
// to the nearest double.
//
//     renyi::poisson_rate(60000, 600);  // 0.01
[[nodiscard]] double poisson_rate(std::int64_t dataset_size, std::int64_t batch_size);

}  // namespace renyi
