#include "calibrate/run_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "plan/step_names.h"
#include "renyi/error.h"

namespace renyi::calibrate_detail {

namespace run_sizes_file {
namespace {

constexpr std::string_view rate_name = "sampling_rate";

bool has_parameter(const Mechanism& mechanism, std::string_view name) {
  const auto all = mechanism.parameters();
  return std::any_of(all.begin(), all.end(), [&](const Parameter& parameter) { return parameter.name == name; });
}

// Returns the name that a number of the sampling has in the step: sampled-gaussian has its rate as a parameter.
std::string name_in_step(const Mechanism& mechanism, std::string_view number) {
  if (number == "rate" && mechanism.sampling() == nullptr && has_parameter(mechanism, rate_name)) {
    return std::string(rate_name);
  }
  return fmt::format("sampling.{}", number);
}

const Mechanism& mechanism_in(const Step& step) {
  if (const auto* mechanism = std::get_if<Mechanism>(&step.what)) return *mechanism;
  throw InvalidArgument("path", "a group", "indices that lead to the step of the run");
}

// Returns the step of the run with this batch size.
Step with_batch(const Step& step, RunSizes sizes, std::int64_t batch_size) {
  sizes.batch_size = batch_size;
  const ResolvedRun parts = resolved_run(sizes);
  Mechanism mechanism = mechanism_in(step);
  for (const SchemeNumber& number : parts.numbers) {
    const double value = number.whole ? static_cast<double>(*number.whole) : *number.rate;
    mechanism = mechanism.with(name_in_step(mechanism, number.name), value);
  }
  return plan::with_count(plan::with_what(step, std::move(mechanism)), *parts.count);
}

// The largest batch of which A fit into the dataset.
std::int64_t largest_batch(const RunSizes& sizes) { return *sizes.dataset_size / sizes.accumulation.value_or(1); }

// Batch sizes by the number of steps that they make. The number of steps falls as the batch size grows, and on the
// batch sizes that make the same number of steps the cost rises.
class BatchSizes {
 public:
  BatchSizes(const RunSizes& sizes, const SettingCost& cost, const SearchAxis& axis)
      : sizes_(sizes), cost_(cost), axis_(axis), largest_(axis.at(axis.highest()).count) {}

  bool is_private(std::int64_t batch) const {
    const Setting setting = of_whole(batch);
    const Probe there = cost_.probe(setting, axis_.coordinate_of(setting));
    return there.is_supported() && there.is_private;
  }
  std::int64_t largest() const { return largest_; }

  // Returns the smallest batch size that makes fewer steps than this one; `largest() + 1` if there is none.
  std::int64_t with_fewer_steps(std::int64_t batch) const {
    const std::int64_t steps = steps_of(batch);
    if (steps_of(largest_) == steps) return largest_ + 1;
    return first(batch, largest_, [&](std::int64_t each) { return steps_of(each) < steps; });
  }

  // Returns the last private batch size from this private one on that makes the same number of steps.
  std::int64_t last_private(std::int64_t batch) const {
    const std::int64_t end = with_fewer_steps(batch) - 1;
    if (is_private(end)) return end;
    return first(batch, end, [&](std::int64_t each) { return !is_private(each); }) - 1;
  }

 private:
  std::int64_t steps_of(std::int64_t batch) const {
    return steps_from_epochs(*sizes_.epochs, *sizes_.dataset_size, batch * sizes_.accumulation.value_or(1));
  }

  // Returns the first number above `low`, where the condition fails, that meets it; it holds at `high`.
  template <class Condition>
  static std::int64_t first(std::int64_t low, std::int64_t high, const Condition& condition) {
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (condition(middle) ? high : low) = middle;
    }
    return high;
  }

