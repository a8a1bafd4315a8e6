// Samples as lists of the records that take part, in ascending order, for many records of which few take part
// (docs/math/noise-choices.md). Time and addresses depend on the sample, unlike those of samples.h: so do those of
// whatever works on the records that were drawn.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "noise/exact/secret.h"
#include "noise/exact/uniform.h"
#include "noise/uniform_integer.h"

namespace renyi::noise {

// Which of the records of one word are taken, each with probability p in [0, 1): bit i of the words that are read are
// the binary digits of the uniform number U_i, and record i is taken exactly if U_i < p. The first digit that differs
// between U_i and p decides; when `rest` is 0, p has no further digit other than 0, and U_i >= p. `open` are the
// records in question.
template <WordSource Source>
typename Source::Word below_by_digits(Source& source, double p, typename Source::Word open) {
  using Word = typename Source::Word;
  Word taken = 0;
  double rest = p;  // the product by 2 and the difference with 1 are exact
  while (revealed((open != 0) & (rest > 0))) {
    rest *= 2;
    const bool digit = rest >= 1;
    rest -= digit ? 1 : 0;
    const Word word = source.next();
    if (digit) {
      taken = static_cast<Word>(taken | (open & ~word));
      open = static_cast<Word>(open & word);
    } else {
      open = static_cast<Word>(open & ~word);
    }
  }
  return taken;
}

// Appends the places of the ones of a word, from `first` on.
template <class Word>
void append_ones(Word word, std::uint64_t first, std::vector<std::uint64_t>& out) {
  reveal(&word, sizeof word);
  for (; word != 0; word = static_cast<Word>(word & (word - 1U))) {
    out.push_back(first + static_cast<std::uint64_t>(std::countr_zero(word)));
  }
}

// Each of so many records with probability p, 0 <= p <= 1.
template <WordSource Source>
std::vector<std::uint64_t> take_poisson_records(Source& source, std::uint64_t records, double p) {
  using Word = typename Source::Word;
  constexpr auto width = static_cast<std::uint64_t>(std::numeric_limits<Word>::digits);
  constexpr auto all = std::numeric_limits<Word>::max();
  std::vector<std::uint64_t> out;
  for (std::uint64_t first = 0; first < records; first += width) {
    const std::uint64_t left = records - first;
    const Word open = left >= width ? all : static_cast<Word>((std::uint64_t{1} << left) - 1);
    append_ones(p == 1 ? open : below_by_digits(source, p, open), first, out);
  }
  return out;
}

// Floyd's sample of a fixed size: for j = records - size, ..., records - 1 a uniform place up to j, or j itself where
// that place is taken. size <= records.
template <WordSource Source>
std::vector<std::uint64_t> take_fixed_size_records(Source& source, std::uint64_t records, std::uint64_t size) {
  constexpr std::uint64_t width = 64;
  std::vector<std::uint64_t> taken(records / width + 1);
  const auto take = [&taken](std::uint64_t place) {
    const std::uint64_t bit = std::uint64_t{1} << place % width;
    return (std::exchange(taken[place / width], taken[place / width] | bit) & bit) == 0;
  };
  for (std::uint64_t j = records - size; j < records; ++j) {
    std::uint64_t place = uniform_below(source, j + 1);
    reveal(&place, sizeof place);
    if (!take(place)) take(j);
  }
  std::vector<std::uint64_t> out;
  out.reserve(size);
  for (std::uint64_t i = 0; i < taken.size(); ++i) append_ones(taken[i], i * width, out);
  return out;
}

}  // namespace renyi::noise
