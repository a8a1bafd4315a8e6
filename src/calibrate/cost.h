// An accountant seen as a function of the unknown.
#pragma once

#include <cstdint>
#include <vector>

#include "calibrate/unknown_step.h"
#include "renyi/calibrate.h"
#include "renyi/error.h"

namespace renyi::calibrate_detail {

// A value tried: a parameter's, or a count.
struct Setting {
  double value = 0;
  std::int64_t count = 0;  // when the unknown is a count; then value is the same, rounded

  friend bool operator==(const Setting&, const Setting&) = default;
};
Setting of_value(double value);
Setting of_count(std::int64_t count);

// ln(cost / target) without its infinities; a cost or a target of 0 has a side only. Nearly linear in ln(value).
double log_ratio(double cost, double target);

class Cost {
 public:
  Cost(const UnknownStep& step, const Target& target) : step_(step), target_(target) {}
  Cost(const Cost&) = delete;
  Cost& operator=(const Cost&) = delete;
  virtual ~Cost() = default;

  // What is reported; an upper bound.
  virtual double epsilon(const Setting& setting) const = 0;

  // Proves the target.
  bool within(const Setting& setting) const { return epsilon(setting) <= target_.epsilon; }
  Unsupported unreachable(const Setting& best) const;

  const UnknownStep& step() const { return step_; }
  const Target& target() const { return target_; }

 private:
  const UnknownStep& step_;
  const Target& target_;
};

class RenyiCost final : public Cost {
 public:
  RenyiCost(const UnknownStep& step, const Target& target, const ConversionOptions& options)
      : Cost(step, target), options_(options) {}

  double epsilon(const Setting& setting) const override;
  EpsilonBound bound(const Setting& setting) const;

 private:
  const ConversionOptions& options_;
};

class ExactCost final : public Cost {
 public:
  ExactCost(const UnknownStep& step, const Target& target, const ExactOptions& options)
      : Cost(step, target), options_(options) {}

  // Infinite where no engine converges: nothing is proved there.
  double epsilon(const Setting& setting) const override;
  // Asked once for each setting: what proved the target is also what is reported.
  ExactAnswer answer(const Setting& setting) const;
  ExactAnswer delta_at_target(const Setting& setting) const;
  double tolerance() const { return options_.tolerance; }

 private:
  struct Asked {
    Setting setting;
    ExactAnswer answer;
  };
  const ExactOptions& options_;
  mutable std::vector<Asked> asked_;  // few; one thread searches
};

}  // namespace renyi::calibrate_detail
