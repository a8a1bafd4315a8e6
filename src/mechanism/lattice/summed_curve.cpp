#include "mechanism/lattice/summed_curve.h"

#include <cmath>
#include <limits>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::mechanism {

namespace {

using numerics::unit_roundoff;

constexpr double infinity = std::numeric_limits<double>::infinity();
// What the integers between the nodes, and beyond them, may add, in units of rounding.
constexpr double left_out_ulps = 4;
// The same beside 1, for complex moments.
constexpr double left_out_mass = 1e-30;

LogMoment widened(LogMoment k) {
  k.error += left_out_ulps * unit_roundoff * k.value;
  k.slope_error += left_out_ulps * unit_roundoff * k.slope;
  return k;
}

// The line of a finite pair, which it keeps; nothing is said of its decay, because atoms on a lattice have none.
class NodeLine final : public VerticalLine {
 public:
  NodeLine(std::shared_ptr<const DiscreteCurve> pair, double c, Direction direction)
      : pair_(std::move(pair)), line_(pair_->line(c, direction)) {}

  ComplexLogMoment log_phi(double y) const override {
    ComplexLogMoment phi = line_->log_phi(y);
    phi.error += left_out_mass;
    if (std::isinf(phi.error)) phi.value += unit_roundoff;
    return phi;
  }
  double cost(double y) const override { return line_->cost(y); }

 private:
  std::shared_ptr<const DiscreteCurve> pair_;
  std::unique_ptr<const VerticalLine> line_;
};

// Too many integers for points off the axis.
class HiddenLine final : public VerticalLine {
 public:
  ComplexLogMoment log_phi(double y) const override { return {{0, 0}, y == 0 ? 0 : infinity}; }
};

}  // namespace

const DiscreteCurve& SummedCurve::list() const {
  std::call_once(listed_, [this] { list_ = whole(); });
  return *list_;
}

const std::vector<LossAtom>& SummedCurve::atoms(Direction direction) const { return list().atoms(direction); }

LeftOut SummedCurve::left_out(Direction) const { return {log_missing(), log_missing()}; }

Bounded SummedCurve::hockey_stick(double epsilon, Direction direction) const {
  return listed_hockey_stick(*this, epsilon, direction);
}

LogMoment SummedCurve::real_at(double z, Direction direction) const {
  return widened(near(z, true)->log_moment(z, direction));
}

LogMoment SummedCurve::worst_at(double z) const { return widened(near(z, true)->worst_log_moment(z)); }

ComplexLogMoment SummedCurve::complex_at(std::complex<double> z, Direction direction) const {
  if (!is_listed()) throw NotConverged("the moment of noise on the integers at a complex point");
  ComplexLogMoment k = near(z.real(), false)->log_moment(z, direction);
  k.error += left_out_ulps * unit_roundoff * std::abs(k.value);
  return k;
}

Bounded SummedCurve::chernoff_at(double a, Direction direction) const {
  Bounded c = near(0, true)->chernoff(a, direction);
  c.error += left_out_ulps * unit_roundoff * c.value;
  return c;
}

Cumulants SummedCurve::cumulants_at(Direction direction) const { return near(0, true)->cumulants(direction); }

std::unique_ptr<const VerticalLine> SummedCurve::line_at(double c, Direction direction) const {
  if (!is_listed()) return std::make_unique<HiddenLine>();
  return std::make_unique<NodeLine>(near(c, false), c, direction);
}

}  // namespace renyi::mechanism
