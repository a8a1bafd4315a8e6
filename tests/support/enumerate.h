// Enumerates every random word of a sampler: words of 8 bits, three tiers, exact masses.
//
// An attempt reads three independent numbers: cell, place, acceptance. The first tier is run for all 2^24 triples of
// first words. Where it does not decide, the second words, and for the slow tier the third ones, are enumerated number
// by number, and identical states are merged: what the tiers decide for a cell does not depend on the other numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "noise/exact/attempt.h"
#include "noise/exact/decide.h"
#include "noise/exact/uniform.h"
#include "noise/kernels/kernels.h"

namespace renyi::test {

using ShortNumber = noise::Uniform<std::uint8_t>;

// Thrown where a sampler asks for more words than are enumerated.
struct NeedsMore {};

// Gives one further word at most.
class Further {
 public:
  using Word = std::uint8_t;
  Further() = default;
  explicit Further(unsigned word) : word_(static_cast<int>(word)) {}
  Word next() {
    if (word_ < 0) throw NeedsMore();
    const auto word = static_cast<Word>(word_);
    word_ = -1;
    return word;
  }

 private:
  int word_ = -1;
};

// Gives the same word forever.
struct Constant {
  using Word = std::uint8_t;
  Word word = 0;
  Word next() const { return word; }
};

inline ShortNumber short_number(unsigned both) {
  return {static_cast<std::uint8_t>(both >> 8U), static_cast<std::uint8_t>(both & 255U)};
}
inline const noise::Span128& short_span(unsigned both) {
  static const std::vector<noise::Span128> known = [] {
    std::vector<noise::Span128> spans;
    for (unsigned number = 0; number < 65536; ++number) spans.push_back(noise::span_of(short_number(number)));
    return spans;
  }();
  return known[both];
}

// Calls decide(third) for all third words: how much of them gives which result, and 1 less the sum is not decided.
template <class Decide>
std::map<std::int64_t, double> by_third_words(const Decide& decide) {
  std::map<std::int64_t, double> shares;
  for (unsigned third = 0; third < 256; ++third) {
    try {
      shares[decide(Further(third))] += 1.0 / 256;
    } catch (const NeedsMore&) {
      continue;
    }
  }
  return shares;
}

// A cell that a first word may still become, and the part of its further words that make it so.
struct CellShare {
  bool is_negative;
  std::int64_t index;
  double share;
  bool operator==(const CellShare&) const = default;
};

// Finds the cells of a first word: find(span without sign) is the second tier, slowly(source, number) the slow one.
template <class Find, class Slowly>
std::vector<CellShare> cell_shares(unsigned first, const Find& find, const Slowly& slowly) {
  std::map<std::int64_t, double> shares;
  for (unsigned second = 0; second < 256; ++second) {
    const unsigned both = 256 * first + second;
    if (const std::optional<std::int64_t> index = find(noise::without_sign(short_span(both)))) {
      shares[*index] += 1.0 / 256;
      continue;
    }
    const auto by_third = by_third_words([&](Further source) {
      ShortNumber number = short_number(both);
      return slowly(source, number);
    });
    for (const auto& [index, share] : by_third) shares[index] += share / 256;
  }
  std::vector<CellShare> result;
  for (const auto& [index, share] : shares) result.push_back({first >= 128, index, share});
  return result;
}

// What becomes of a place of two words in a cell: the candidate's size, the part of third words that give it, and which
// acceptance numbers in [0, 65536) accept it; those between the two are not decided.
struct Piece {
  std::int64_t size;
  double share;
  double accepted_below, rejected_from;
};

// The acceptance numbers of two words that a tier accepts, and those that it rejects, where compare(span) is its
// decision: it accepts below some number and rejects from some other on.
struct Decided {
  unsigned accepted_below, rejected_from;
};
template <class Compare>
Decided decided_by(const Compare& compare) {
  const auto count_while = [](const auto& holds) {
    unsigned low = 0, high = 65536;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (holds(middle))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  return {count_while([&](unsigned number) {
            const noise::Comparison c = compare(short_span(number));
            return c.is_decided && c.is_below;
          }),
          count_while([&](unsigned number) {
            const noise::Comparison c = compare(short_span(number));
            return !c.is_decided || c.is_below;
          })};
}
// What the slow tier adds where the second one does not decide.
inline Decided joined(const Decided& second, const Decided& slow) {
  return {std::clamp(slow.accepted_below, second.accepted_below, second.rejected_from),
          std::clamp(slow.rejected_from, second.accepted_below, second.rejected_from)};
}

// A sampler in stages.
class Stages {
 public:
  Stages() = default;
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;
  virtual ~Stages() = default;
  // The first tier; `out` is a signed cell or a value.
  virtual void attempts(const noise::Words& words, std::size_t count, const noise::Knowledge& knowledge,
                        std::uint64_t* out, const noise::Marks& marks) const = 0;
  [[nodiscard]] virtual std::vector<CellShare> cells(unsigned first) const = 0;
  // Cells from this one on are too rare to be enumerated.
  [[nodiscard]] virtual std::int64_t cell_limit() const = 0;
  [[nodiscard]] virtual std::vector<Piece> pieces(std::int64_t cell, unsigned place) const = 0;
  // What the first tier has to give, and whether an accepted candidate counts.
  [[nodiscard]] virtual std::int64_t outcome(bool is_negative, std::int64_t cell, std::int64_t size) const = 0;
  [[nodiscard]] virtual bool counts(bool /*is_negative*/, std::int64_t /*cell*/, std::int64_t /*size*/) const {
    return true;
  }
};

// Accepted masses by outcome and place (of 16 bits). A mass is a sum of multiples of 2^-72: the doubles are exact to
// 1e-13.
struct Enumerated {
  std::map<std::int64_t, std::vector<double>> accepted;
  double accepted_in_all = 0, rejected = 0, undecided = 0;
  double later = 0;                 // left to the second and the slow tier
  std::uint64_t disagreements = 0;  // lanes in which the first tier decided otherwise than the others

  void accept(std::int64_t outcome, unsigned place, double mass) {
    std::vector<double>& places = accepted[outcome];
    places.resize(65536);
    places[place] += mass;
    accepted_in_all += mass;
  }
};

class Enumerator {
 public:
  Enumerator(const Stages& stages, const noise::Knowledge& knowledge) : stages_(stages), knowledge_(knowledge) {}

  Enumerated run() {
    for (const bool second : {false, true}) {
      for (unsigned p = 0; p < 256; ++p)
        for (unsigned a = 0; a < 256; ++a) (second ? acceptance_ : place_)[256 * p + a] = top(second ? a : p);
    }
    for (unsigned first = 0; first < 256; ++first) {
      std::fill(cell_.begin(), cell_.end(), top(first));
      Lanes now;
      stages_.attempts({cell_.data(), place_.data(), acceptance_.data()}, cell_.size(), knowledge_, now.out.data(),
                       {now.accepted.data(), now.undecided.data()});
      const std::vector<CellShare> shares = stages_.cells(first);
      // Words of the same cell give the same lanes: their masses are added at once.
      if (same_ != 0 && shares == shares_ && now == lanes_) {
        ++same_;
        continue;
      }
      count_lanes();
      lanes_ = std::move(now);
      shares_ = shares;
      same_ = 1;
    }
    count_lanes();
    return std::move(result_);
  }

 private:
  struct Lanes {
    std::vector<std::uint64_t> out = std::vector<std::uint64_t>(65536), accepted = out, undecided = out;
    bool operator==(const Lanes&) const = default;
  };
  // The pieces of all places with the same first word.
  struct Places {
    std::array<std::vector<Piece>, 256> pieces;
    double least_accepted = 65536, most_rejected = 0, decided = 0;
  };

  static std::uint64_t top(unsigned word) { return std::uint64_t{word} << 56U; }

  const Places& places(std::int64_t cell, unsigned first) {
    const auto [found, is_new] = places_.try_emplace({cell, first});
    Places& places = found->second;
    if (!is_new) return places;
    for (unsigned second = 0; second < 256; ++second) {
      places.pieces[second] = stages_.pieces(cell, 256 * first + second);
      for (const Piece& piece : places.pieces[second]) {
        places.least_accepted = std::min(places.least_accepted, piece.accepted_below);
        places.most_rejected = std::max(places.most_rejected, piece.rejected_from);
        places.decided += piece.share / 256;
      }
    }
    return places;
  }

  void count_lanes() {
    for (unsigned p = 0; p < 256 && same_ != 0; ++p) {
      count_decided(p);
      count_undecided(p);
    }
  }

  // Lanes of the same place differ in the acceptance only, and are counted together.
  void count_decided(unsigned p) {
    const double mass = static_cast<double>(same_) * 0x1p-24;
    std::map<std::int64_t, unsigned> accepted;
    double most_accepted = 0, least_rejected = 65536;  // what was accepted and rejected, as acceptance numbers
    for (unsigned a = 0; a < 256; ++a) {
      const std::size_t lane = 256 * p + a;
      if (lanes_.undecided[lane] != 0) continue;
      if (lanes_.accepted[lane] != 0) {
        ++accepted[static_cast<std::int64_t>(lanes_.out[lane])];
        most_accepted = std::max(most_accepted, 256.0 * (a + 1));
      } else {
        result_.rejected += mass;
        least_rejected = std::min(least_rejected, 256.0 * a);
      }
    }
    for (const auto& [out, lanes] : accepted)
      for (unsigned second = 0; second < 256; ++second) result_.accept(out, 256 * p + second, lanes * mass / 256);
    if (accepted.empty() && least_rejected == 65536) return;

    // No continuation of the words may be decided otherwise.
    bool agrees = shares_.size() == 1 && accepted.size() <= 1;
    for (const CellShare& cell : shares_) {
      if (cell.index >= stages_.cell_limit()) continue;
      for (const std::vector<Piece>& pieces : places(cell.index, p).pieces) {
        for (const Piece& piece : pieces) {
          if (!accepted.empty())
            agrees &= most_accepted <= piece.rejected_from && counts(cell, piece) &&
                      outcome(cell, piece) == accepted.begin()->first;
          agrees &= least_rejected >= piece.accepted_below || !counts(cell, piece);
        }
      }
    }
    if (!agrees) ++result_.disagreements;
  }

  void count_undecided(unsigned p) {
    const double mass = static_cast<double>(same_) * 0x1p-24;
    unsigned lanes = 0;
    for (unsigned a = 0; a < 256; ++a) lanes += lanes_.undecided[256 * p + a] != 0 ? 1 : 0;
    if (lanes == 0) return;
    result_.later += mass * lanes;
    double left = 1;
    for (const CellShare& cell : shares_) {
      if (cell.index >= stages_.cell_limit()) continue;
      left -= cell.share;
      const Places& all = places(cell.index, p);
      unsigned surely = 0;
      for (unsigned a = 0; a < 256; ++a) {
        if (lanes_.undecided[256 * p + a] == 0) continue;
        const double here = mass * cell.share;
        if (all.least_accepted >= 256.0 * (a + 1)) {
          ++surely;
        } else if (all.most_rejected <= 256.0 * a) {
          result_.rejected += here * all.decided;
          result_.undecided += here * (1 - all.decided);
        } else {
          for (unsigned second = 0; second < 256; ++second)
            count_pieces(cell, all.pieces[second], 256 * p + second, a, here / 256);
        }
      }
      for (unsigned second = 0; second < 256 && surely > 0; ++second)
        count_pieces(cell, all.pieces[second], 256 * p + second, 0, mass * cell.share * surely / 256);
    }
    result_.undecided += mass * lanes * left;
  }

  // Acceptance numbers with the first word a; for a = 0 also those that are all accepted.
  void count_pieces(const CellShare& cell, const std::vector<Piece>& pieces, unsigned place, unsigned a, double mass) {
    double left = mass;
    for (const Piece& piece : pieces) {
      const double here = mass * piece.share;
      const double accepted = here * std::clamp(piece.accepted_below - 256.0 * a, 0.0, 256.0) / 256;
      const double rejected = here * std::clamp(256.0 * (a + 1) - piece.rejected_from, 0.0, 256.0) / 256;
      if (!counts(cell, piece))
        result_.rejected += accepted;
      else if (accepted > 0)
        result_.accept(outcome(cell, piece), place, accepted);
      result_.rejected += rejected;
      left -= accepted + rejected;
    }
    result_.undecided += left;
  }

  [[nodiscard]] std::int64_t outcome(const CellShare& cell, const Piece& piece) const {
    return stages_.outcome(cell.is_negative, cell.index, piece.size);
  }
  [[nodiscard]] bool counts(const CellShare& cell, const Piece& piece) const {
    return stages_.counts(cell.is_negative, cell.index, piece.size);
  }

  const Stages& stages_;
  noise::Knowledge knowledge_;
  std::vector<std::uint64_t> cell_ = std::vector<std::uint64_t>(65536), place_ = cell_, acceptance_ = cell_;
  Lanes lanes_;
  std::vector<CellShare> shares_;
  std::uint64_t same_ = 0;
  std::map<std::pair<std::int64_t, unsigned>, Places> places_;
  Enumerated result_;
};

}  // namespace renyi::test
