#include "noise/integer_laws.h"

#include <cmath>

namespace renyi::noise {

using certify::Ball;

DiscreteGaussian::DiscreteGaussian(double stddev)
    : stddev_(stddev),
      cell_width_(std::ceil(stddev)),
      scale_(Scale::of(cell_width_, 1)),
      cells_(cell_width_, stddev),
      inverse_(DoubleDouble(0.5) / two_product(stddev, stddev)) {}

Ball DiscreteGaussian::exponent(std::int64_t k, std::int64_t n) const {
  const Ball start = Ball(k) * Ball(cell_width_), number(n);
  return (number - start) * (number + start) / (Ball(2) * square(Ball(stddev_)));
}

Fraction DiscreteGaussian::acceptance(std::int64_t k, std::int64_t n) const {
  // Whole numbers below 2^52 are exact, and so is the product of two.
  const double start = static_cast<double>(k) * cell_width_, number = static_cast<double>(n);
  const DoubleDouble exponent = two_product(number - start, number + start) * inverse_;
  // A quotient and a product: 13 and 7 u^2.
  return exp_minus_fraction(exponent, 24 * dd_u2 * exponent.high);
}

Outcome DiscreteGaussian::second(const AttemptSpans& spans) const {
  const Cells::Found cell = cells_.find(without_sign(spans.cell));
  const Scale::Multiple t = scale_.times(0, spans.place);
  const std::int64_t n = cell.index * static_cast<std::int64_t>(cell_width_) + static_cast<std::int64_t>(t.whole);
  const Comparison c = compare(spans.acceptance, acceptance(cell.index, n));
  const bool negative = is_negative(spans.cell);
  const bool decided = cell.is_decided & c.is_decided & !(t.fraction > ~t.width);
  const std::int64_t sign = -static_cast<std::int64_t>(negative);
  const bool accepted = c.is_below & !(negative & (n == 0));
  return {(n ^ sign) - sign, accepted, decided};
}

DiscreteLaplace::DiscreteLaplace(double scale, Sides sides)
    : width_(scale), sides_(sides), scale_(Scale::of_binary(scale, 1)), offset_{} {
  offset_ = enclose_first_word([this] { return exact_offset(); });
}

Ball DiscreteLaplace::exact_offset() const {
  if (sides_ == Sides::one) return {};
  // ln(2/(1 + r)) = -ln(1 + (r - 1)/2), r = exp(-1/scale).
  return -Ball(width_) * log1p(expm1(-Ball(1) / Ball(width_)) / Ball(2));
}

Outcome DiscreteLaplace::second(const AttemptSpans& spans) const {
  const Candidate candidate = FairExponential::second(spans);
  const Scale::Multiple t = scale_.times(candidate.signed_cell >> 1U, spans.place);
  const Wide fraction = t.fraction + offset_.lower, width = t.width + (offset_.upper - offset_.lower) + 1;
  const auto n = static_cast<std::int64_t>(t.whole) + static_cast<std::int64_t>(fraction < t.fraction);
  const bool negative = (sides_ == Sides::two) & is_negative(spans.cell);
  const std::int64_t sign = -static_cast<std::int64_t>(negative);
  const bool decided = candidate.is_decided & !(fraction > ~width);
  return {(n ^ sign) - sign, candidate.is_accepted, decided};
}

}  // namespace renyi::noise
