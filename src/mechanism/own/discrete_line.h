// The curve of a discrete loss on a vertical line: a sum over its tilted atoms.
#pragma once

#include <vector>

#include "mechanism/own/discrete_curve.h"
#include "mechanism/pointwise_line.h"

namespace renyi::mechanism {

class DiscreteLine final : public PointwiseLine {
 public:
  DiscreteLine(const DiscreteCurve& curve, double c, Direction direction);

  ComplexLogMoment log_phi(double y) const override;
  double cost(double) const override { return 14 * static_cast<double>(atoms_.size()); }

 private:
  struct Tilted {
    double loss;
    double loss_error;
    double weight;
    double relative;  // error of the weight
  };
  std::vector<Tilted> atoms_;
};

}  // namespace renyi::mechanism
