#include "noise/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "noise/block_source.h"
#include "noise/coins.h"
#include "noise/parameters.h"
#include "renyi/error.h"
#include "renyi/noise.h"

namespace renyi::noise {

Release poisson_sample(std::span<std::uint8_t> out, double sampling_rate) {
  check_within("sampling_rate", sampling_rate, 0, 1);
  std::vector<std::uint8_t> taken(out.size());
  flip_coins(bits_for_release(out.size()), sampling_rate, taken);
  std::ranges::copy(taken, out.begin());
  return release_of(out.size(), static_cast<double>(out.size()) * slow_coin(sampling_rate));
}

Release fixed_size_sample(std::span<std::uint8_t> out, std::uint64_t sample_size) {
  if (sample_size > out.size()) {
    throw InvalidArgument("sample_size", fmt::format("{}", sample_size),
                          fmt::format("a whole number in [0, {}], the number of records", out.size()));
  }
  std::vector<std::uint8_t> taken(out.size());
  BlockSource source(bits_for_release(out.size()), out.size());
  take_fixed_size(source, sample_size, taken);
  std::ranges::copy(taken, out.begin());
  return release_of(out.size(), static_cast<double>(out.size()) * slow_quotient);
}

Release random_allocation(std::span<std::uint64_t> out, std::uint64_t steps) {
  if (steps == 0) throw InvalidArgument("steps", "0", "a whole number of at least 1");
  std::vector<std::uint64_t> allocated(out.size());
  BlockSource source(bits_for_release(2 * out.size()), 2 * out.size());
  allocate(source, steps, allocated);
  std::ranges::copy(allocated, out.begin());
  return release_of(out.size(), static_cast<double>(out.size()) * slow_uniform(steps));
}

Release shuffle(std::span<std::uint64_t> out) {
  std::vector<std::uint64_t> order(out.size());
  BlockSource source(bits_for_release(2 * out.size()), 2 * out.size());
  permute(source, order);
  std::ranges::copy(order, out.begin());
  return release_of(out.size(), static_cast<double>(out.size()) * slow_uniform(out.size()));
}

}  // namespace renyi::noise
