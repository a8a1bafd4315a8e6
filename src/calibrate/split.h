// Several unknown noise parameters that share one budget, as functions of one number
// (docs/math/calibration.md, "Several unknowns").
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "calibrate/plan_with_unknown.h"
#include "renyi/calibrate.h"

namespace renyi::calibrate_detail {

class SplitNoise {
 public:
  // Throws InvalidArgument or Unsupported. The plan must outlive it.
  SplitNoise(const Plan& plan, const std::vector<Unknown>& unknowns, const Split& split);
  SplitNoise(const SplitNoise&) = delete;
  SplitNoise& operator=(const SplitNoise&) = delete;
  ~SplitNoise();

  // Returns the common size t of the noise as the unknown. Every value rises with t. This must outlive it.
  OpenNumber open() const;
  // Returns the values for the common size t; rounded up if there are digits.
  std::vector<SplitValue> values_at(double t, std::optional<int> digits) const;

 private:
  struct Noise;
  const Plan& plan_;
  std::vector<Noise> noises_;
};

// Returns the plan with these values inserted.
Plan plan_with_values(const Plan& plan, const std::vector<Unknown>& unknowns, const std::vector<double>& values);

}  // namespace renyi::calibrate_detail
