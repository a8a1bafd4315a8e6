#include "divergence/density/quadrature.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "divergence/density/kronrod.h"
#include "numerics/rounding.h"
#include "renyi/limits.h"

namespace renyi::divergence_detail {

namespace quadrature_file {
namespace {

using numerics::unit_roundoff;

// Polynomials through rounded values amplify the rounding by less than this up to the ends.
constexpr double amplification = 16;
constexpr double smallest_distance = 1e-290;  // poles of densities stay within double down to here

class End {
 public:
  End(const Integrand& f, double low, double high, int outwards, const std::array<double, node_count>& values)
      : f_(f), at_(outwards < 0 ? low : high), half_(high / 2 - low / 2), outwards_(outwards), values_(values) {
    stretch_ = half_ * (1 - kronrod_nodes().back().at);
    // An edge of the support is known to a unit in the last place, so samples keep this distance from it.
    nearest_ = std::max(8 * unit_roundoff * std::abs(at_), smallest_distance);
    for (const double value : values) size_ = std::max(size_, std::abs(value));
  }

  double hidden() const {
    if (!(stretch_ > nearest_)) return 0;
    const double deepest = off(std::max(nearest_, stretch_ * 0x1p-40));
    return deepest == 0 || std::isinf(deepest) ? deepest : approached();
  }

 private:
  // Returns |f - polynomial| at a distance from the end, as far as it exceeds rounding.
  double off(double distance) const {
    const Sample sample = f_(at_ - outwards_ * distance);
    if (std::isinf(sample.value)) return INFINITY;
    const double apart = std::abs(sample.value - interpolated(values_, outwards_ * (1 - distance / half_)));
    return std::max(0.0, apart - sample.noise - amplification * unit_roundoff * size_);
  }

  double approached() const {
    double sum = 0, before = 0, mass = 0, mass_before = 0;
    for (double distance = stretch_; distance > nearest_; distance /= 4) {
      const double here = off(distance / 4);
      if (std::isinf(here)) return INFINITY;
      mass_before = mass;
      mass = std::max(before, here) * 0.75 * distance;
      sum += mass;
      before = here;
      if (mass < 1e-20 * sum && mass < mass_before / 2) break;
    }
    // The remainder is estimated as a geometric series.
    const double ratio = std::min(mass_before > 0 ? mass / mass_before : 0.25, 0.999);
    return sum + mass * ratio / (1 - ratio);
  }

