#include "noise/skellam.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "noise/exact/uniform.h"
#include "noise/on_integers.h"
#include "noise/parameters.h"
#include "noise/poisson.h"
#include "renyi/noise.h"

namespace renyi::noise {

namespace skellam_file {
namespace {

// An attempt takes four words, and two Poisson variables about four attempts.
constexpr std::size_t words_a_draw = 16;

}  // namespace
}  // namespace skellam_file

void skellam(Bits& bits, std::span<std::int64_t> noise, double variance) {
  const Poisson poisson(variance / 2);
  BitsSource source(bits);
  for (std::int64_t& value : noise) {
    const std::int64_t first = poisson.draw(source);
    value = first - poisson.draw(source);
  }
}

double skellam_slow_probability(double variance) { return 2 * Poisson(variance / 2).slow_probability(); }

Release skellam(std::span<const std::int64_t> values, std::span<std::int64_t> out, double variance,
                double sensitivity) {
  check_within("variance", variance, smallest_skellam_variance, largest_skellam_variance);
  check_whole("sensitivity", sensitivity, 1, 0x1p53);
  check_same_size(values.size(), out.size());
  std::vector<std::int64_t> noise(values.size());
  skellam(bits_for_release(skellam_file::words_a_draw * values.size()), noise, variance);
  // All sums come before the first of them is written, for the output may lie across the input.
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = saturating_sum(values[i], noise[i]);
  Release release = release_of("skellam", {{"variance", variance}, {"sensitivity", sensitivity}}, out.size(),
                               static_cast<double>(out.size()) * skellam_slow_probability(variance));
  std::ranges::copy(noise, out.begin());
  return release;
}

}  // namespace renyi::noise
