#include "noise/secrets/watched.h"

#include <cmath>
#include <random>
#include <span>
#include <utility>

#include "renyi/clipped_sum.h"
#include "renyi/exact_sum.h"
#include "renyi/noise.h"

namespace renyi::noise {

namespace watched_file {
namespace {

constexpr std::size_t draws = 512;

// Numbers on and off the grid, near 0 and far from it, and some that are none.
template <class Number>
std::vector<Number> some_numbers(std::uint64_t seed) {
  std::mt19937_64 random(seed + 1);
  std::vector<Number> numbers(draws);
  for (Number& x : numbers) {
    const double whole = static_cast<double>(random() % 2000) - 1000;
    const double choices[] = {whole, whole + 0.37, whole * 1e-300, whole * 1e300, whole / 0.0};
    x = static_cast<Number>(choices[random() % 5]);
  }
  return numbers;
}

std::vector<std::int64_t> some_integers(std::uint64_t seed) {
  std::mt19937_64 random(seed + 1);
  std::vector<std::int64_t> numbers(draws);
  for (std::int64_t& x : numbers) x = static_cast<std::int64_t>(random() >> (random() % 64));
  return numbers;
}

// A call that reads hidden values and writes as many results.
template <class In, class Out, class Call>
void watch_values(Watch& watch, const std::vector<In>& values, const Call& call) {
  std::vector<Out> out(values.size());
  watch.hide(values);
  watch.toggle();
  call(std::span<const In>(values), std::span<Out>(out));
  watch.toggle();
}
template <class Out, class Call>
void watch_draws(Watch& watch, const Call& call) {
  std::vector<Out> out(draws);
  watch.toggle();
  call(std::span<Out>(out));
  watch.toggle();
}

template <class Number>
Watched on_grid(std::string name, Release (*law)(std::span<const Number>, std::span<Number>, double, const OnGrid&)) {
  return {std::move(name), true, true, [law](Watch& watch, std::uint64_t seed) {
            watch_values<Number, Number>(watch, some_numbers<Number>(seed),
                                         [law](auto in, auto out) { law(in, out, 1000.5, {.grid = 1, .range = 8e6}); });
          }};
}

Watched on_integers(std::string name, bool has_equal_instructions, double parameter,
                    Release (*law)(std::span<const std::int64_t>, std::span<std::int64_t>, double, double)) {
  return {std::move(name), true, has_equal_instructions, [law, parameter](Watch& watch, std::uint64_t seed) {
            watch_values<std::int64_t, std::int64_t>(
                watch, some_integers(seed), [law, parameter](auto in, auto out) { law(in, out, parameter, 1); });
          }};
}

template <class Out, class Call>
Watched drawn(std::string name, const Call& call) {
  return {std::move(name), true, true, [call](Watch& watch, std::uint64_t /*seed*/) { watch_draws<Out>(watch, call); }};
}

Watched choice(std::string name, Choice (*law)(std::span<const double>, double, const Scores&)) {
  return {std::move(name), true, true, [law](Watch& watch, std::uint64_t seed) {
            watch_values<double, std::uint64_t>(watch, some_numbers<double>(seed),
                                                [law](auto in, auto out) { out[0] = law(in, 0.01, {}).index; });
          }};
}

template <class Number>
Watched clipped(std::string name) {
  return {std::move(name), false, true, [](Watch& watch, std::uint64_t seed) {
            // Records below and above the norm, one of zeros, and those that count as zeros.
            std::vector<Number> usual(draws), strange = some_numbers<Number>(seed);
            std::mt19937_64 random(seed);
            const double size = std::ldexp(1.0, static_cast<int>(random() % 20) - 15);
            for (Number& x : usual) x = static_cast<Number>(size * (static_cast<double>(random() % 201) - 100) / 100);
            const std::vector<Number> zero(draws);
            watch.hide(strange);
            watch.hide(usual);
            watch.hide(zero);
            ClippedSum sum(draws, 1);
            watch.toggle();
            for (const std::span<const Number> record :
                 {std::span<const Number>(usual), std::span<const Number>(strange), std::span<const Number>(zero)})
              sum.add(record);
            watch.toggle();
          }};
}

void watch_noise_like(Watch& watch, std::uint64_t seed) {
  ClippedSum sum(draws, 1);
  std::vector<double> record = some_numbers<double>(seed);
  watch.hide(record);
  sum.add(record);
  std::vector<double> out(draws);
  watch.toggle();
  noise_like(sum, out, 1.1);
  watch.toggle();
}

void watch_exact_sum(Watch& watch, std::uint64_t seed) {
  const std::vector<double> numbers = some_numbers<double>(seed);
  watch.hide(numbers);
  ExactSum sum(1e6), other(1e6);
  std::vector<double> out(1);
  watch.toggle();
  sum.add(numbers);
  other.add(numbers[0]);
  sum.merge(other);
  laplace({&sum, 1}, out, 1e6, {.grid = 1, .range = 0x1p30, .sensitivity = 1e6});
  watch.toggle();
}

std::vector<Watched> listed() {
  using Bytes = std::span<std::uint8_t>;
  using Words = std::span<std::uint64_t>;
  return {
      on_grid<double>("gaussian", gaussian),
      on_grid<float>("gaussian-floats", gaussian),
      on_grid<double>("laplace", laplace),
      on_grid<float>("laplace-floats", laplace),
      on_integers("discrete-gaussian", true, 7.5, discrete_gaussian),
      on_integers("discrete-laplace", true, 7.5, discrete_laplace),
      // Every attempt reads words of its own, so that hardly any two calls read the same number.
      on_integers("skellam", false, 100, skellam),
      drawn<std::int64_t>("geometric", [](auto out) { geometric(out, 0x1p40); }),
      drawn<std::uint8_t>("bernoulli", [](Bytes out) { bernoulli(out, 0.3); }),
      drawn<std::uint8_t>("bernoulli-exp", [](Bytes out) { bernoulli_exp(out, 0.7); }),
      {"randomized-response", true, true,
       [](Watch& watch, std::uint64_t seed) {
         watch_values<std::int64_t, std::int64_t>(watch, some_integers(seed),
                                                  [](auto in, auto out) { randomized_response(in, out, 0.6, 5); });
       }},
      choice("exponential", exponential),
      choice("permute-and-flip", permute_and_flip),
      choice("report-noisy-max", report_noisy_max),
      drawn<std::uint8_t>("poisson-sample", [](Bytes out) { poisson_sample(out, 0.3); }),
      drawn<std::uint8_t>("fixed-size-sample", [](Bytes out) { fixed_size_sample(out, draws / 3); }),
      drawn<std::uint64_t>("random-allocation", [](Words out) { random_allocation(out, 1000); }),
      drawn<std::uint64_t>("shuffle", [](Words out) { shuffle(out); }),
      // Lists have the sample's own size and addresses (docs/math/noise.md, "Time").
      {"poisson-records", true, false,
       [](Watch& /*watch*/, std::uint64_t /*seed*/) { (void)poisson_records(draws, 0.3); }},
      {"fixed-size-records", true, false,
       [](Watch& /*watch*/, std::uint64_t /*seed*/) { (void)fixed_size_records(draws, draws / 3); }},
      clipped<double>("clipped-sum"),
      clipped<float>("clipped-sum-floats"),
      {"noise-like", true, true, watch_noise_like},
      {"exact-sum", true, true, watch_exact_sum},
  };
}

}  // namespace
}  // namespace watched_file

const std::vector<Watched>& all_watched() {
  static const std::vector<Watched> all = watched_file::listed();
  return all;
}

}  // namespace renyi::noise
