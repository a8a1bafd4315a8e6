// Runs the samplers for valgrind: with random words and data marked as undefined, so that memcheck reports every branch
// and every address that depends on them, or with fixed words, so that callgrind counts instructions.
//
// Usage: secrets watch | leak-branch | leak-address | count LAW SEED
#include <valgrind/callgrind.h>
#include <valgrind/memcheck.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "noise/bits/bits.h"
#include "noise/integer_laws.h"
#include "noise/integers.h"
#include "noise/on_grid.h"
#include "noise/on_integers.h"
#include "noise/skellam.h"
#include "support/grid_values.h"

namespace renyi::noise {

namespace secrets_file {
namespace {

template <class Number>
void hide(const std::vector<Number>& numbers) {
  VALGRIND_MAKE_MEM_UNDEFINED(numbers.data(), numbers.size() * sizeof(Number));
}

// Words that were made before, so that only the sampler is counted.
class PreparedBits : public Bits {
 public:
  PreparedBits(std::uint64_t seed, std::size_t words, bool is_hidden) : words_(words) {
    std::mt19937_64 random(seed);
    for (std::uint64_t& word : words_) word = random();
    if (is_hidden) hide(words_);
  }
  void fill(std::span<std::uint64_t> words) override {
    if (next_ + words.size() > words_.size()) std::abort();
    std::copy_n(words_.data() + next_, words.size(), words.data());
    next_ += words.size();
  }
  [[nodiscard]] std::size_t used() const { return next_; }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t next_ = 0;
};

// Tables that a process makes once are made by a first draw, which is not counted.
bool is_counted = false;
void toggle() {
  if (is_counted) CALLGRIND_TOGGLE_COLLECT;
}

constexpr std::size_t draws = 512;
using Draw = std::function<void(Bits&, bool is_hidden, std::uint64_t seed)>;

// Numbers on and off the grid, near 0 and far from it, and some that are none.
std::vector<double> some_numbers(std::uint64_t seed) {
  std::mt19937_64 random(seed + 1);
  std::vector<double> numbers(draws);
  for (double& x : numbers) {
    const double whole = static_cast<double>(random() % 2000) - 1000;
    const double choices[] = {whole, whole + 0.37, whole * 1e-300, whole * 1e300, whole / 0.0};
    x = choices[random() % 5];
  }
  return numbers;
}

Draw on_grid(GridLaw law, double scale) {
  return [=](Bits& bits, bool is_hidden, std::uint64_t seed) {
    const std::vector<double> numbers = some_numbers(seed);
    if (is_hidden) hide(numbers);
    const test::GridValues x(numbers);
    std::vector<double> out(draws);
    const Rounding rounding{1, 0x1p51, std::int64_t{1} << 51U};
    toggle();
    draw_on_grid(bits, law, x, scale, rounding, [&](std::size_t first, std::span<const std::int64_t> multiples) {
      for (std::size_t i = 0; i < multiples.size(); ++i) out[first + i] = static_cast<double>(multiples[i]);
    });
    toggle();
  };
}

template <class Law>
Draw on_integers(const Law& law) {
  return [law](Bits& bits, bool is_hidden, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::int64_t> values(draws), out(draws);
    for (std::int64_t& value : values) value = static_cast<std::int64_t>(random());
    if (is_hidden) hide(values);
    toggle();
    draw_integers(bits, draws, law, [&](std::size_t first, std::span<const std::int64_t> drawn) {
      for (std::size_t i = 0; i < drawn.size(); ++i) out[first + i] = saturating_sum(values[first + i], drawn[i]);
    });
    toggle();
  };
}

void draw_skellam(Bits& bits, bool /*is_hidden*/, std::uint64_t /*seed*/) {
  std::vector<std::int64_t> noise(draws);
  toggle();
  skellam(bits, noise, 100);
  toggle();
}

const std::map<std::string, Draw>& laws() {
  using Sides = DiscreteLaplace::Sides;
  static const std::map<std::string, Draw> all{
      {"gaussian", on_grid(GridLaw::gaussian, 1000.5)},
      {"laplace", on_grid(GridLaw::laplace, 1000.5)},
      {"discrete-gaussian", on_integers(DiscreteGaussian(7.5))},
      {"discrete-laplace", on_integers(DiscreteLaplace(7.5, Sides::two))},
      {"geometric", on_integers(DiscreteLaplace(0x1p40, Sides::one))},
      {"skellam", draw_skellam},
  };
  return all;
}

// A mistake that must be reported.
int leak(bool by_address) {
  PreparedBits bits(1, 8, true);
  std::vector<std::uint64_t> words(8), table(256);
  bits.fill(words);
  volatile std::uint64_t seen = 0;
  if (by_address)
    seen = table[words[0] >> 56U];
  else if (words[0] > words[1])
    seen = 1;
  return seen > 1 ? 1 : 0;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments == std::vector<std::string>{"leak-branch"}) return leak(false);
  if (arguments == std::vector<std::string>{"leak-address"}) return leak(true);
  if (arguments == std::vector<std::string>{"watch"}) {
    for (const auto& [name, draw] : laws()) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        PreparedBits bits(seed, 200 * draws, true);
        draw(bits, true, seed);
      }
      std::cout << name << "\n";
    }
    return 0;
  }
  if (arguments.size() == 3 && arguments[0] == "count" && laws().contains(arguments[1])) {
    const std::uint64_t seed = std::strtoull(arguments[2].c_str(), nullptr, 10);
    for (const bool counted : {false, true}) {
      is_counted = counted;
      PreparedBits bits(seed, 20 * draws, false);
      laws().at(arguments[1])(bits, false, seed);
      if (counted) std::cout << bits.used() << "\n";
    }
    return 0;
  }
  std::cerr << "usage: secrets watch | leak-branch | leak-address | count LAW SEED\n";
  return 2;
}

}  // namespace
}  // namespace secrets_file

}  // namespace renyi::noise

int main(int argc, char** argv) {
  return renyi::noise::secrets_file::run(std::vector<std::string>(argv + 1, argv + argc));
}
