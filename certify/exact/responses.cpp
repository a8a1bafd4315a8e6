
#include "certify/exact/responses.h"

#include <algorithm>
#include <numeric>

#include "renyi/limits.h"

namespace renyi::certify {
namespace responses_file {
namespace {

// Returns the largest integer that does not exceed the number, which must fit into 64 bits.
std::int64_t floor_of(const Ball& exact) { return arf_get_si(arb_midref(exact.raw()), ARF_RND_FLOOR); }

// The P-mass of j high losses among n, and that mass times exp(epsilon - L_j), which is exp(epsilon) times its Q-mass.
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

  // Adds all terms from j on, upwards, that are not negligible.
  void add_upwards(std::int64_t j, Term term) {
    for (std::int64_t steps = 1; j <= n_; ++steps) {
      stop_if_asked();
      add(term);
      if (j == n_) return;
      const Ball ratio = Ball(n_ - j) / Ball(j + 1);
      // Lemma L5: the ratios of neighbouring masses decrease, so the remainder is at most a geometric sum.
      if (steps % 64 == 0 && ends_with(term.p, ratio * odds_)) return;
      term.p *= ratio * odds_;
      term.q *= ratio / odds_;
      ++j;
    }
  }

  // Adds all terms below j, down to `last`, that are not negligible; `term` is the one at j.
  void add_downwards(std::int64_t j, Term term, std::int64_t last) {
    for (std::int64_t steps = 1; j > last; ++steps) {
      stop_if_asked();
      const Ball ratio = Ball(j) / Ball(n_ - j + 1);
      // Lemma L5 is applied downwards.
      if (steps % 64 == 0 && ends_with(term.p, ratio / odds_)) return;
      term.p *= ratio / odds_;
      term.q *= ratio * odds_;
      --j;
      add(term);
    }
  }

  // Adds one term whose loss may be on either side of epsilon.
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

// The losses above epsilon: certainly those with j >= first; those from `unsure` to first - 1 may be above it.
struct Range {
  std::int64_t unsure = 0;
  std::int64_t first = 0;
};
std::optional<Range> losses_above(const TwoSided& response, std::int64_t n, const Ball& epsilon) {
  const Ball border = (epsilon / response.loss + Ball(n)) / 2;
  if (!border.is_finite()) return std::nullopt;
  // These are obtained without arithmetic, which would round.
  const Ball low = border.lower(), high = border.upper();
  const Range range{surely_less(low, 0) ? 0 : floor_of(surely_less(low, Ball(n)) ? low : Ball(n)) + 1,
                    surely_less(high, 0) ? 0 : floor_of(surely_less(high, Ball(n)) ? high : Ball(n)) + 1};
  // A loss that equals epsilon exactly is not above it, but one more term does no harm.
  return range.first - range.unsure <= 2 ? std::optional(range) : std::nullopt;
}

}  // namespace
}  // namespace responses_file

// Lemma L4: delta = sum over j with L_j > epsilon of C(n,j) high^j low^(n-j) (1 - exp(epsilon - L_j)).
Ball binomial_delta(const TwoSided& response, std::int64_t count, const Ball& epsilon, double negligible) {
  if (surely_at_most(Ball(count) * response.loss, epsilon)) return 0;
  const auto range = responses_file::losses_above(response, count, epsilon);
  if (!range) return Ball::infinity();
  responses_file::Walk walk(response, count, epsilon, negligible);
  for (std::int64_t j = range->unsure; j < range->first; ++j) walk.add_on_the_border(j);
  if (range->first > count) return walk.sum();
  const auto likeliest = static_cast<std::int64_t>(static_cast<double>(count) * response.high.about());
  const std::int64_t start = std::clamp(likeliest, range->first, count);
  const responses_file::Term term = walk.term(start);
  walk.add_upwards(start, term);
  walk.add_downwards(start, term, range->first);
  return walk.sum();
}

namespace responses_file {
namespace {

Ball integer_power(const Ball& x, std::int64_t n) {
  Ball result;
  arb_pow_ui(result.raw(), x.raw(), static_cast<ulong>(n), Precision::bits());
  return result;
}

// Lemma L6 gives the first n + 1 coefficients of (c + b x + a x^2)^n; all terms are non-negative:
// c (m+1) f[m+1] = b (n-m) f[m] + a (2n-m+1) f[m-1].
std::vector<Ball> lower_half(const Ball& a, const Ball& b, const Ball& c, std::int64_t n) {
  std::vector<Ball> f{integer_power(c, n)};
  Ball before;
  for (std::int64_t m = 0; m < n; ++m) {
    stop_if_asked();
    const Ball& last = f.back();
    Ball next = (b * Ball(n - m) * last + a * Ball(2 * n - m + 1) * before) / (c * Ball(m + 1));
    before = last;
    f.push_back(std::move(next));
  }
  return f;
}

}  // namespace
}  // namespace responses_file

std::vector<Ball> trinomial_masses(const TwoSided& response, std::int64_t count) {
  std::vector<Ball> masses = responses_file::lower_half(response.high, response.rest, response.low, count);
  std::vector<Ball> upper = responses_file::lower_half(response.low, response.rest, response.high, count);
  masses.pop_back();
  masses.insert(masses.end(), upper.rbegin(), upper.rend());
  return masses;
}

TrinomialSums::TrinomialSums(const TwoSided& response, std::int64_t count)
    : count_(count), loss_(response.loss), mass_(trinomial_masses(response, count)) {
  const std::size_t size = mass_.size();
  p_.resize(size + 1);
  q_.resize(size + 1);
  for (std::size_t m = size; m-- > 0;) {
    stop_if_asked();
    p_[m] = p_[m + 1] + mass_[m];
    q_[m] = q_[m + 1] + mass_[size - 1 - m];
  }
}

Ball TrinomialSums::delta(const Ball& epsilon) const {
  if (surely_at_most(Ball(count_) * loss_, epsilon)) return 0;
  const Ball border = epsilon / loss_ + Ball(count_);
  if (!border.is_finite()) return Ball::infinity();
  // Returns the first m above an exact x.
  const auto after = [&](const Ball& x) -> std::int64_t {
    if (surely_less(x, 0)) return 0;
    if (!surely_less(x, Ball(2 * count_))) return 2 * count_ + 1;
    return arf_get_si(arb_midref(x.raw()), ARF_RND_FLOOR) + 1;
  };
  const std::int64_t unsure = after(border.lower()), first = after(border.upper());
  if (first - unsure > 2) return Ball::infinity();
  const auto from = static_cast<std::size_t>(first);
  Ball sum = p_[from] - exp(epsilon) * q_[from];
  for (std::int64_t m = unsure; m < first; ++m) {
    stop_if_asked();
    sum += mass_[static_cast<std::size_t>(m)] * max(Ball(0), -expm1(epsilon - loss_of(m)));
  }
  return sum;
}

namespace responses_file {
namespace {

constexpr long list_bits = 256;
constexpr std::int64_t most_atoms = 20'000;

Atoms atoms_of_one(const CountedResponse& counted) {
  const TwoSided response = counted.law();
  Atoms atoms;
  std::vector<Ball> masses = trinomial_masses(response, counted.count);
  for (std::size_t m = 0; m < masses.size(); ++m) {
    if (arb_is_zero(masses[m].raw())) continue;
    atoms.loss.push_back((Ball(static_cast<std::int64_t>(m)) - Ball(counted.count)) * response.loss);
    atoms.mass.push_back(std::move(masses[m]));
  }
  return atoms;
}

Atoms product(const Atoms& a, const Atoms& b) {
  Atoms result;
  for (std::size_t i = 0; i < a.loss.size(); ++i) {
    stop_if_asked();
    for (std::size_t j = 0; j < b.loss.size(); ++j) {
      result.loss.push_back(a.loss[i] + b.loss[j]);
      result.mass.push_back(a.mass[i] * b.mass[j]);
    }
  }
  return result;
}

Atoms heaviest_first(const Atoms& atoms) {
  std::vector<std::size_t> order(atoms.loss.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) {
    return arf_cmp(arb_midref(atoms.mass[i].raw()), arb_midref(atoms.mass[j].raw())) > 0;
  });
  Atoms sorted;
  for (const std::size_t i : order) {
    sorted.loss.push_back(atoms.loss[i]);
    sorted.mass.push_back(atoms.mass[i]);
  }
  return sorted;
}

class AtomsLaw final : public Law {
 public:
  AtomsLaw(Atoms atoms, std::unique_ptr<Law> rest, double negligible)
      : atoms_(std::move(atoms)), rest_(std::move(rest)), negligible_(negligible) {
    const Precision bits(list_bits);
    left_.resize(atoms_.mass.size() + 1);
    for (std::size_t i = atoms_.mass.size(); i-- > 0;) left_[i] = left_[i + 1] + atoms_.mass[i];
  }
  std::string method() const override { return rest_->method() + " with listed responses"; }
  std::int64_t precision() const override { return std::max<std::int64_t>(list_bits, rest_->precision()); }

