// The stages of the vector samplers, for enumerations of all their words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "certify/ball/ball.h"
#include "noise/exact/attempt.h"
#include "noise/exact/cells.h"
#include "noise/fair_exponential.h"
#include "noise/half_normal.h"
#include "noise/integer_laws.h"
#include "support/enumerate.h"

namespace renyi::noise::enumerated {

using certify::Ball;
using test::by_third_words;
using test::cell_shares;
using test::CellShare;
using test::Decided;
using test::decided_by;
using test::Further;
using test::joined;
using test::NeedsMore;
using test::Piece;
using test::short_number;
using test::short_span;
using test::ShortNumber;
using test::Stages;

// The second tier, with an enclosure that is wider by so much.
inline Fraction widen(const Fraction& fraction, double by) {
  const auto width = static_cast<Wide>(by * 0x1p64) << 64U;
  return {fraction.lower > width ? fraction.lower - width : 0,
          fraction.upper < ~width ? fraction.upper + width : ~Wide{0}};
}
inline Decided second_tier(const Fraction& fraction, double by) {
  const Fraction wide_one = widen(fraction, by);
  return decided_by([&](const Span128& c) { return compare(c, wide_one); });
}

// What the slow tier decides about the acceptance of a place of two words, without further words. `near` is the
// enclosure of the second tier, from which the search starts.
template <class Exponent>
Decided slow_tier(unsigned place, const Fraction& near, const Exponent& exponent) {
  enum class Fate { accepted, rejected, open };
  const auto fate = [&](unsigned acceptance) {
    Further none;
    ShortNumber u = short_number(place), c = short_number(acceptance);
    try {
      return is_accepted_slowly(none, u, c, exponent) ? Fate::accepted : Fate::rejected;
    } catch (const NeedsMore&) {
      return Fate::open;
    }
  };
  auto accepted = static_cast<unsigned>(near.lower >> 112U);
  while (accepted > 0 && fate(accepted - 1) != Fate::accepted) --accepted;
  Fate next = Fate::rejected;
  while (accepted < 65536 && (next = fate(accepted)) == Fate::accepted) ++accepted;
  unsigned rejected = accepted;
  while (rejected < 65536 && next != Fate::rejected) {
    if (++rejected < 65536) next = fate(rejected);
  }
  return {accepted, rejected};
}

inline std::optional<std::int64_t> found(const Cells& cells, const Span128& v) {
  const Cells::Found cell = cells.find(v);
  return cell.is_decided ? std::optional(cell.index) : std::nullopt;
}
inline std::vector<CellShare> half_normal_cells(const Cells& cells, unsigned first) {
  return cell_shares(
      first, [&](const Span128& v) { return found(cells, v); },
      [&](Further& source, ShortNumber& number) { return cells.find_slowly(source, number); });
}
inline std::vector<CellShare> fair_cells(unsigned first) {
  return cell_shares(
      first,
      [](const Span128& v) {
        const FairExponential::Zeros zeros = FairExponential::zeros(v);
        return zeros.is_decided ? std::optional(static_cast<std::int64_t>(zeros.count)) : std::nullopt;
      },
      [](Further& source, ShortNumber& number) {
        return static_cast<std::int64_t>(FairExponential::zeros_slowly(source, number));
      });
}

// Acceptance by the second and the slow tier, place by place; the slow tier's part is kept between enumerations.
struct HalfNormalPlaces {
  static std::int64_t kind(std::int64_t k) { return k; }  // the cells of a kind have the same acceptance
  static Fraction acceptance(std::int64_t k, const Span128& u) { return HalfNormal::acceptance(k, u); }
  static const Decided& slow(std::int64_t k, unsigned place) {
    static std::map<std::int64_t, std::vector<Decided>> known;
    std::vector<Decided>& places = known[k];
    while (places.size() <= place) {
      const auto next = static_cast<unsigned>(places.size());
      places.push_back(
          slow_tier(next, acceptance(k, short_span(next)), [&](const Ball& u) { return HalfNormal::exponent(k, u); }));
    }
    return places[place];
  }
};
struct FairPlaces {
  static std::int64_t kind(std::int64_t /*j*/) { return 0; }
  static Fraction acceptance(std::int64_t /*j*/, const Span128& v) { return FairExponential::acceptance(v); }
  static const Decided& slow(std::int64_t /*j*/, unsigned place) {
    static const std::vector<Decided> known = [] {
      std::vector<Decided> places;
      for (unsigned next = 0; next < 65536; ++next)
        places.push_back(slow_tier(next, acceptance(0, short_span(next)), FairExponential::exponent));
      return places;
    }();
    return known[place];
  }
};

// A continuous law: outcomes are signed cells, and the second tier knows only the first word of the place.
template <class Places>
class GridStages : public Stages {
 public:
  explicit GridStages(double by) : by_(by) {}
  [[nodiscard]] std::vector<Piece> pieces(std::int64_t k, unsigned place) const override {
    const auto [known, is_new] = second_.try_emplace({Places::kind(k), place >> 8U});
    if (is_new) known->second = second_tier(Places::acceptance(k, {Wide{place >> 8U} << 120U, Wide{1} << 120U}), by_);
    Decided decided = known->second;
    if (k < slow_limit()) decided = joined(decided, Places::slow(k, place));
    return {{0, 1.0, static_cast<double>(decided.accepted_below), static_cast<double>(decided.rejected_from)}};
  }
  [[nodiscard]] std::int64_t outcome(bool is_negative, std::int64_t k, std::int64_t /*size*/) const override {
    return 2 * k + (is_negative ? 1 : 0);
  }
  // Cells from here on are left to the first two tiers, because their mass is small.
  [[nodiscard]] virtual std::int64_t slow_limit() const = 0;

