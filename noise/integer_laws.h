// The discrete laws: the discrete Gaussian, the discrete Laplace and the geometric law, as attempts
// (docs/math/noise.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "noise/exact/attempt.h"
#include "noise/exact/cells.h"
#include "noise/exact/double_double.h"
#include "noise/exact/scale.h"
#include "noise/fair_exponential.h"
#include "noise/kernels/kernels.h"

namespace renyi::noise {

// What became of an attempt.
struct Outcome {
  std::int64_t value;
  bool is_accepted, is_decided;
};

// Whole numbers n with masses proportional to exp(-n^2/(2 stddev^2)). A candidate of the cell k is
// n = floor(stddev (k + u)) + 1, accepted with probability exp(-((n/stddev)^2 - k^2)/2).
class DiscreteGaussian {
 public:
  explicit DiscreteGaussian(double stddev);

  void attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::int64_t* value,
                const Marks& marks) const {
    discrete_gaussian_attempts(words, count, cells_.floors(), scale_.fixed(), inverse_.high, knowledge, value, marks);
  }
  [[nodiscard]] Outcome second(const AttemptSpans& spans) const;
  template <WordSource Source>
  Outcome slowly(Source& source, AttemptNumbers<typename Source::Word>& numbers) const {
    const std::int64_t k = cells_.find_slowly(source, numbers.cell);
    if (k < 0) return {0, true, true};
    const std::int64_t n = candidate_slowly(source, k, numbers.place);
    const bool accepted = is_below_slowly(source, numbers.acceptance, [&] { return exp(-exponent(k, n)); });
    return {is_negative(numbers.cell) ? -n : n, accepted, true};
  }

  // The stages of an attempt, which tests enumerate one by one.
  [[nodiscard]] const Cells& cells() const { return cells_; }
  [[nodiscard]] const Scale& scale() const { return scale_; }
  [[nodiscard]] Fraction acceptance(std::int64_t k, std::int64_t n) const;
  [[nodiscard]] certify::Ball exponent(std::int64_t k, std::int64_t n) const;
  template <WordSource Source>
  std::int64_t candidate_slowly(Source& source, std::int64_t k, Uniform<typename Source::Word>& place) const {
    return 1 +
           floor_slowly(source, place, [&](const certify::Ball& u) { return scale_.exact() * (certify::Ball(k) + u); });
  }

  [[nodiscard]] double acceptance_rate() const { return 0.7148; }
  [[nodiscard]] double first_miss() const { return 0x1p-38 + scale_.first_miss(1.6); }
  [[nodiscard]] double second_miss() const { return 0x1p-90 + scale_.second_miss(1.6); }

 private:
  double stddev_;
  Scale scale_;
  Cells cells_;
  DoubleDouble inverse_;
};

// Whole numbers n with masses proportional to exp(-|n|/scale), or, one-sided, n >= 0 only: floor(scale ln 2 (j + v))
// with a sign, without -0.
class DiscreteLaplace {
 public:
  enum class Sides { one, two };
  DiscreteLaplace(double scale, Sides sides) : scale_(Scale::of_binary(scale, 1)), sides_(sides) {}

  void attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::int64_t* value,
                const Marks& marks) const {
    discrete_laplace_attempts(words, count, scale_.fixed(), sides_ == Sides::two, knowledge, value, marks);
  }
  [[nodiscard]] Outcome second(const AttemptSpans& spans) const;
  template <WordSource Source>
  Outcome slowly(Source& source, AttemptNumbers<typename Source::Word>& numbers) const {
    const Candidate candidate = FairExponential::slowly(source, numbers);
    const auto j = static_cast<std::int64_t>(candidate.signed_cell >> 1U);
    const std::int64_t n = magnitude_slowly(source, j, numbers.place);
    const bool negative = sides_ == Sides::two && is_negative(numbers.cell);
    return {negative ? -n : n, candidate.is_accepted && !(negative && n == 0), true};
  }

  [[nodiscard]] const Scale& scale() const { return scale_; }
  template <WordSource Source>
  std::int64_t magnitude_slowly(Source& source, std::int64_t j, Uniform<typename Source::Word>& place) const {
    return floor_slowly(source, place, [&](const certify::Ball& v) { return scale_.exact() * (certify::Ball(j) + v); });
  }

  // At worst half of what is accepted is -0.
  [[nodiscard]] double acceptance_rate() const { return 0.36; }
  [[nodiscard]] double first_miss() const { return 0x1p-44 + scale_.first_miss(FairExponential::mean_cell_plus_one); }
  [[nodiscard]] double second_miss() const { return 0x1p-90 + scale_.second_miss(FairExponential::mean_cell_plus_one); }

 private:
  Scale scale_;
  Sides sides_;
};

}  // namespace renyi::noise