  const RunSizes& sizes_;
  const SettingCost& cost_;
  const SearchAxis& axis_;
  std::int64_t largest_;
};

// Continues from a private batch size to larger ones. The rounding of the number of steps changes the cost by about one
// part in twice that number, as much as a batch size of the next one or two numbers of steps does.
std::int64_t continued(const BatchSizes& batches, std::int64_t found) {
  constexpr int looked_at = 16;
  std::int64_t next = found;
  for (int i = 0; i < looked_at; ++i) {
    next = batches.with_fewer_steps(next);
    if (next > batches.largest()) break;
    if (!batches.is_private(next)) continue;
    found = next = batches.last_private(next);
    i = -1;
  }
  return found;
}

// Searches from powers of 2 if the smallest batch is too costly: at tiny deltas many small batches may cost more than a
// few large ones.
SearchResult from_any_start(const SettingCost& cost, const SearchAxis& axis, const BatchSizes& batches,
                            const Start& start) {
  try {
    return search(cost, axis, start);
  } catch (const Unsupported& error) {
    if (error.path() != "epsilon") throw;  // it is not the target that is out of reach
    for (std::int64_t batch = 2; batch < batches.largest() / 2; batch *= 2) {
      if (batches.is_private(batch)) return search(cost, axis, {of_whole(batch)});
    }
    // With epochs given the cost is not monotone, so this does not prove that there is none.
    throw Unsupported(
        error.path(),
        "no batch size was found that meets the target: 1 and larger powers of 2 exceed it, and others were "
        "not tried",
        error.instead());
  }
}

}  // namespace
}  // namespace run_sizes_file

OpenNumber open_batch_size(const Plan& plan, const Unknown& unknown) {
  const RunSizes& sizes = *unknown.sizes;
  static_cast<void>(resolved_run(sizes, UnknownSize::batch_size));
  const Parameter number{.name = "batch_size",
                         .meaning = "records of a batch",
                         .lowest = 1,
                         .highest = static_cast<double>(run_sizes_file::largest_batch(sizes)),
                         .whole = true,
                         .effect = Effect::raises_cost};
  if (number.highest < 1) {
    throw InvalidArgument("accumulation", fmt::format("{}", *sizes.accumulation),
                          fmt::format("at most the {} records of \"dataset_size\"", *sizes.dataset_size));
  }
  return {.number = number, .held = of_whole(1), .steps_with = [&plan, &unknown](const Setting& setting) {
            return changed(plan.steps(), unknown.path, [&](const Step& step) {
              return run_sizes_file::with_batch(step, *unknown.sizes, setting.count);
            });
          }};
}

bool steps_follow_from_batch(const RunSizes& sizes) { return sizes.epochs && !sizes.steps; }

SearchResult last_batch_size(const RunSizes& sizes, const SettingCost& cost, const SearchAxis& axis,
                             const Start& start) {
  if (!steps_follow_from_batch(sizes)) return search(cost, axis, start);
  const run_sizes_file::BatchSizes batches(sizes, cost, axis);
  if (batches.is_private(batches.largest())) return {of_whole(batches.largest())};
  SearchResult found = run_sizes_file::from_any_start(cost, axis, batches, start);
  const std::int64_t last = run_sizes_file::continued(batches, found.setting.count);
  if (last == found.setting.count) return found;
  return {.setting = of_whole(last), .unspent = found.unspent};
}

EpochRule epoch_rule(const RunSizes& sizes) {
  const ResolvedRun parts = resolved_run(sizes, UnknownSize::epochs);
  if (parts.scheme && is_by_epoch(*parts.scheme)) return {};
  return {*sizes.dataset_size, *sizes.batch_size * sizes.accumulation.value_or(1)};
}

}  // namespace renyi::calibrate_detail

namespace renyi {

Unknown unknown_of(const ResolvedRun& run, const Plan& plan) {
  const UnknownSize size = *run.unknown;
  if (size == UnknownSize::steps) return {{0}, "count"};
  if (size == UnknownSize::epochs || size == UnknownSize::batch_size) {
    return {{0}, std::string(to_string(size)), run.sizes};
  }
  const std::string_view number = size == UnknownSize::sampling_rate ? "rate" : to_string(size);
  const Step& step = plan.steps().front();
  return {{0}, calibrate_detail::run_sizes_file::name_in_step(std::get<Mechanism>(step.what), number)};
}

}  // namespace renyi
