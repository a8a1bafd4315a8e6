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

}  // namespace renyi::filter
