#include "exact/profile_cache.h"

#include <algorithm>
#include <cmath>

#include "conversion/renyi_bound.h"
#include "exact/engine.h"

namespace renyi::exact {

namespace profile_cache_file {
namespace {

// The largest number of cached laws. Each may take some 30 MB.
constexpr std::size_t most_entries = 8;
// An answer that is at most this many times as wide as where the law was composed does not justify composing another
// law.
constexpr double tolerated = 3;

}  // namespace
}  // namespace profile_cache_file

std::optional<ExactInterval> ProfileCache::delta(Direction direction, double epsilon, double tolerance) const {
  const std::lock_guard lock(mutex_);
  for (const Entry& entry : entries_) {
    if (entry.direction != direction) continue;
    const Interval ends = entry.law->at(epsilon);
    const double width = ends.lower > 0 ? std::log(ends.upper / ends.lower) : HUGE_VAL;
    if (!(ends.lower <= ends.upper) || !(width <= std::max(tolerance, profile_cache_file::tolerated * entry.width)))
      continue;
    return ExactInterval{{ends.lower, ends.upper}, Engine::lattice, width > tolerance};
  }
  return std::nullopt;
}

RenyiBound ProfileCache::renyi_epsilon(const Curve& curve, double delta) {
  if (const std::lock_guard lock(mutex_); epsilon_ && epsilon_->at == delta) return epsilon_->bound;
  const RenyiBound bound = renyi::renyi_epsilon(curve, delta);
  const std::lock_guard lock(mutex_);
  epsilon_ = {delta, bound};
  return bound;
}

RenyiBound ProfileCache::renyi_delta(const Curve& curve, double epsilon) {
  if (const std::lock_guard lock(mutex_); delta_ && delta_->at == epsilon) return delta_->bound;
  const RenyiBound bound = renyi::renyi_delta(curve, epsilon);
  const std::lock_guard lock(mutex_);
  delta_ = {epsilon, bound};
  return bound;
}

std::shared_ptr<const std::optional<Profile>> ProfileCache::closed_form(const std::vector<CountedMechanism>& steps,
                                                                        Direction direction) {
  auto& kept = closed_forms_[static_cast<std::size_t>(direction)];
  if (const std::lock_guard lock(mutex_); kept) return kept;
  auto profile = std::make_shared<const std::optional<Profile>>(closed_form_profile(steps, direction));
  const std::lock_guard lock(mutex_);
  return kept = std::move(profile);
}

void ProfileCache::keep(Direction direction, std::shared_ptr<const lattice::DeltaLaw> law, double width) {
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= profile_cache_file::most_entries) entries_.erase(entries_.begin());
  entries_.push_back({direction, std::move(law), width});
}

}  // namespace renyi::exact
