#include "divergence/density/quadrature.h"

#include <algorithm>
#include <cmath>

#include "divergence/density/piece.h"
#include "numerics/rounding.h"

namespace renyi::divergence_detail {
namespace {

constexpr std::size_t most_pieces = 6000;
constexpr long double enough = 1e-14L;  // relative to the integral

bool can_be_split(const Piece& piece) { return !is_too_short(piece) && estimate_of(piece) > piece.noise; }

bool is_better(const Piece& a, const Piece& b) { return estimate_of(a) < estimate_of(b); }

// An edge of the support is known to a unit in the last place: what f jumps by there, times that.
long double rounding_of_place(const Integrand& f, double x) {
  const double unit = 2 * numerics::unit_roundoff * std::abs(x);
  const double before = f(x - 4 * unit).value, after = f(x + 4 * unit).value;
  return std::isinf(before) || std::isinf(after) ? 0 : 2 * unit * std::abs(after - before);
}

// Pieces next to x end at 64 units from it, their whole value charged. Under a pole C d^(b-1), b < 1/3, that is not
// enough: the mass C d^b / b lies closer. f(d/4)/f(d) tells b.
long double hidden_in_pole(const Integrand& f, double x, int side) {
  const double d = 64 * numerics::unit_roundoff * std::abs(x);
  const double far = f(x + side * d).value, near = f(x + side * d / 4).value;
  if (!(far > 0 && near > 2.5 * far) || std::isinf(near)) return 0;
  const double b = std::max(0.02, 1 - std::log2(near / far) / 2);
  return 2 * d * far / b;  // twice, because near is d/4 away only within a few units
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

Integral integrate(const Integrand& f, const std::vector<double>& breaks) {
  std::vector<Piece> open, done;
  Integral total;
  long double open_estimate = 0, value = 0;
  const auto keep = [&](const Piece& piece) {
    if (piece.infinite) total.infinite = true;
    value += piece.value;
    const bool split_later = can_be_split(piece);
    if (split_later) open_estimate += estimate_of(piece);
    (split_later ? open : done).push_back(piece);
    if (split_later) std::push_heap(open.begin(), open.end(), is_better);
  };
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) keep(measured(f, breaks[i], breaks[i + 1]));
  const std::size_t limit = open.size() + done.size() + most_pieces;
  while (!total.infinite && !open.empty() && estimate_of(open.front()) > enough / 8 * std::abs(value) &&
         open_estimate > enough * std::abs(value) && open.size() + done.size() < limit) {
    std::pop_heap(open.begin(), open.end(), is_better);
    const Piece worst = open.back();
    open.pop_back();
    value -= worst.value;
    open_estimate -= estimate_of(worst);
    const Halves halves = halved(f, worst);
    keep(halves.left);
    keep(halves.right);
  }
  if (!total.infinite) total.error += charged_at_breaks(f, breaks);
  for (const auto* pieces : {&open, &done}) {
    for (const Piece& piece : *pieces) {
      total.value += piece.value;
      total.error += static_cast<long double>(estimate_of(piece)) + piece.noise;
    }
  }
  return total;
}

}  // namespace renyi::divergence_detail
