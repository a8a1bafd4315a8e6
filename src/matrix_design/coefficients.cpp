// The coefficients of banded matrices: the square root, and those with the least error for their sensitivity
// (docs/math/banded-matrices.md, "The best coefficients").
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "matrix_design/descent.h"
#include "matrix_design/error_of_prefix_sums.h"
#include "mechanism/participation/sensitivity.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/extras/matrix_design.h"
#include "renyi/limits.h"

namespace renyi {

namespace matrix_design {

namespace coefficients_file {
namespace {

void check_bands(std::int64_t bands) {
  if (bands >= 1 && bands <= most_designed_bands) return;
  throw InvalidArgument("bands", fmt::format("{}", bands),
                        fmt::format("a whole number in [1, {}]", most_designed_bands));
}

void check_whole(const char* name, std::int64_t value, std::int64_t most) {
  if (value >= 1 && value <= most) return;
  throw InvalidArgument(name, fmt::format("{}", value), fmt::format("a whole number in [1, {}]", most));
}

void check_rule(const ParticipationRule& rule) {
  check_whole("rounds", rule.rounds, most_designed_rounds);
  check_whole("participations", rule.participations, most_designed_rounds);
  check_whole("min_separation", rule.min_separation, most_designed_rounds);
}

// The square of the norm of the sum of the columns 0, s, 2s, ... of C, which is the squared sensitivity if the
// coefficients are not negative and do not rise. It is quadratic in the coefficients. Only as many columns overlap as
// cover all bands; the rows between the first and the last of more columns repeat, up to the end of the run, which is
// disregarded for them.
class SensitivityForm {
 public:
  SensitivityForm(std::size_t bands, const ParticipationRule& rule)
      : bands_(bands),
        rounds_(static_cast<std::size_t>(rule.rounds)),
        s_(static_cast<std::size_t>(rule.min_separation)) {
    const mechanism::Participation participation{rule.participations, rule.min_separation};
    const auto columns = static_cast<std::size_t>(participation.most_in(rule.rounds));
    first_ = std::min(columns, (bands - 1) / s_ + 1);
    repeated_ = static_cast<double>(columns - first_);
  }

  // Returns true if columns of a pattern overlap.
  bool overlaps() const { return first_ > 1; }

  ValueAndGradient operator()(const std::vector<double>& c) const {
    ValueAndGradient result{0, std::vector<double>(bands_, 0)};
    add_first(c, result);
    if (repeated_ > 0) add_repeated(c, result);
    return result;
  }

 private:
  void add_first(const std::vector<double>& c, ValueAndGradient& result) const {
    const std::size_t size = std::min(rounds_, (first_ - 1) * s_ + bands_);
    check_memory(static_cast<double>(size * sizeof(double)), "the sum of overlapping columns");
    std::vector<double> rows(size, 0);
    for_each_entry(rows.size(), [&](std::size_t row, std::size_t k) { rows[row] += c[k]; });
    for (const double row : rows) result.value += row * row;
    for_each_entry(rows.size(), [&](std::size_t row, std::size_t k) { result.gradient[k] += 2 * rows[row]; });
  }

  template <class Visit>
  void for_each_entry(std::size_t rows, const Visit& visit) const {
    for (std::size_t a = 0; a < first_; ++a) {
      if (a % columns_at_a_time == 0) stop_if_asked();
      for (std::size_t k = 0; k < bands_ && a * s_ + k < rows; ++k) visit(a * s_ + k, k);
    }
  }

  void add_repeated(const std::vector<double>& c, ValueAndGradient& result) const {
    for (std::size_t residue = 0; residue < std::min(s_, bands_); ++residue) {
      double row = 0;
      for (std::size_t k = residue; k < bands_; k += s_) row += c[k];
      result.value += repeated_ * row * row;
      for (std::size_t k = residue; k < bands_; k += s_) result.gradient[k] += 2 * repeated_ * row;
    }
  }

  static constexpr std::size_t columns_at_a_time = 16;

