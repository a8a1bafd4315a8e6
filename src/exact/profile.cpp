// The epsilons at which a privacy profile is listed by default: round numbers, until delta is next to nothing.
#include "renyi/profile.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "renyi/account.h"

namespace renyi {

namespace profile_file {
namespace {

constexpr double least_delta = 1e-10;
constexpr double spaces = 10;

// The least of 1, 2, 5 times a power of ten that is no less, as the nearest double to that decimal.
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

}  // namespace
}  // namespace profile_file

std::vector<double> profile_epsilons(const Analysis& analysis) {
  const auto& curve = analysis.curve();
  const auto finite = curve->finite_part();  // no epsilon is large enough for infinite losses
  const double end = renyi_epsilon(finite ? *finite : *curve, profile_file::least_delta).epsilon;
  if (!(end > 0)) return {0};
  // Beyond these no round number has a reciprocal, or no cost a meaning.
  const double last = std::clamp(std::isinf(end) ? profile_file::spaces : end, 1e-290, 1e290);
  const profile_file::RoundNumber space = profile_file::round_above(last / profile_file::spaces);
  std::vector<double> epsilons{0};
  for (int n = 1; epsilons.back() < last && n <= static_cast<int>(profile_file::spaces) + 1; ++n)
    epsilons.push_back(space.times(n));
  return epsilons;
}

}  // namespace renyi
