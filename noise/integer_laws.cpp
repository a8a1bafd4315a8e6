#include "noise/integer_laws.h"

namespace renyi::noise {

using certify::Ball;

DiscreteGaussian::DiscreteGaussian(double stddev)
    : stddev_(stddev),
      scale_(Scale::of(stddev, 1)),
      cells_(Cells::with_zero(stddev)),
      inverse_(DoubleDouble(1.0) / DoubleDouble(stddev)) {}

Ball DiscreteGaussian::exponent(std::int64_t k, std::int64_t n) const {
  const Ball q = Ball(n) / Ball(stddev_);
  return (q - Ball(k)) * (q + Ball(k)) / Ball(2);
}

Fraction DiscreteGaussian::acceptance(std::int64_t k, std::int64_t n) const {
  const auto cell = static_cast<double>(k);
  const DoubleDouble q = inverse_ * DoubleDouble(static_cast<double>(n));
  const DoubleDouble exponent = (q - cell) * (q + cell) * DoubleDouble(0.5);
  // q has a relative error of at most 13 + 7 u^2, so that q - k has one of 20 q u^2; the other operations add less than
  // 20 u^2 of the product.
  const double sum = q.high + cell + 1;
  return exp_minus_fraction(exponent, sum * sum * 40 * dd_u2);
}

Outcome DiscreteGaussian::second(const AttemptSpans& spans) const {
  const Cells::Found cell = cells_.find(without_sign(spans.cell));
  const std::int64_t zero = cell.index >> 63U;  // -1 for the cell of zero
  const std::int64_t k = cell.index & ~zero;
  const Scale::Multiple t = scale_.times(static_cast<std::uint64_t>(k), spans.place);
  const auto n = static_cast<std::int64_t>(t.whole) + 1;
  const Comparison c = compare(spans.acceptance, acceptance(k, n));
  const bool is_zero = zero != 0, carries = t.fraction > ~t.width;
  const bool decided = cell.is_decided & (is_zero | (c.is_decided & !carries));
  const std::int64_t sign = -static_cast<std::int64_t>(is_negative(spans.cell));
  const bool accepted = is_zero | c.is_below;
  return {((n ^ sign) - sign) & ~zero, accepted, decided};
}

Outcome DiscreteLaplace::second(const AttemptSpans& spans) const {
  const Candidate candidate = FairExponential::second(spans);
  const Scale::Multiple t = scale_.times(candidate.signed_cell >> 1U, spans.place);
  const auto n = static_cast<std::int64_t>(t.whole);
  const bool negative = (sides_ == Sides::two) & is_negative(spans.cell);
  const std::int64_t sign = -static_cast<std::int64_t>(negative);
  const bool accepted = candidate.is_accepted & !(negative & (n == 0));
  const bool decided = candidate.is_decided & !(t.fraction > ~t.width);
  return {(n ^ sign) - sign, accepted, decided};
}

}  // namespace renyi::noise
