// The steps that a filter is designed for, repeated any number of times.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "renyi/filter.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::filter {

class Workload {
 public:
  // Throws InvalidArgument if the plan has no steps.
  explicit Workload(const Plan& plan);

  // The workload is one step that runs several times. Then one run of it is a repetition, else the whole plan is.
  bool counts_steps() const noexcept { return step_.has_value(); }
  // How many repetitions the plan consists of.
  std::int64_t expected() const noexcept { return expected_; }
  // The largest number of repetitions that a plan may have.
  std::int64_t most() const noexcept { return most_; }
  const Plan& once() const noexcept { return once_; }
  const Curve& curve() const noexcept { return *curve_; }
  bool has_infinite_mass() const { return curve_->finite_part() != nullptr; }

  Plan repeated(std::int64_t count) const;
  // The Renyi bound of so many repetitions.
  RenyiBound renyi(std::int64_t count, double delta) const;
  // How many repetitions the filter admits.
  std::int64_t admitted_by(const Filter& filter) const;

 private:
  std::optional<Mechanism> step_;
  std::int64_t expected_ = 1;
  std::int64_t most_ = 1;
  Plan once_;
  std::shared_ptr<const Curve> curve_;  // for one repetition
};

// Returns the largest count in [1, most] that `keeps` accepts, 0 if there is none; it accepts 1 to some largest count.
template <class Keeps>
std::int64_t largest_count(std::int64_t most, const Keeps& keeps) {
  if (most < 1 || !keeps(std::int64_t{1})) return 0;
  std::int64_t good = 1, bad = 0;
  while (bad == 0) {
    if (good == most) return most;
    const std::int64_t next = good > most / 2 ? most : 2 * good;
    (keeps(next) ? good : bad) = next;
  }
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (keeps(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace renyi::filter