  std::size_t bands_;
  std::size_t rounds_;
  std::size_t s_;          // min_separation
  std::size_t first_ = 1;  // columns that are summed row by row
  double repeated_ = 0;    // further columns
};

// The logarithm of squared sensitivity times mean squared error, which does not depend on the scale of c.
ValueAndGradient objective(const std::vector<double>& c, std::int64_t rounds, const SensitivityForm& form) {
  MeanErrorGradient error = mean_error_gradient(c, rounds);
  const ValueAndGradient squared = form(c);
  ValueAndGradient result{std::log(error.mean_squared) + std::log(squared.value), std::move(error.gradient)};
  for (std::size_t k = 0; k < c.size(); ++k) {
    result.gradient[k] = result.gradient[k] / error.mean_squared + squared.gradient[k] / squared.value;
  }
  return result;
}

// The form is the sensitivity only if the coefficients are not negative and do not rise. Where columns overlap, the
// minimum would violate that, so coefficients are the sums c_k = sum_{j >= k} t_j^2, and t is what is searched.
std::vector<double> from_roots(const std::vector<double>& t) {
  std::vector<double> c(t.size());
  double sum = 0;
  for (std::size_t k = t.size(); k-- > 0;) c[k] = sum += t[k] * t[k];
  return c;
}

std::vector<double> roots_of(const std::vector<double>& c) {
  std::vector<double> t(c.size());
  for (std::size_t k = 0; k < c.size(); ++k) t[k] = std::sqrt(c[k] - (k + 1 < c.size() ? c[k + 1] : 0));
  return t;
}

ValueAndGradient in_roots(const std::vector<double>& t, ValueAndGradient found) {
  double sum = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    sum += found.gradient[k];
    found.gradient[k] = 2 * t[k] * sum;
  }
  return found;
}

// The smallest sequence above c that does not rise: its sensitivity is known exactly.
std::vector<double> falling(std::vector<double> c) {
  double largest = 0;
  for (std::size_t k = c.size(); k-- > 0;) c[k] = largest = std::max(largest, c[k]);
  return c;
}

std::vector<double> scaled(std::vector<double> c) {
  const double first = c.front();
  for (double& x : c) x /= first;
  return c;
}

double squared_total_error(const std::vector<double>& c, const ParticipationRule& rule) {
  const double sensitivity = toeplitz_sensitivity(c, rule);
  return sensitivity * sensitivity * prefix_sum_error(c, rule.rounds).mean_squared;
}

}  // namespace
}  // namespace coefficients_file

}  // namespace matrix_design

// f_k = f_{k-1} (2k - 1) / (2k).
std::vector<double> square_root_coefficients(std::int64_t bands) {
  matrix_design::coefficients_file::check_bands(bands);
  std::vector<double> result(static_cast<std::size_t>(bands), 1);
  for (std::size_t k = 1; k < result.size(); ++k) {
    const auto twice = 2 * static_cast<double>(k);
    result[k] = result[k - 1] * (twice - 1) / twice;
  }
  return result;
}

std::vector<double> optimal_coefficients(std::int64_t bands, const ParticipationRule& rule) {
  using namespace matrix_design::coefficients_file;
  check_bands(bands);
  check_rule(rule);
  const std::vector<double> start = square_root_coefficients(std::min(bands, rule.rounds));
  const SensitivityForm form(start.size(), rule);
  const auto function = [&](const std::vector<double>& c) { return objective(c, rule.rounds, form); };
  const auto of_roots = [&](const std::vector<double>& t) { return in_roots(t, function(from_roots(t))); };
  const std::vector<double> found = form.overlaps()
                                        ? from_roots(matrix_design::descend(of_roots, roots_of(start), {.steps = 200}))
                                        : matrix_design::descend(function, start);
  const std::vector<double> best = scaled(falling(found));
  return squared_total_error(best, rule) < squared_total_error(start, rule) ? best : start;
}

double toeplitz_sensitivity(std::span<const double> coefficients, const ParticipationRule& rule) {
  matrix_design::coefficients_file::check_rule(rule);
  if (coefficients.empty()) throw InvalidArgument("coefficients", "none", "one number or more");
  return numerics::sqrt_up(
      mechanism::squared_toeplitz_sensitivity(coefficients, rule.rounds, {rule.participations, rule.min_separation}));
}

}  // namespace renyi
