// All random words of a sampler, as a tree of prefixes: what it returns for each, and how much is still undecided.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace renyi::test {

// Gives the words of a prefix; where there are no more, the run is not decided by this prefix.
class PrefixSource {
 public:
  using Word = std::uint8_t;
  struct Exhausted {};

  explicit PrefixSource(const std::vector<Word>& prefix) : prefix_(prefix) {}
  Word next() {
    if (used_ == prefix_.size()) throw Exhausted{};
    return prefix_[used_++];
  }
  [[nodiscard]] std::size_t used() const { return used_; }

 private:
  const std::vector<Word>& prefix_;
  std::size_t used_ = 0;
};

// Masses of outcomes. They are sums of multiples of 2^-40 at most, if there are no more than five words: exact.
template <class Outcome>
struct Masses {
  std::map<Outcome, double> mass;
  double undecided = 0;
};

template <class Outcome, class Run>
void enumerate_below(Masses<Outcome>& masses, std::vector<std::uint8_t>& prefix, const Run& run,
                     std::size_t most_words) {
  try {
    PrefixSource source(prefix);
    const Outcome outcome = run(source);
    masses.mass[outcome] += std::ldexp(1.0, -8 * static_cast<int>(source.used()));
    return;
  } catch (const PrefixSource::Exhausted&) {
    if (prefix.size() == most_words) {
      masses.undecided += std::ldexp(1.0, -8 * static_cast<int>(prefix.size()));
      return;
    }
  }
  prefix.push_back(0);
  for (unsigned word = 0; word < 256; ++word) {
    prefix.back() = static_cast<std::uint8_t>(word);
    enumerate_below(masses, prefix, run, most_words);
  }
  prefix.pop_back();
}

// Runs `run`, which takes a source of words of 8 bits, for every prefix of at most that many words.
template <class Outcome, class Run>
Masses<Outcome> enumerate_words(const Run& run, std::size_t most_words) {
  Masses<Outcome> masses;
  std::vector<std::uint8_t> prefix;
  enumerate_below(masses, prefix, run, most_words);
  return masses;
}

}  // namespace renyi::test
