#include "certify/exact/trinomial.h"

#include <algorithm>

namespace renyi::certify {
namespace {

Ball integer_power(const Ball& x, std::int64_t n) {
  Ball result;
  arb_pow_ui(result.raw(), x.raw(), static_cast<ulong>(n), Precision::bits());
  return result;
}

// Lemma L6: the first n + 1 coefficients of (c + b x + a x^2)^n, all terms non-negative:
// c (m+1) f[m+1] = b (n-m) f[m] + a (2n-m+1) f[m-1].
std::vector<Ball> lower_half(const Ball& a, const Ball& b, const Ball& c, std::int64_t n) {
  std::vector<Ball> f{integer_power(c, n)};
  Ball before;
  for (std::int64_t m = 0; m < n; ++m) {
    const Ball& last = f.back();
    Ball next = (b * Ball(n - m) * last + a * Ball(2 * n - m + 1) * before) / (c * Ball(m + 1));
    before = last;
    f.push_back(std::move(next));
  }
  return f;
}

}  // namespace

std::vector<Ball> trinomial_masses(const TwoSided& response, std::int64_t count) {
  std::vector<Ball> masses = lower_half(response.high, response.rest, response.low, count);
  std::vector<Ball> upper = lower_half(response.low, response.rest, response.high, count);
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
    p_[m] = p_[m + 1] + mass_[m];
    q_[m] = q_[m + 1] + mass_[size - 1 - m];
  }
}

Ball TrinomialSums::delta(const Ball& epsilon) const {
  if (surely_at_most(Ball(count_) * loss_, epsilon)) return 0;
  const Ball border = epsilon / loss_ + Ball(count_);
  if (!border.is_finite()) return Ball::infinity();
  // The first m above an exact x.
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
    sum += mass_[static_cast<std::size_t>(m)] * max(Ball(0), -expm1(epsilon - loss_of(m)));
  }
  return sum;
}

}  // namespace renyi::certify
