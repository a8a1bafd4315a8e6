#include "certify/exact/grid_law.h"

#include "renyi/error.h"

namespace renyi::certify {

// Lemma L12: only sums of non-negative terms.
GridProfile::GridProfile(const Rounded& law, const Ball& h)
    : start_(law.offset + Ball(law.first) * h), h_(h), discounted_(law.mass.size() + 1), rest_(law.mass.size() + 1) {
  const Ball fall = exp(-h), lost = -expm1(-h);
  for (std::size_t j = law.mass.size(); j-- > 0;) {
    discounted_[j] = law.mass[j] + fall * discounted_[j + 1];
    rest_[j] = rest_[j + 1] + lost * discounted_[j + 1];
  }
}

// The terms from the j-th on, if all before it have losses of at most epsilon.
Ball GridProfile::from(std::size_t j, const Ball& epsilon) const {
  const Ball loss = start_ + Ball(static_cast<std::int64_t>(j)) * h_;
  return rest_[j] - expm1(epsilon - loss) * discounted_[j];
}

Ball GridProfile::at_exact(const Ball& epsilon) const {
  const Ball place = (epsilon - start_) / h_;
  // The first point at or above an exact place.
  const auto index = [&](const Ball& x) -> std::size_t {
    const std::size_t last = discounted_.size() - 1;
    if (surely_at_most(x, 0)) return 0;
    if (!surely_less(x, Ball(static_cast<std::int64_t>(last)))) return last;
    return static_cast<std::size_t>(arf_get_si(arb_midref(x.raw()), ARF_RND_CEIL));
  };
  const std::size_t lowest = index(place.lower()), highest = index(place.upper());
  if (highest - lowest > 1) throw NotConverged("the lattice: its points are not known well enough");
  // One of the two is the truth where the grid's own rounding leaves both open.
  return lowest == highest ? from(lowest, epsilon) : Ball::hull(from(lowest, epsilon), from(highest, epsilon));
}

Ball GridProfile::delta(const Ball& epsilon) const {
  if (arb_is_exact(epsilon.raw())) return at_exact(epsilon);
  return Ball::hull(at_exact(epsilon.upper()), at_exact(epsilon.lower()));
}

}  // namespace renyi::certify
