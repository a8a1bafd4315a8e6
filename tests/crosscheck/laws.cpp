#include "crosscheck/laws.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace renyi::crosscheck {

namespace laws_file {
namespace {

// Doubles below have fewer bits, so that nothing is relative any more.
constexpr long double smallest = std::numeric_limits<double>::min();
constexpr long double largest = std::numeric_limits<double>::max();
// Ends of enclosures are rounded to 64 bits here.
constexpr long double rounding = 0x1p-62L;

// decimal_below and decimal_above keep what a double cannot hold: 1e-400.
long double to_long(const std::string& decimal) { return std::strtold(decimal.c_str(), nullptr); }

bool has_nan(const Fast& fast) {
  if (std::isnan(fast.lower) || std::isnan(fast.upper)) return true;
  return fast.bounded && (std::isnan(fast.bounded->value) || std::isnan(fast.bounded->error));
}

void check_estimate(const Bounded& fast, const Truth& truth, std::vector<std::string>& broken) {
  const long double off = distance(fast.value, truth);
  // |value - truth| <= error, where the enclosure decides it
  if (off > static_cast<long double>(fast.error) + rounding * truth.upper)
    broken.emplace_back("error estimate too small");
  if (off > std::max(accuracy * truth.upper, smallest)) broken.emplace_back("value further than 1e-10 from the truth");
}

}  // namespace
}  // namespace laws_file

Truth::Truth(const Enclosure& enclosure)
    : least_upper(rounded_up(enclosure.lower)),
      greatest_lower(rounded_down(enclosure.upper)),
      lower(laws_file::to_long(decimal_below(enclosure.lower, 25))),
      upper(laws_file::to_long(decimal_above(enclosure.upper, 25))) {}

long double Truth::middle() const { return std::isinf(upper) ? upper : lower + (upper - lower) / 2; }

long double distance(double value, const Truth& truth) {
  if (value >= truth.least_upper && value <= truth.greatest_lower) return 0;
  // A truth beyond all doubles is infinite to them.
  if (std::isinf(value) && truth.upper > laws_file::largest) return 0;
  return std::max({0.0L, truth.lower - value, value - truth.upper});
}

long double relative_distance(double value, const Truth& truth) {
  const long double off = distance(value, truth);
  return off == 0 ? 0 : off / std::max(truth.upper, laws_file::smallest);
}

std::vector<std::string> broken_laws(const Question& question, const Fast& fast, const Truth& truth) {
  if (laws_file::has_nan(fast)) return {"not a number"};
  std::vector<std::string> broken;
  if (fast.lower > fast.upper) broken.emplace_back("lower end above the upper end");
  // upper >= truth >= lower end of the enclosure
  if (fast.upper < truth.least_upper) broken.emplace_back("upper bound below the truth");
  // lower <= truth <= upper end of the enclosure
  if (fast.lower > truth.greatest_lower) broken.emplace_back("lower bound above the truth");
  if (question.limit && *question.limit < truth.least_upper) broken.emplace_back("truth above what was promised");
  if (!fast.bounded) return broken;
  laws_file::check_estimate(*fast.bounded, truth, broken);
  const bool loose = fast.upper > truth.upper * (1 + looseness) + laws_file::smallest;
  if (loose && truth.upper <= laws_file::largest) broken.emplace_back("upper bound looser than 1e-9");
  return broken;
}

}  // namespace renyi::crosscheck