 private:
  double by_;
  mutable std::map<std::pair<std::int64_t, unsigned>, Decided> second_;  // by the place's first word
};

class HalfNormalStages : public GridStages<HalfNormalPlaces> {
 public:
  using GridStages::GridStages;
  void attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::uint64_t* out,
                const Marks& marks) const override {
    HalfNormal::attempts(words, count, knowledge, out, marks);
  }
  [[nodiscard]] std::vector<CellShare> cells(unsigned first) const override {
    return half_normal_cells(Cells::plain(), first);
  }
  [[nodiscard]] std::int64_t cell_limit() const override { return 6; }
  [[nodiscard]] std::int64_t slow_limit() const override { return 4; }
};

class FairStages : public GridStages<FairPlaces> {
 public:
  using GridStages::GridStages;
  void attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::uint64_t* out,
                const Marks& marks) const override {
    FairExponential::attempts(words, count, knowledge, out, marks);
  }
  [[nodiscard]] std::vector<CellShare> cells(unsigned first) const override { return fair_cells(first); }
  [[nodiscard]] std::int64_t cell_limit() const override { return 20; }
  [[nodiscard]] std::int64_t slow_limit() const override { return 20; }
};

class DiscreteGaussianStages : public Stages {
 public:
  DiscreteGaussianStages(double stddev, double by) : law_(stddev), by_(by) {}
  void attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::uint64_t* out,
                const Marks& marks) const override {
    law_.attempts(words, count, knowledge, reinterpret_cast<std::int64_t*>(out), marks);
  }
  [[nodiscard]] std::vector<CellShare> cells(unsigned first) const override {
    return half_normal_cells(law_.cells(), first);
  }
  [[nodiscard]] std::int64_t cell_limit() const override { return 6; }
  [[nodiscard]] std::vector<Piece> pieces(std::int64_t k, unsigned place) const override {
    const Scale::Multiple t = law_.scale().times(0, short_span(place));
    const auto start = k * static_cast<std::int64_t>(law_.cell_width());
    if (t.fraction <= ~t.width) return {piece(k, start + static_cast<std::int64_t>(t.whole), 1.0)};
    std::vector<Piece> result;
    for (const auto& [n, share] : by_third_words([&](Further source) {
           ShortNumber u = short_number(place);
           return law_.candidate_slowly(source, k, u);
         }))
      result.push_back(piece(k, n, share));
    return result;
  }
  [[nodiscard]] std::int64_t outcome(bool is_negative, std::int64_t /*k*/, std::int64_t n) const override {
    return is_negative ? -n : n;
  }
  [[nodiscard]] bool counts(bool is_negative, std::int64_t /*k*/, std::int64_t n) const override {
    return !(is_negative && n == 0);
  }

 private:
  Piece piece(std::int64_t k, std::int64_t n, double share) const {
    const auto [known, is_new] = known_.try_emplace({k, n});
    if (is_new) {
      const Decided second = second_tier(law_.acceptance(k, n), by_);
      double accepted = second.accepted_below, rejected = second.rejected_from;
      // The slow tier, with all third words.
      const Enclosure threshold = [&] { return exp(-law_.exponent(k, n)); };
      for (unsigned number = second.accepted_below; number < second.rejected_from; ++number) {
        try {
          Further none;
          ShortNumber c = short_number(number);
          if (is_below_slowly(none, c, threshold))
            accepted += 1;
          else
            rejected -= 1;
          continue;
        } catch (const NeedsMore&) {
        }
        const auto fates = by_third_words([&](Further source) {
          ShortNumber c = short_number(number);
          return static_cast<std::int64_t>(is_below_slowly(source, c, threshold));
        });
        if (fates.contains(1)) accepted += fates.at(1);
        if (fates.contains(0)) rejected -= fates.at(0);
      }
      known->second = {n, 1.0, accepted, rejected};
    }
    Piece result = known->second;
    result.share = share;
    return result;
  }

  DiscreteGaussian law_;
  double by_;
  mutable std::map<std::pair<std::int64_t, std::int64_t>, Piece> known_;
};

