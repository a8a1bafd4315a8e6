#include "certify/exact/binomial.h"

#include <algorithm>
#include <optional>

namespace renyi::certify {
namespace {

// The largest integer at or below the number; within 64 bits.
std::int64_t floor_of(const Ball& exact) { return arf_get_si(arb_midref(exact.raw()), ARF_RND_FLOOR); }

// The P-mass of j high losses among n, and that mass times exp(epsilon - L_j): exp(epsilon) times its Q-mass.
struct Term {
  Ball p;
  Ball q;
};

class Walk {
 public:
  Walk(const TwoSided& response, std::int64_t n, Ball epsilon, double negligible)
      : response_(response),
        n_(n),
        epsilon_(std::move(epsilon)),
        negligible_(negligible),
        odds_(response.high / response.low) {}

  Ball loss(std::int64_t j) const { return (Ball(j) - Ball(n_ - j)) * response_.loss; }

  Term term(std::int64_t j) const {
    Ball log_p = log_factorial(n_) - log_factorial(j) - log_factorial(n_ - j);
    log_p += Ball(j) * log(response_.high) + Ball(n_ - j) * log(response_.low);
    return {exp(log_p), exp(log_p + epsilon_ - loss(j))};
  }

  // All terms from j on, upwards, that matter.
  void add_upwards(std::int64_t j, Term term) {
    for (std::int64_t steps = 1; j <= n_; ++steps) {
      add(term);
      if (j == n_) return;
      const Ball ratio = Ball(n_ - j) / Ball(j + 1);
      // Lemma L5: the ratios of neighbouring masses fall, so what is left is at most a geometric sum.
      if (steps % 64 == 0 && ends_with(term.p, ratio * odds_)) return;
      term.p *= ratio * odds_;
      term.q *= ratio / odds_;
      ++j;
    }
  }

  // All terms below j, down to `last`, that matter; `term` is the one at j.
  void add_downwards(std::int64_t j, Term term, std::int64_t last) {
    for (std::int64_t steps = 1; j > last; ++steps) {
      const Ball ratio = Ball(j) / Ball(n_ - j + 1);
      // Lemma L5, downwards.
      if (steps % 64 == 0 && ends_with(term.p, ratio / odds_)) return;
      term.p *= ratio / odds_;
      term.q *= ratio * odds_;
      --j;
      add(term);
    }
  }

  // One term whose loss may be on either side of epsilon.
  void add_on_the_border(std::int64_t j) { border_ += term(j).p * max(Ball(0), -expm1(epsilon_ - loss(j))); }

  Ball sum() const { return p_ - q_ + border_ + Ball::hull(Ball(0), left_out_.upper()); }

 private:
  static Ball log_factorial(std::int64_t n) {
    Ball result;
    arb_lgamma(result.raw(), (Ball(n) + 1).raw(), Precision::bits());
    return result;
  }

  void add(const Term& term) {
    p_ += term.p;
    q_ += term.q;
  }

  bool ends_with(const Ball& last, const Ball& ratio) {
    if (!surely_less(ratio, 1)) return false;
    const Ball left = last * ratio / (1 - ratio);
    const Ball wanted = max(p_ - q_, p_ * Ball(0x1p-100)) * negligible_;
    if (!surely_less(left, wanted)) return false;
    left_out_ += left;
    return true;
  }

  TwoSided response_;
  std::int64_t n_;
  Ball epsilon_;
  Ball negligible_;
  Ball odds_;
  Ball p_;
  Ball q_;
  Ball border_;
  Ball left_out_;
};

// Losses above epsilon: j >= first for sure; those of `unsure` to first - 1 may be.
struct Range {
  std::int64_t unsure = 0;
  std::int64_t first = 0;
};
std::optional<Range> losses_above(const TwoSided& response, std::int64_t n, const Ball& epsilon) {
  const Ball border = (epsilon / response.loss + Ball(n)) / 2;
  if (!border.is_finite()) return std::nullopt;
  // Without arithmetic, which would round.
  const Ball low = border.lower(), high = border.upper();
  const Range range{surely_less(low, 0) ? 0 : floor_of(surely_less(low, Ball(n)) ? low : Ball(n)) + 1,
                    surely_less(high, 0) ? 0 : floor_of(surely_less(high, Ball(n)) ? high : Ball(n)) + 1};
  // An exact border is itself no loss above epsilon; one more term does no harm.
  return range.first - range.unsure <= 2 ? std::optional(range) : std::nullopt;
}

}  // namespace

// Lemma L4: delta = sum over j with L_j > epsilon of C(n,j) high^j low^(n-j) (1 - exp(epsilon - L_j)).
Ball binomial_delta(const TwoSided& response, std::int64_t count, const Ball& epsilon, double negligible) {
  if (surely_at_most(Ball(count) * response.loss, epsilon)) return 0;
  const auto range = losses_above(response, count, epsilon);
  if (!range) return Ball::infinity();
  Walk walk(response, count, epsilon, negligible);
  for (std::int64_t j = range->unsure; j < range->first; ++j) walk.add_on_the_border(j);
  if (range->first > count) return walk.sum();
  const auto likeliest = static_cast<std::int64_t>(static_cast<double>(count) * response.high.about());
  const std::int64_t start = std::clamp(likeliest, range->first, count);
  const Term term = walk.term(start);
  walk.add_upwards(start, term);
  walk.add_downwards(start, term, range->first);
  return walk.sum();
}

}  // namespace renyi::certify
