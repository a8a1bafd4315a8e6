// The range of the values of a statistic: the grid of its noise and the ends as which values beyond them count. Values
// are not known here (docs/math/release.md, "The range").
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "release/draw.h"
#include "renyi/error.h"
#include "renyi/noise.h"

namespace renyi::release {
namespace range_file {
namespace {

using Whole = std::numeric_limits<std::int64_t>;

// On a coarser grid of whole numbers the last multiples would not be 64-bit integers.
constexpr double coarsest_of_integers = 0x1p62 / noise::largest_range_of_grid;

bool contains(double highest, double value) { return std::abs(value) <= highest; }

double power_of_two_up_to(double value) { return std::ldexp(1.0, std::ilogb(value)); }

// The usual grid: 1 for integers; else so fine that rounding adds less than 1e-7 of the variance.
double usual_grid(const Statistic& statistic, double size) {
  constexpr double below = 0x1p-10;
  return statistic.is_integer ? 1 : power_of_two_up_to(size) * below;
}

// A grid as coarse as the noise adds at most a tenth of its variance, which the standard error contains.
double coarsest_grid(const Statistic& statistic, double size) {
  const double coarsest = power_of_two_up_to(size);
  return statistic.is_integer ? std::clamp(coarsest, 1.0, coarsest_of_integers) : coarsest;
}

[[noreturn]] void refuse(const char* member, const std::string& allowed) {
  throw InvalidArgument(member, "a number beyond the range that the noise can have", allowed);
}

void check_form(const Statistic& statistic) {
  const auto &lowest = statistic.expected_lowest, &highest = statistic.expected_highest;
  if (lowest.has_value() != highest.has_value()) {
    throw InvalidArgument(lowest ? "expected_highest" : "expected_lowest", "nothing",
                          "a number: expected_lowest and expected_highest, or none of them");
  }
  if (lowest && !(*lowest <= *highest)) {
    throw InvalidArgument("expected_lowest", "a number", "a number that is not above expected_highest");
  }
}

void set_discrete(StatisticNoise& noise, const Statistic& statistic) {
  const std::string allowed = "a number from -2^63 to 2^63 - 1, where noise on whole numbers ends";
  noise.grid = 0;
  noise.range = {Whole::min(), Whole::max()};
  // 2^63 is the least double that is above the upper end.
  if (!(statistic.expected_lowest.value_or(0) >= -0x1p63)) refuse("expected_lowest", allowed);
  if (!(statistic.expected_highest.value_or(0) < 0x1p63)) refuse("expected_highest", allowed);
}

void set_continuous(StatisticNoise& noise, const Statistic& statistic) {
  const double lowest = statistic.expected_lowest.value_or(0), highest = statistic.expected_highest.value_or(0);
  const double coarsest = coarsest_grid(statistic, noise.size);
  noise.grid = usual_grid(statistic, noise.size);
  const auto end = [&] { return noise::largest_range_of_grid * noise.grid; };
  while (noise.grid < coarsest && !(contains(end(), lowest) && contains(end(), highest))) noise.grid *= 2;
  const std::string allowed =
      "up to 2^51 times the largest power of two that is not above the stddev or scale of the noise" +
      std::string(statistic.is_integer ? ", and for integers at least 2^51 and at most 2^62" : "") +
      "; or larger noise";
  if (!contains(end(), lowest)) refuse("expected_lowest", allowed);
  if (!contains(end(), highest)) refuse("expected_highest", allowed);
  if (statistic.is_integer) {
    const auto last = static_cast<std::int64_t>(end());
    noise.range = {-last, last};
  } else {
    noise.range = {-end(), end()};
  }
}

}  // namespace
}  // namespace range_file

void set_range(StatisticNoise& noise, const Statistic& statistic) {
  namespace file = range_file;
  file::check_form(statistic);
  if (noise.mechanism.starts_with("discrete-")) {
    file::set_discrete(noise, statistic);
  } else {
    file::set_continuous(noise, statistic);
  }
}

}  // namespace renyi::release