class DiscreteLaplaceStages : public Stages {
 public:
  using Sides = DiscreteLaplace::Sides;
  DiscreteLaplaceStages(double scale, Sides sides, double by) : law_(scale, sides), sides_(sides), by_(by) {}
  void attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::uint64_t* out,
                const Marks& marks) const override {
    law_.attempts(words, count, knowledge, reinterpret_cast<std::int64_t*>(out), marks);
  }
  [[nodiscard]] std::vector<CellShare> cells(unsigned first) const override { return fair_cells(first); }
  [[nodiscard]] std::int64_t cell_limit() const override { return 20; }
  [[nodiscard]] std::vector<Piece> pieces(std::int64_t j, unsigned place) const override {
    if (second_.empty()) {
      for (unsigned both = 0; both < 65536; ++both)
        second_.push_back(second_tier(FairPlaces::acceptance(j, short_span(both)), by_));
    }
    const Decided decided = joined(second_[place], FairPlaces::slow(j, place));
    const double accepted = decided.accepted_below, rejected = decided.rejected_from;
    const Scale::Multiple t = law_.scale().times(static_cast<std::uint64_t>(j), short_span(place));
    const Wide fraction = t.fraction + law_.offset().lower;
    const Wide width = t.width + (law_.offset().upper - law_.offset().lower) + 1;
    const std::uint64_t carry = fraction < t.fraction ? 1 : 0;
    if (fraction <= ~width) return {{static_cast<std::int64_t>(t.whole + carry), 1.0, accepted, rejected}};
    std::vector<Piece> result;
    for (const auto& [n, share] : by_third_words([&](Further source) {
           ShortNumber v = short_number(place);
           return law_.magnitude_slowly(source, j, v);
         }))
      result.push_back({n, share, accepted, rejected});
    return result;
  }
  [[nodiscard]] std::int64_t outcome(bool is_negative, std::int64_t /*j*/, std::int64_t n) const override {
    return is_negative && sides_ == Sides::two ? -n : n;
  }

 private:
  DiscreteLaplace law_;
  Sides sides_;
  double by_;
  mutable std::vector<Decided> second_;  // by place
};

}  // namespace renyi::noise::enumerated
