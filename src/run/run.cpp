// Converts a run to a plan, and collects warnings about it.
#include "renyi/run.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "renyi/error.h"

namespace renyi {

namespace run_file {
namespace {

// Returns the name that a size has in a run, where the sampling scheme and the plan use another name.
std::string size_named(std::string_view field) {
  constexpr std::string_view of_sampling = "sampling.";
  if (field.starts_with(of_sampling)) field.remove_prefix(of_sampling.size());
  return std::string(field == "count" ? "steps" : size_behind(field));
}

// Runs `work`, and reports its errors in terms of the sizes of the run.
template <class Work>
auto in_sizes(const Work& work) {
  try {
    return work();
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(size_named(error.path()), error.value(), error.allowed());
  }
}

// Returns true for noise that is specified by its noise multiplier alone.
bool is_plain_noise(const Mechanism& mechanism) {
  const auto noise = mechanism.get_if<Gaussian>();
  return noise && noise->l2_sensitivity == 1;
}

Mechanism sampled(const Mechanism& mechanism, const Sampling& sampling) {
  if (sampling.scheme == Scheme::poisson && is_plain_noise(mechanism)) {
    return SampledGaussian{.sampling_rate = sampling.rate, .noise_multiplier = mechanism.get_if<Gaussian>()->stddev};
  }
  return mechanism.sampled_by(sampling);
}

// Formats a value with six digits and the shortest exponent: "1.66667e-5".
std::string shown(double value) {
  std::string text = fmt::format("{:.6g}", value);
  const auto exponent = text.find("e-0");
  if (exponent != std::string::npos) text.erase(exponent + 2, 1);
  return text;
}

// Publishing one record chosen at random is (0, 1/N)-private.
bool is_large(double delta, double records) { return delta * records >= 1 || delta >= 1 / records; }

}  // namespace
}  // namespace run_file

Plan plan_of(const ResolvedRun& parts, const Mechanism& mechanism, const Adjacency& adjacency) {
  return run_file::in_sizes([&] {
    const std::optional<Sampling> sampling = parts.sampling();
    Plan plan(adjacency.neighbors, adjacency.unit);
    plan.add(sampling ? run_file::sampled(mechanism, *sampling) : mechanism, parts.count.value_or(1));
    return plan;
  });
}

Plan plan_of(const TrainingRun& run) { return plan_of(resolved_run(run.sizes), run.mechanism, run.adjacency); }

std::string_view to_string(RunWarningKind kind) noexcept {
  return kind == RunWarningKind::large_delta ? "large-delta" : "shuffled-loader";
}

std::vector<RunWarning> warnings_of(const ResolvedRun& parts, std::optional<double> delta) {
  std::vector<RunWarning> found;
  if (parts.dataset_size && delta) {
    const auto records = static_cast<double>(*parts.dataset_size);
    if (run_file::is_large(*delta, records)) {
      found.push_back({RunWarningKind::large_delta,
                       fmt::format("delta = {} is not below 1/N = {}: so large a delta allows publishing a record "
                                   "outright; choose one well below 1/N",
                                   run_file::shown(*delta), run_file::shown(1 / records))});
    }
  }
  if (parts.in_epochs && parts.scheme && !is_by_epoch(*parts.scheme)) {
    found.push_back({RunWarningKind::shuffled_loader,
                     "Shuffled loaders differ: this is no bound for them; the sampling \"shuffled\" under the "
                     "neighbors \"zero-out\" gives one."});
  }
  return found;
}

}  // namespace renyi
