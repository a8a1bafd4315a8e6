// The curve of a step known by bounds on its divergence at some orders (docs/math/infinite-loss.md, "Points").
#pragma once

#include <vector>

#include "mechanism/symmetric_curve.h"

namespace renyi::mechanism {

// D_order <= divergence.
struct OrderPoint {
  double order = 2;  // above 1; may be infinite
  double divergence = 0;
};

class PointsCurve final : public SymmetricCurve {
 public:
  // At least one point, all divergences positive and finite.
  explicit PointsCurve(const std::vector<OrderPoint>& points);

  double last_order() const override { return last_order_; }
  Knowledge knowledge() const override { return Knowledge::orders; }
  Growth growth() const override;

 private:
  // A bound on K at z = order - 1.
  struct Vertex {
    double z = 0;
    double k = 0;
  };
  struct Line {
    Vertex from;
    double slope = 0;
  };

  void add(const Vertex& vertex);
  Line segment_at(double z) const;
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override { return {most_, 0}; }

  std::vector<Vertex> vertices_{{}};  // of the lower convex hull, from (0, 0) on
  double most_;                       // the divergence of order infinity
  double last_order_;
};

}  // namespace renyi::mechanism