  const Integrand& f_;
  double at_;
  double half_;
  int outwards_;
  const std::array<double, node_count>& values_;
  double stretch_ = 0, nearest_ = 0, size_ = 0;
};

// Returns the integral of the distance between f and the polynomial that the rule integrates, over the interval between
// the outer node of a piece and its end, where the rule has no nodes. It is estimated from samples that approach the
// end by powers of 4, under the assumption that f grows or falls towards it: a jump or a pole there is included.
// `outwards` is -1 at the low end and 1 at the high end; `values` are f at the nodes. If the result is infinite, so is
// the integral.
double hidden_at_end(const Integrand& f, double low, double high, int outwards,
                     const std::array<double, node_count>& values) {
  return End(f, low, high, outwards, values).hidden();
}

// One piece of an integral: its value by Gauss-Kronrod, and the parts of its error.
struct Piece {
  double low = 0, high = 0;
  double value = 0;
  double gap = 0;          // difference of the two rules: far more than the error of the better one where f is smooth
  double spread = 0;       // a bound on the error where f is of bounded variation, by the variation seen
  double ends = 0;         // possible contribution between the outer nodes and the ends
  double mismatch = 0;     // difference between the value of the parent piece and the sum of its halves
  double noise = 0;        // rounding error, which no refinement reduces
  bool confirmed = false;  // the gap fell as it does for smooth f when the piece was halved
  bool infinite = false;
};

// Halving divides the gap by 2^20 for smooth f, by 4 near a kink and by 2 at a jump.
constexpr double clear_fall = 1.0 / 64;

void note_ends(Piece& piece, const Integrand& f, const std::array<double, node_count>& values) {
  for (const int outwards : {-1, 1}) {
    const double hidden = hidden_at_end(f, piece.low, piece.high, outwards, values);
    if (std::isinf(hidden)) piece.infinite = true;
    if (!piece.infinite) piece.ends += hidden;
  }
}

void note_parent(Piece& half, const Piece& whole, double mismatch) {
  half.mismatch = mismatch;
  half.confirmed = half.gap <= clear_fall * whole.gap || half.gap <= half.noise;
}

// In a piece this short the nodes coincide: its value is an estimate of the right size.
bool is_too_short(const Piece& piece) {
  const double least = 64 * unit_roundoff * std::max(std::abs(piece.low), std::abs(piece.high));
  return piece.high - piece.low <= std::max(least, 1e-285);
}

Piece measured(const Integrand& f, double low, double high) {
  const auto& nodes = kronrod_nodes();
  const double half = high / 2 - low / 2, centre = low / 2 + high / 2;
  Piece piece{low, high};
  std::array<double, node_count> values{};
  double embedded = 0, variation = 0, beyond_noise = 0, size = 0;
  Sample before;
  for (std::size_t i = 0; i < node_count; ++i) {
    const Sample sample = f(centre + half * nodes[i].at);
    if (std::isinf(sample.value)) {
      piece.infinite = true;
      return piece;
    }
    values[i] = sample.value;
    piece.value += nodes[i].weight * sample.value;
    embedded += nodes[i].embedded_weight * sample.value;
    piece.noise += nodes[i].weight * sample.noise;
    size += nodes[i].weight * std::abs(sample.value);
    const double step = i == 0 ? 0 : std::abs(sample.value - before.value);
    variation += step;
    beyond_noise += std::max(0.0, step - sample.noise - before.noise);
    before = sample;
  }
  piece.gap = half * std::abs(piece.value - embedded);
  // |error| <= largest weight * variation: partial sums of the weights stay within half of it of the nodes.
  piece.spread = half * largest_weight * beyond_noise;
  piece.value *= half;
  // A node has a rounding error relative to its size; its effect on the sum is at most the variation times that error.
  const double node_rounding = 2 * unit_roundoff * std::max(std::abs(low), std::abs(high));
  piece.noise = half * (piece.noise + 24 * unit_roundoff * size) + node_rounding * variation;
  note_ends(piece, f, values);
  if (is_too_short(piece)) piece.noise += std::abs(piece.value);
  return piece;
}

// The halves of a piece, each with what halving shows about its error.
struct Halves {
  Piece left, right;
};
Halves halved(const Integrand& f, const Piece& whole) {
  const double middle = whole.low / 2 + whole.high / 2;
  Halves halves{measured(f, whole.low, middle), measured(f, middle, whole.high)};
  const double mismatch = std::abs(whole.value - halves.left.value - halves.right.value);
  note_parent(halves.left, whole, mismatch);
  note_parent(halves.right, whole, mismatch);
  return halves;
}

// Returns the error of the value without the noise.
double estimate_of(const Piece& piece) {
  const double of_rule = std::max(piece.gap, piece.mismatch);
  return piece.ends + (piece.confirmed ? of_rule : std::max(of_rule, piece.spread));
}

constexpr std::size_t most_pieces = 6000;
constexpr long double enough = 1e-14L;  // relative to the integral

bool can_be_split(const Piece& piece) { return !is_too_short(piece) && estimate_of(piece) > piece.noise; }

bool is_better(const Piece& a, const Piece& b) { return estimate_of(a) < estimate_of(b); }

// An edge of the support is known to a unit in the last place: the error is the jump of f there times that unit.
long double rounding_of_place(const Integrand& f, double x) {
  const double unit = 2 * unit_roundoff * std::abs(x);
  const double before = f(x - 4 * unit).value, after = f(x + 4 * unit).value;
  return std::isinf(before) || std::isinf(after) ? 0 : 2 * unit * std::abs(after - before);
}

// Pieces next to x end at a distance of 64 units from it, and their whole value is included in the error. Under a pole
// C d^(b-1), b < 1/3, that is not enough: the mass C d^b / b lies closer. b is computed from f(d/4)/f(d).
long double hidden_in_pole(const Integrand& f, double x, int side) {
  const double d = 64 * unit_roundoff * std::abs(x);
  const double far = f(x + side * d).value, near = f(x + side * d / 4).value;
  if (!(far > 0 && near > 2.5 * far) || std::isinf(near)) return 0;
  const double b = std::max(0.02, 1 - std::log2(near / far) / 2);
  return 2 * d * far / b;  // doubled, because near is d/4 away only within a few units
}

long double charged_at_breaks(const Integrand& f, const std::vector<double>& breaks) {
  long double error = 0;
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    const bool first = i == 0, last = i + 1 == breaks.size();
    if (!first && !last) error += rounding_of_place(f, breaks[i]);
    if (!first) error += hidden_in_pole(f, breaks[i], -1);
    if (!last) error += hidden_in_pole(f, breaks[i], 1);
  }
  return error;
}

}  // namespace
}  // namespace quadrature_file

Integral integrate(const Integrand& f, const std::vector<double>& breaks) {
  std::vector<quadrature_file::Piece> open, done;
  Integral total;
  long double open_estimate = 0, value = 0;
  const auto keep = [&](const quadrature_file::Piece& piece) {
    if (piece.infinite) total.infinite = true;
    value += piece.value;
    const bool split_later = quadrature_file::can_be_split(piece);
    if (split_later) open_estimate += quadrature_file::estimate_of(piece);
    (split_later ? open : done).push_back(piece);
    if (split_later) std::push_heap(open.begin(), open.end(), quadrature_file::is_better);
  };
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) keep(quadrature_file::measured(f, breaks[i], breaks[i + 1]));
  const std::size_t limit = open.size() + done.size() + quadrature_file::most_pieces;
  while (!total.infinite && !open.empty() &&
         quadrature_file::estimate_of(open.front()) > quadrature_file::enough / 8 * std::abs(value) &&
         open_estimate > quadrature_file::enough * std::abs(value) && open.size() + done.size() < limit) {
    stop_if_asked();
    std::pop_heap(open.begin(), open.end(), quadrature_file::is_better);
    const quadrature_file::Piece worst = open.back();
    open.pop_back();
    value -= worst.value;
    open_estimate -= quadrature_file::estimate_of(worst);
    const quadrature_file::Halves halves = quadrature_file::halved(f, worst);
    keep(halves.left);
    keep(halves.right);
  }
  if (!total.infinite) total.error += quadrature_file::charged_at_breaks(f, breaks);
  for (const auto* pieces : {&open, &done}) {
    for (const quadrature_file::Piece& piece : *pieces) {
      total.value += piece.value;
      total.error += static_cast<long double>(quadrature_file::estimate_of(piece)) + piece.noise;
    }
  }
  return total;
}

}  // namespace renyi::divergence_detail
