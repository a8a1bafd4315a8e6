// The discrete laws: the discrete Gaussian, the discrete Laplace and the geometric law, as attempts
// (docs/math/noise.md).
#pragma once

#include <algorithm>
#include <cmath>
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

// Whole numbers n with masses proportional to exp(-n^2/(2 stddev^2)). With cells of w >= stddev numbers, a candidate of
// the cell k is n = w k + j, j uniform below w, accepted with probability exp(-j (2 w k + j)/(2 stddev^2)); without -0.
class DiscreteGaussian {
 public:
  explicit DiscreteGaussian(double stddev);

  void attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::int64_t* value,
                const Marks& marks) const {
    discrete_gaussian_attempts(words, count, {cells_.floors(), scale_.fixed(), cell_width_, inverse_.high}, knowledge,
                               value, marks);
  }
  [[nodiscard]] Outcome second(const AttemptSpans& spans) const;
  template <WordSource Source>
  Outcome slowly(Source& source, AttemptNumbers<typename Source::Word>& numbers) const {
    const std::int64_t k = cells_.find_slowly(source, numbers.cell);
    const std::int64_t n = candidate_slowly(source, k, numbers.place);
    const bool negative = is_negative(numbers.cell);
    const bool accepted = is_below_slowly(source, numbers.acceptance, [&] { return exp(-exponent(k, n)); });
    return {negative ? -n : n, accepted && !(negative && n == 0), true};
  }

  // The stages of an attempt, which tests enumerate one by one.
  [[nodiscard]] const Cells& cells() const { return cells_; }
  [[nodiscard]] const Scale& scale() const { return scale_; }
  [[nodiscard]] double cell_width() const { return cell_width_; }
  [[nodiscard]] Fraction acceptance(std::int64_t k, std::int64_t n) const;
  [[nodiscard]] certify::Ball exponent(std::int64_t k, std::int64_t n) const;
  template <WordSource Source>
  std::int64_t candidate_slowly(Source& source, std::int64_t k, Uniform<typename Source::Word>& place) const {
    return k * static_cast<std::int64_t>(cell_width_) +
           floor_slowly(source, place, [&](const certify::Ball& u) { return scale_.exact() * u; });
  }

  // The mass N of all numbers, at least sqrt(2 pi) stddev and 1, over that of the candidates: w + N if w = 1, and a
  // little more if w >= 2.
  [[nodiscard]] double acceptance_rate() const {
    const double mass = std::max(1.0, 2.5066 * stddev_);
    return 0.98 * mass / (cell_width_ + mass);
  }
  [[nodiscard]] double first_miss() const { return 0x1p-43 + scale_.first_miss(1); }
  [[nodiscard]] double second_miss() const { return 0x1p-90 + scale_.second_miss(1); }

 private:
  double stddev_, cell_width_;
  Scale scale_;  // the numbers of a cell
  Cells cells_;
  DoubleDouble inverse_;  // 1/(2 stddev^2)
};

// Whole numbers n with masses proportional to exp(-|n|/scale): floor(scale ln 2 (j + v) + offset) with a sign, where
// the offset scale ln(2/(1 + exp(-1/scale))) makes up for 0 having two signs. One-sided, n >= 0 only: without offset
// and sign.
class DiscreteLaplace {
 public:
  enum class Sides { one, two };
  DiscreteLaplace(double scale, Sides sides);

  void attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::int64_t* value,
                const Marks& marks) const {
    discrete_laplace_attempts(words, count, scale_.fixed(), high_word(offset_.lower), sides_ == Sides::two, knowledge,
                              value, marks);
  }
  [[nodiscard]] Outcome second(const AttemptSpans& spans) const;
  template <WordSource Source>
  Outcome slowly(Source& source, AttemptNumbers<typename Source::Word>& numbers) const {
    const Candidate candidate = FairExponential::slowly(source, numbers);
    const auto j = static_cast<std::int64_t>(candidate.signed_cell >> 1U);
    const std::int64_t n = magnitude_slowly(source, j, numbers.place);
    return {sides_ == Sides::two && is_negative(numbers.cell) ? -n : n, candidate.is_accepted, true};
  }

  [[nodiscard]] const Scale& scale() const { return scale_; }
  [[nodiscard]] const Fraction& offset() const { return offset_; }
  [[nodiscard]] certify::Ball exact_offset() const;
  template <WordSource Source>
  std::int64_t magnitude_slowly(Source& source, std::int64_t j, Uniform<typename Source::Word>& place) const {
    return floor_slowly(source, place, [&](const certify::Ball& v) {
      return scale_.exact() * (certify::Ball(j) + v) + exact_offset();
    });
  }

  [[nodiscard]] double acceptance_rate() const { return FairExponential::acceptance_rate; }
  [[nodiscard]] double first_miss() const { return 0x1p-44 + scale_.first_miss(FairExponential::mean_cell_plus_one); }
  [[nodiscard]] double second_miss() const { return 0x1p-90 + scale_.second_miss(FairExponential::mean_cell_plus_one); }

 private:
  double width_;
  Sides sides_;
  Scale scale_;
  Fraction offset_;
};

}  // namespace renyi::noise
