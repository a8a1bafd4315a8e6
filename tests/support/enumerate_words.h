// Runs a sampler over the tree of all random words, depth first, and sums the masses of its outcomes.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace renyi::test {

// Gives the words of a prefix, and says so when they are used up.
template <class W>
class PrefixWords {
 public:
  using Word = W;
  struct UsedUp {};
  explicit PrefixWords(const std::vector<W>& prefix) : prefix_(prefix) {}
  W next() {
    if (read_ == prefix_.size()) throw UsedUp();
    return prefix_[read_++];
  }

 private:
  const std::vector<W>& prefix_;
  std::size_t read_ = 0;
};

// The outcomes with the mass of the words that lead to them, and the mass of prefixes that were not followed further.
template <class Outcome>
struct Enumeration {
  std::map<Outcome, double> mass;
  double undecided = 0;
};

// `run` takes a PrefixWords and returns an outcome. It is started again with every longer prefix. Prefixes whose mass
// is below `least_mass` are not extended. All masses are multiples of powers of two, and their sums are exact.
template <class Word, class Outcome, class Run>
Enumeration<Outcome> enumerate_words(const Run& run, double least_mass) {
  Enumeration<Outcome> all;
  std::vector<Word> prefix;
  for (;;) {
    const double mass = std::ldexp(1.0, -static_cast<int>(prefix.size()) * std::numeric_limits<Word>::digits);
    PrefixWords<Word> words(prefix);
    std::optional<Outcome> outcome;
    try {
      outcome = run(words);
    } catch (const typename PrefixWords<Word>::UsedUp&) {
      if (mass >= least_mass) {
        prefix.push_back(0);
        continue;
      }
    }
    if (outcome) {
      all.mass[*outcome] += mass;
    } else {
      all.undecided += mass;
    }
    while (!prefix.empty() && prefix.back() == std::numeric_limits<Word>::max()) prefix.pop_back();
    if (prefix.empty()) return all;
    ++prefix.back();
  }
}

}  // namespace renyi::test
