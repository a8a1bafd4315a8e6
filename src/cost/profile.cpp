// Computes the privacy profile as a list of points, and the default epsilons of that list: round numbers, until delta
// is negligible.
#include <algorithm>
#include <array>
#include <cmath>

#include "conversion/renyi_bound.h"
#include "cost/questions.h"
#include "renyi/limits.h"

namespace renyi {

namespace profile_file {
namespace {

constexpr double least_delta = 1e-10;
constexpr double spaces = 10;

// The smallest number not below a given one that is 1, 2 or 5 times a power of ten, as the nearest double to that
// decimal.
struct RoundNumber {
  double digit = 1;
  int exponent = 0;

  double times(int n) const {
    const double whole = digit * n;
    return exponent < 0 ? whole / std::pow(10.0, -exponent) : whole * std::pow(10.0, exponent);
  }
};

RoundNumber round_above(double value) {
  const int exponent = static_cast<int>(std::floor(std::log10(value)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    const RoundNumber number{digit, exponent};
    if (number.times(1) >= value) return number;
  }
  return {1, exponent + 1};
}

std::vector<double> usual_epsilons(const Analysis& analysis) {
  const auto& curve = analysis.curve();
  const auto finite = curve->finite_part();  // no epsilon covers infinite losses
  const double end = renyi_epsilon(finite ? *finite : *curve, least_delta).upper;
  if (!(end > 0)) return {0};
  // Outside this range round numbers have no reciprocal, or costs have no meaning.
  const double last = std::clamp(std::isinf(end) ? spaces : end, 1e-290, 1e290);
  const RoundNumber space = round_above(last / spaces);
  std::vector<double> epsilons{0};
  for (int n = 1; epsilons.back() < last && n <= static_cast<int>(spaces) + 1; ++n) epsilons.push_back(space.times(n));
  return epsilons;
}

}  // namespace
}  // namespace profile_file

Profile profile(const Analysis& analysis, const ProfilePoints& points, const CostOptions& options) {
  const CostQuestions questions(analysis, options);
  const bool by_default = points.epsilons.empty() && points.deltas.empty();
  const auto answer = [&](std::vector<Cost>& to, Quantity quantity, double at) {
    if (!to.empty()) stop_if_overdue();
    to.push_back(questions.at(quantity, at));
  };
  Profile profile;
  for (const double epsilon : by_default ? profile_file::usual_epsilons(analysis) : points.epsilons) {
    answer(profile.at_epsilons, Quantity::delta, epsilon);
  }
  for (const double delta : points.deltas) answer(profile.at_deltas, Quantity::epsilon, delta);
  return profile;
}

}  // namespace renyi
