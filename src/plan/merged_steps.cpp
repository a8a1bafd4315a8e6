#include "plan/merged_steps.h"

#include <fmt/format.h>

#include <functional>
#include <string_view>

#include "renyi/error.h"

namespace renyi::plan {

namespace merged_steps_file {
namespace {

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  throw InvalidArgument("count", "a total of all steps above 2^63-1", "totals from 1 to 2^63-1");
}

void mix(std::size_t& seed, std::size_t value) { seed ^= value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2); }

}  // namespace
}  // namespace merged_steps_file

std::size_t MechanismHash::operator()(const Mechanism& mechanism) const {
  std::size_t seed = std::hash<std::string_view>{}(mechanism.kind());
  merged_steps_file::mix(seed, std::hash<const void*>{}(mechanism.identity()));
  for (const double value : mechanism.key()) merged_steps_file::mix(seed, std::hash<double>{}(value));
  return seed;
}

void MergedSteps::check_total(const std::vector<CountedMechanism>& more) const {
  std::int64_t total = total_;
  for (const CountedMechanism& step : more) total = merged_steps_file::sum(total, step.count);
}

// The total number of steps is checked, which bounds the count of equal steps.
void MergedSteps::add(const std::vector<CountedMechanism>& distinct) {
  std::int64_t total = total_;
  for (const CountedMechanism& step : distinct) total = merged_steps_file::sum(total, step.count);
  // Everything that may throw comes first; looking up a mechanism may.
  struct Again {
    std::size_t index;
    std::int64_t count;
  };
  std::vector<Again> again;
  std::unordered_map<Mechanism, std::size_t, MechanismHash> fresh;
  std::vector<CountedMechanism> added;
  for (const CountedMechanism& step : distinct) {
    if (const auto found = where_.find(step.mechanism); found != where_.end()) {
      again.push_back({found->second, step.count});
    } else {
      fresh.emplace(step.mechanism, list_.size() + added.size());
      added.push_back(step);
    }
  }
  const std::size_t size = list_.size() + added.size();
  if (static_cast<double>(size) > static_cast<double>(where_.bucket_count()) * where_.max_load_factor()) {
    where_.reserve(2 * size);
  }
  if (size > list_.capacity()) list_.reserve(2 * size);
  for (const Again& step : again) list_[step.index].count += step.count;
  for (CountedMechanism& step : added) list_.push_back(std::move(step));
  where_.merge(fresh);
  total_ = total;
}

std::optional<std::size_t> MergedSteps::find(const Mechanism& mechanism) const {
  const auto found = where_.find(mechanism);
  return found == where_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<CountedMechanism> repeated(const Plan& plan, std::int64_t count) {
  if (count < 1) throw InvalidArgument("count", fmt::format("{}", count), "an integer from 1 to 2^63-1");
  Plan outer(plan.neighbors(), plan.unit());
  for (CountedMechanism& step : plan.merged()) outer.add(Steps{Step{std::move(step.mechanism), step.count}}, count);
  return outer.merged();
}

}  // namespace renyi::plan
