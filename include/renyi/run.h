// A training run as it is told: records, batches and epochs, with the rules that make steps of them, and its warnings.
//
//   const TrainingRun run{.sizes = {.dataset_size = 60000, .batch_size = 256, .epochs = 60},
//                         .mechanism = Gaussian{.stddev = 1.1}};  // a noise multiplier of 1.1
//   const Plan plan = plan_of(run);                               // 14063 steps at the rate 256 / 60000
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

// How much data a run has and how it goes through it. Whatever is not given is left out.
struct RunSizes {
  std::optional<std::int64_t> dataset_size{};  // N, the number of records
  std::optional<std::int64_t> batch_size{};    // B, the records of a batch; of Poisson samples the expected number
  std::optional<std::int64_t> accumulation{};  // A, the batches into which the A * B records of a step are cut
  std::optional<double> epochs{};              // passes over the data, which make the steps where `steps` is not given
  std::optional<std::int64_t> steps{};         // how often the mechanism runs; 1 where no epochs are given
  std::optional<double> sampling_rate{};       // in the place of a batch size, where the scheme has a rate
  std::optional<Scheme> sampling{};            // Poisson by default, where there is a batch size or a rate
  std::optional<std::int64_t> batch_limit{};   // of truncated Poisson sampling

  bool operator==(const RunSizes&) const = default;
};

// The sizes that can be left open, for calibration to find.
enum class UnknownSize { dataset_size, batch_size, batch_limit, sampling_rate, steps };
inline constexpr std::array all_unknown_sizes{UnknownSize::dataset_size, UnknownSize::batch_size,
                                              UnknownSize::batch_limit, UnknownSize::sampling_rate, UnknownSize::steps};

// The name of the member of RunSizes: "dataset_size", "batch_size", "batch_limit", "sampling_rate", "steps".
[[nodiscard]] std::string_view to_string(UnknownSize size) noexcept;

// Whether a run that draws its records by this scheme, or uses all of them, has a number that this size sets by itself.
[[nodiscard]] bool can_be_unknown(UnknownSize size, std::optional<Scheme> scheme);

// One number of a sampling scheme, by its name in `parameters(scheme)`. It is the open one if it has no value.
struct SchemeNumber {
  std::string_view name;
  std::optional<double> rate{};         // of "rate"
  std::optional<std::int64_t> whole{};  // of every other number
};

// The member of RunSizes that says a number of a scheme: "sampling_rate" of "rate", "batch_size" of "batches".
[[nodiscard]] std::string_view size_behind(std::string_view number) noexcept;

// What sizes come to: how each step draws its records and how many steps there are, and the rules that were used.
struct ResolvedRun {
  std::optional<Scheme> scheme{};         // nothing where every step sees all records
  std::vector<SchemeNumber> numbers{};    // those of the scheme, in the order of `parameters(scheme)`
  std::optional<std::int64_t> count = 1;  // of steps, or of epochs where these are shuffled; nothing where it is open
  std::optional<std::int64_t> dataset_size{};
  bool in_epochs = false;    // the run is told in batches and epochs, as one of a data loader is
  std::string rate_rule{};   // "B / N = 256 / 60000"
  std::string batch_rule{};  // "ceil(N / B) = ceil(60000 / 256) = 235 an epoch"
  std::string steps_rule{};  // "ceil(epochs * N / B) = ceil(60 * 60000 / 256) = 14063"

  // The scheme as a value; nothing where every step sees all records. For an open number stands one that goes with the
  // others.
  [[nodiscard]] std::optional<Sampling> sampling() const;
  // The rules as lines: "sampling rate: B / N = 256 / 60000".
  [[nodiscard]] std::vector<std::string> rules() const;
};

// The parts of a run of these sizes, of which `open` is not given and is left open.
//
//   const ResolvedRun parts = resolved_run({.dataset_size = 60000, .batch_size = 256, .epochs = 60});
//   parts.count;         // 14063
//   parts.rules()[1];    // "steps: ceil(epochs * N / B) = ceil(60 * 60000 / 256) = 14063"
//
// Throws InvalidArgument that names the member of RunSizes, its value and what is allowed, in which members of RunSizes
// stand in quotation marks.
[[nodiscard]] ResolvedRun resolved_run(const RunSizes& sizes, std::optional<UnknownSize> open = std::nullopt);

// A run: one mechanism, how often and on what data, and whom it is to protect.
struct TrainingRun {
  RunSizes sizes{};
  Mechanism mechanism;  // of each step; Gaussian{.stddev = z} has the noise multiplier z
  Adjacency adjacency{};
};

// The plan of the run: one step. Gaussian noise of sensitivity 1 on Poisson samples is the mechanism `SampledGaussian`.
// Where the parts leave a number open, the plan has a stand-in, which calibrate (renyi/calibrate.h) does not look at:
// the count, "sampling_rate" of a SampledGaussian, or "sampling.rate", "sampling.batch_size" and so on.
//
//   const Plan plan = plan_of({.sizes = {.dataset_size = 1000, .batch_size = 10, .sampling = Scheme::fixed_size},
//                              .mechanism = Laplace{.scale = 2}});
//
// Throws InvalidArgument as `resolved_run` does, and what Plan::add throws.
[[nodiscard]] Plan plan_of(const TrainingRun& run);
[[nodiscard]] Plan plan_of(const ResolvedRun& parts, const Mechanism& mechanism, const Adjacency& adjacency = {});

enum class RunWarningKind {
  large_delta,      // delta is not below 1/N
  shuffled_loader,  // the run is told in epochs of batches, but is accounted for by samples, which a loader is none of
};
// "large-delta", "shuffled-loader".
[[nodiscard]] std::string_view to_string(RunWarningKind kind) noexcept;

// What a user should know although the answer is right: a kind and a sentence.
struct RunWarning {
  RunWarningKind kind{};
  std::string text{};

  bool operator==(const RunWarning&) const = default;
};

// The warnings about a run of which something was asked at `delta`, or at none.
//
//   warnings_of(resolved_run({.dataset_size = 1000}), 1e-3).front().kind;  // RunWarningKind::large_delta
[[nodiscard]] std::vector<RunWarning> warnings_of(const ResolvedRun& parts, std::optional<double> delta);

// ---- The rules, one by one

// ceil(epochs * dataset_size / batch_size), of epochs as they are written: 0.1 of them, of 1000 records in tens, are 10
// steps. Throws InvalidArgument unless that is 1 to 2^63-1. Both sizes are at least 1.
[[nodiscard]] std::int64_t steps_from_epochs(double epochs, std::int64_t dataset_size, std::int64_t batch_size);

// The batches of one epoch: ceil(dataset_size / batch_size); the last batch may be smaller.
[[nodiscard]] std::int64_t batches_of_epoch(std::int64_t dataset_size, std::int64_t batch_size);

// The rate at which Poisson sampling draws batches of that size on average, to nearest.
[[nodiscard]] double poisson_rate(std::int64_t dataset_size, std::int64_t batch_size);

}  // namespace renyi
