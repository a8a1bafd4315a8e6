#include "mechanism/lattice_pair.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::mechanism {

namespace lattice_pair_file {
namespace {

using Outcome = LatticePair::Outcome;

// Terms below exp(-this) of the largest are omitted.
constexpr double negligible = 80;
constexpr int most_iterations = 60;
constexpr double most_nodes = 4e6;

// The multiples of m from first * m to last * m.
struct Range {
  double first = 0;
  double last = 0;
};

// Walks outwards from a point near a peak until the terms are negligible compared with the largest one met.
template <class LogTerm>
Range walk(double from, const LogTerm& log_term) {
  Range range{from, from};
  double low = log_term(from), high = low, top = low;
  const auto both_done = [&] { return low < top - negligible && high < top - negligible; };
  while (!both_done()) {
    if (high >= top - negligible) top = std::max(top, high = log_term(++range.last));
    if (low >= top - negligible) top = std::max(top, low = log_term(--range.first));
    if (static_cast<std::int64_t>(range.last - range.first) % 1024 == 0) stop_if_asked();
    if (range.last - range.first > most_nodes) throw NotConverged("the moment of noise on the integers");
  }
  return range;
}

std::vector<Range> merged(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  std::vector<Range> result;
  for (const Range& range : ranges) {
    if (!result.empty() && range.first <= result.back().last + 1) {
      result.back().last = std::max(result.back().last, range.last);
    } else {
      result.push_back(range);
    }
  }
  return result;
}

// Returns the lowest and the highest fixed point of a function that never falls, to within m, by iteration from below
// and from above.
template <class Next>
std::vector<double> from_both_ends(const Next& next, double low, double high, double m) {
  std::vector<double> points{low, high};
  for (double& x : points) {
    for (int i = 0; i < most_iterations; ++i) {
      const double moved = next(std::round(x)), by = std::abs(moved - x);
      x = moved;
      if (by < m) break;
    }
  }
  return points;
}

// Returns the fixed point of a function that never rises, to within m, by bisection.
template <class Next>
double falling_point(const Next& next, double low, double high, double m) {
  while (high - low > m) {
    const double middle = std::round(0.5 * (low + high));
    if (middle <= low || middle >= high) break;
    (next(middle) > middle ? low : high) = middle;
  }
  return high;
}

}  // namespace
}  // namespace lattice_pair_file

// Terms of E[exp(zL)] of the mixture are Q r^(1+z) and Q r^-z, r = 1 - g + g P/Q; centred and small they are like
// Q (P/Q - 1)^2. The peaks of the first are where x = peak((1+z) share(x)), share = g P/(g P + (1-g) Q): the lowest is
// reached from below, the highest from above. The second has one peak.
std::vector<lattice_pair_file::Outcome> NoisePair::nodes(double z, double rate, bool thinned) const {
  const double m = thinned ? stride() : 1;
  const auto at = [&](double index) { return outcome(m * index); };
  std::vector<lattice_pair_file::Range> ranges;
  for (const double order : {0.0, 1.0, 2.0}) {
    ranges.push_back(lattice_pair_file::walk(std::round(peak(order) / m), [&](double i) {
      const Outcome o = at(i);
      return o.log_q + order * o.loss;
    }));
  }
  for (const double power : {z + 1, -z}) {
    const auto log_term = [&](double i) {
      const Outcome o = at(i);
      return o.log_q + power * (rate == 1 ? o.loss : numerics::mixed_loss(rate, o.loss));
    };
    const auto next = [&](double x) { return peak(power * numerics::mixed_loss_slope(rate, outcome(x).loss)); };
    for (const double x : power > 0 ? lattice_pair_file::from_both_ends(next, peak(0), peak(power), m)
                                    : std::vector{lattice_pair_file::falling_point(next, peak(power), peak(0), m)}) {
      ranges.push_back(lattice_pair_file::walk(std::round(x / m), log_term));
    }
  }
  const std::vector<lattice_pair_file::Range> windows = lattice_pair_file::merged(std::move(ranges));
  double size = 0;
  for (const lattice_pair_file::Range& range : windows) size += range.last - range.first + 1;
  // The atoms of a curve are made from these outcomes, and there are two lists for a moment.
  check_memory(2 * size * sizeof(Outcome), "the outcomes of noise on the integers");
  std::vector<Outcome> result;
  result.reserve(static_cast<std::size_t>(size));
  for (const lattice_pair_file::Range& range : windows) {
    for (double i = range.first; i <= range.last; ++i) {
      result.push_back(at(i));
      result.back().log_q += std::log(m);
      result.back().log_p += std::log(m);
    }
  }
  return result;
}

using numerics::unit_roundoff;

namespace lattice_pair_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Bound on what the omitted integers, between the nodes and beyond them, may add, in units of rounding.
constexpr double left_out_ulps = 4;
// The same bound for complex moments, absolute (the moments are of size 1).
constexpr double left_out_mass = 1e-30;

LogMoment widened(LogMoment k) {
  k.error += left_out_ulps * unit_roundoff * k.value;
  k.slope_error += left_out_ulps * unit_roundoff * k.slope;
  return k;
}

// The vertical line of a finite pair, which this object keeps alive. It gives no bound on the decay, because atoms on a
// lattice have none.
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

// A line that gives no values off the real axis, because the sums would have too many integers.
class HiddenLine final : public VerticalLine {
 public:
  ComplexLogMoment log_phi(double y) const override { return {{0, 0}, y == 0 ? 0 : infinity}; }
};

}  // namespace
}  // namespace lattice_pair_file

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
  return lattice_pair_file::widened(near(z, true)->log_moment(z, direction));
}

ComplexLogMoment SummedCurve::complex_at(std::complex<double> z, Direction direction) const {
  if (!is_listed()) throw NotConverged("the moment of noise on the integers at a complex point");
  ComplexLogMoment k = near(z.real(), false)->log_moment(z, direction);
  k.error += lattice_pair_file::left_out_ulps * unit_roundoff * std::abs(k.value);
  return k;
}

Bounded SummedCurve::chernoff_at(double a, Direction direction) const {
  Bounded c = near(0, true)->chernoff(a, direction);
  c.error += lattice_pair_file::left_out_ulps * unit_roundoff * c.value;
  return c;
}

Cumulants SummedCurve::cumulants_at(Direction direction) const { return near(0, true)->cumulants(direction); }

std::unique_ptr<const VerticalLine> SummedCurve::line_at(double c, Direction direction) const {
  if (!is_listed()) return std::make_unique<lattice_pair_file::HiddenLine>();
  return std::make_unique<lattice_pair_file::NodeLine>(near(c, false), c, direction);
}

}  // namespace renyi::mechanism
