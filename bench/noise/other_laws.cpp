#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "bench/noise/counted_bits.h"
#include "bench/noise/entropy.h"
#include "bench/noise/laws.h"
#include "noise/bernoulli_exp.h"
#include "noise/block_source.h"
#include "noise/coins.h"
#include "noise/integer_laws.h"
#include "noise/integers.h"
#include "noise/samples.h"
#include "noise/skellam.h"
#include "renyi/noise.h"

namespace bench {
namespace {

namespace noise = renyi::noise;

// A call that writes `count` numbers, and the words that it takes by the function inside it.
template <class Number, class Write, class Inside>
Law law_of(const std::string& name, const std::string& parameter, const std::string& number, double entropy,
           const Write& write, const Inside& inside) {
  return {.name = name,
          .scale = parameter,
          .number = number,
          .limit = std::nullopt,
          .entropy = entropy,
          .prepared = [=](std::size_t count) -> std::function<void()> {
            return [=, numbers = std::make_shared<std::vector<Number>>(count)] { write(std::span<Number>(*numbers)); };
          },
          .words =
              [=](std::size_t draws) {
                std::vector<Number> numbers(draws);
                return counted([&](noise::Bits& bits) { inside(bits, std::span<Number>(numbers)); });
              }};
}

using Bytes = std::span<std::uint8_t>;
using Integers = std::span<std::int64_t>;
using Words = std::span<std::uint64_t>;

double entropy_of_coin(double p) { return -p * std::log2(p) - (1 - p) * std::log2(1 - p); }
double log2_factorial(double n) { return std::lgamma(n + 1) * std::numbers::log2e; }

// The entropies of samples are those of a million records, for each record.
constexpr double records = 1e6;

}  // namespace

void append_other_laws(std::vector<Law>& laws) {
  const double ratio = std::exp(-0x1p-10);
  laws.push_back(law_of<std::int64_t>(
      "geometric", "2^10", "int64 alone", -std::log2(1 - ratio) + ratio / (1 - ratio) * 0x1p-10 * std::numbers::log2e,
      [](Integers out) { noise::geometric(out, 0x1p10); },
      [](noise::Bits& bits, Integers out) {
        const noise::DiscreteLaplace law(0x1p10, noise::DiscreteLaplace::Sides::one);
        noise::draw_integers(bits, out.size(), law, [](std::size_t, std::span<const std::int64_t>) {});
      }));
  laws.push_back(law_of<std::int64_t>(
      "skellam", "variance 2^20", "int64", normal_entropy(0x1p10),
      [](Integers out) { noise::skellam(out, out, 0x1p20); },
      [](noise::Bits& bits, Integers out) { noise::skellam(bits, out, 0x1p20); }));
  laws.push_back(law_of<std::uint8_t>(
      "bernoulli", "p = 0.3", "byte", entropy_of_coin(0.3), [](Bytes out) { noise::bernoulli(out, 0.3); },
      [](noise::Bits& bits, Bytes out) { noise::flip_coins(bits, 0.3, out); }));
  laws.push_back(law_of<std::uint8_t>(
      "bernoulli_exp", "x = 0.5", "byte", entropy_of_coin(std::exp(-0.5)),
      [](Bytes out) { noise::bernoulli_exp(out, 0.5); },
      [](noise::Bits& bits, Bytes out) { noise::bernoulli_exp(bits, out, 0.5); }));
  laws.push_back(law_of<std::int64_t>(
      "randomized_response", "0.75, of 10", "int64", entropy_of_coin(0.75) + 0.25 * std::log2(9),
      [](Integers out) { noise::randomized_response(out, out, 0.75, 10); },
      [](noise::Bits& bits, Integers out) { noise::respond_all(bits, out, out, 0.75, 10); }));
  laws.push_back(law_of<std::uint8_t>(
      "poisson_sample", "q = 0.01", "byte", entropy_of_coin(0.01), [](Bytes out) { noise::poisson_sample(out, 0.01); },
      [](noise::Bits& bits, Bytes out) { noise::flip_coins(bits, 0.01, out); }));
  const double sets = log2_factorial(records) - log2_factorial(records / 100) - log2_factorial(records - records / 100);
  laws.push_back(law_of<std::uint8_t>(
      "fixed_size_sample", "1 of 100", "byte", sets / records,
      [](Bytes out) { noise::fixed_size_sample(out, out.size() / 100); },
      [](noise::Bits& bits, Bytes out) {
        noise::BlockSource source(bits, out.size());
        noise::take_fixed_size(source, out.size() / 100, out);
      }));
  laws.push_back(law_of<std::uint64_t>(
      "random_allocation", "100 steps", "uint64", std::log2(100), [](Words out) { noise::random_allocation(out, 100); },
      [](noise::Bits& bits, Words out) {
        noise::BlockSource source(bits, 2 * out.size());
        noise::allocate(source, 100, out);
      }));
  laws.push_back(law_of<std::uint64_t>(
      "shuffle", "", "uint64", log2_factorial(records) / records, [](Words out) { noise::shuffle(out); },
      [](noise::Bits& bits, Words out) {
        noise::BlockSource source(bits, 2 * out.size());
        noise::permute(source, out);
      }));
}

}  // namespace bench