  // Lemma L7; an omitted atom contributes between 0 and its mass, because 0 <= rest <= 1.
  Ball delta(const Ball& epsilon) const override {
    const Precision bits(list_bits);
    Ball sum;
    for (std::size_t i = 0; i < atoms_.mass.size(); ++i) {
      if (surely_less(left_[i], sum * negligible_)) return sum + Ball::hull(Ball(0), left_[i].upper());
      sum += atoms_.mass[i] * rest_->delta(epsilon - atoms_.loss[i]);
    }
    return sum;
  }

 private:
  Atoms atoms_;
  std::unique_ptr<Law> rest_;
  Ball negligible_;
  std::vector<Ball> left_;  // the mass from the i-th atom on
};

}  // namespace
}  // namespace responses_file

std::optional<Atoms> atoms_of(const std::vector<CountedResponse>& responses) {
  const Precision bits(responses_file::list_bits);
  Atoms all{{Ball(0)}, {Ball(1)}};
  for (const CountedResponse& response : responses) {
    const std::int64_t losses = response.has_two_losses() ? 1 : 2;
    if (response.count > responses_file::most_atoms) return std::nullopt;
    if ((response.count * losses + 1) * static_cast<std::int64_t>(all.loss.size()) > responses_file::most_atoms)
      return std::nullopt;
    all = responses_file::product(all, responses_file::atoms_of_one(response));
  }
  return responses_file::heaviest_first(all);
}

std::unique_ptr<Law> with_responses(const std::vector<CountedResponse>& responses, std::unique_ptr<Law> rest,
                                    double negligible) {
  std::optional<Atoms> atoms = atoms_of(responses);
  if (!atoms) return nullptr;
  return std::make_unique<responses_file::AtomsLaw>(std::move(*atoms), std::move(rest), negligible);
}

}  // namespace renyi::certify
