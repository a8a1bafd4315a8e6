#include "noise/coins.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "noise/bits/wipe.h"
#include "noise/block_source.h"
#include "noise/parameters.h"
#include "renyi/error.h"
#include "renyi/noise.h"

namespace renyi::noise {

namespace coins_file {
namespace {

constexpr std::int64_t most_categories = 1'000'000'000'000'000;

// Words in a block: small enough for the first level of cache.
constexpr std::size_t block = 1024;

}  // namespace
}  // namespace coins_file

double slow_coin(double p) { return Coin<std::uint64_t>(p).slow(); }

double slow_response(double truth_probability, std::int64_t categories) {
  return slow_coin(truth_probability) + slow_uniform(static_cast<std::uint64_t>(categories - 1));
}

void flip_coins(Bits& bits, double p, std::span<std::uint8_t> out) {
  const Coin<std::uint64_t> coin(p);
  if (coin.always()) {
    std::ranges::fill(out, std::uint8_t{1});
    return;
  }
  // Copies, because bytes that are written could be those of the coin, as far as the compiler knows.
  const std::uint64_t first = coin.first();
  std::array<std::uint64_t, coins_file::block> words;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  BitsSource further(bits);
  for (std::size_t begin = 0; begin < out.size(); begin += words.size()) {
    const std::size_t count = std::min(words.size(), out.size() - begin);
    bits.fill({words.data(), count});
    std::uint8_t* coins = out.data() + begin;
    bool equal = false;
    for (std::size_t i = 0; i < count; ++i) {
      coins[i] = static_cast<std::uint8_t>(words[i] < first);
      equal |= words[i] == first;
    }
    if (!coin.goes_on() || !revealed(equal)) continue;
    for (std::size_t i = 0; i < count; ++i) {
      if (revealed(words[i] == first)) coins[i] = static_cast<std::uint8_t>(coin.flip_further(further));
    }
  }
  wipe(words.data(), sizeof words);
}

void respond_all(Bits& bits, std::span<const std::int64_t> values, std::span<std::int64_t> out,
                 double truth_probability, std::int64_t categories) {
  BlockSource source(bits, 3 * values.size());
  const Coin<std::uint64_t> truth(truth_probability);
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = respond(source, truth, categories, values[i]);
}

Release bernoulli(std::span<std::uint8_t> out, double probability) {
  check_within("probability", probability, 0, 1);
  std::vector<std::uint8_t> coins(out.size());
  flip_coins(bits_for_release(out.size()), probability, coins);
  std::ranges::copy(coins, out.begin());
  return release_of(out.size(), static_cast<double>(out.size()) * slow_coin(probability));
}

Release randomized_response(std::span<const std::int64_t> values, std::span<std::int64_t> out, double truth_probability,
                            std::int64_t categories) {
  if (!(truth_probability > 0 && truth_probability < 1)) {
    throw InvalidArgument("truth_probability", fmt::format("{}", truth_probability), "a number in (0, 1)");
  }
  if (categories < 2 || categories > coins_file::most_categories) {
    throw InvalidArgument("categories", fmt::format("{}", categories),
                          fmt::format("a whole number in [2, {}]", coins_file::most_categories));
  }
  check_same_size(values.size(), out.size());
  std::vector<std::int64_t> responses(out.size());
  respond_all(bits_for_release(3 * out.size()), values, responses, truth_probability, categories);
  Release release =
      release_of("randomized-response",
                 {{"truth_probability", truth_probability}, {"categories", static_cast<double>(categories)}},
                 out.size(), static_cast<double>(out.size()) * slow_response(truth_probability, categories));
  std::ranges::copy(responses, out.begin());
  return release;
}

}  // namespace renyi::noise
