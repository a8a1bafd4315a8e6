#include "certify/exact/grid_law.h"

#include <algorithm>
#include <limits>

#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::certify {
namespace grid_law_file {
namespace {

// Owns a vector of real balls of Arb.
class Vector {
 public:
  explicit Vector(std::size_t size) : size_(static_cast<slong>(size)), entries_(_arb_vec_init(size_)) {}
  explicit Vector(const std::vector<Ball>& balls) : Vector(balls.size()) {
    for (slong i = 0; i < size_; ++i) arb_set(entries_ + i, balls[static_cast<std::size_t>(i)].raw());
  }
  ~Vector() { _arb_vec_clear(entries_, size_); }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;

  arb_ptr raw() { return entries_; }
  slong size() const { return size_; }
  std::vector<Ball> taken() {
    std::vector<Ball> balls(static_cast<std::size_t>(size_));
    for (slong i = 0; i < size_; ++i) arb_swap(balls[static_cast<std::size_t>(i)].raw(), entries_ + i);
    return balls;
  }

 private:
  slong size_;
  arb_ptr entries_;
};

std::vector<Ball> product(const std::vector<Ball>& a, const std::vector<Ball>& b) {
  Vector left(a.size() >= b.size() ? a : b);
  Vector right(a.size() >= b.size() ? b : a);
  Vector result(a.size() + b.size() - 1);
  _arb_poly_mullow(result.raw(), left.raw(), left.size(), right.raw(), right.size(), result.size(), Precision::bits());
  return result.taken();
}

// The number of masses, taken in that order, that are negligible together; and their sum.
struct End {
  std::size_t points = 0;
  Ball mass;
};
template <class Iterator>
End light_end(Iterator from, Iterator to, const Ball& negligible) {
  End end;
  for (; from != to; ++from, ++end.points) {
    Ball sum = end.mass + *from;
    if (!surely_at_most(sum, negligible)) break;
    end.mass = std::move(sum);
  }
  return end;
}

// Masses whose exponents span more bits than this are multiplied in blocks, every block by every other one.
constexpr double bits_of_a_block = 1024;

// Returns how many blocks the masses make: one, unless losses are so large that masses between them nearly vanish.
double blocks_of(const std::vector<Ball>& masses) {
  slong least = std::numeric_limits<slong>::max(), most = std::numeric_limits<slong>::min();
  for (const Ball& mass : masses) {
    if (arf_is_special(arb_midref(mass.raw()))) continue;  // 0
    const slong exponent = arf_abs_bound_lt_2exp_si(arb_midref(mass.raw()));
    least = std::min(least, exponent);
    most = std::max(most, exponent);
  }
  return most <= least ? 1 : std::max(1.0, static_cast<double>(most - least) / bits_of_a_block);
}

// Work is counted in points and not in seconds, so that the same question gives the same answer everywhere.
void spend(std::size_t points, const Shortening& how) {
  if (how.points_left == nullptr) return;
  if (points > *how.points_left) throw NotConverged("lattice: too much work");
  *how.points_left -= points;
}

}  // namespace
}  // namespace grid_law_file

// Implements Lemma L11.
Rounded shortened(Rounded law, const Shortening& how) {
  std::vector<Ball>& mass = law.mass;
  const grid_law_file::End top = grid_law_file::light_end(mass.rbegin(), mass.rend() - 1, how.negligible);
  mass.resize(mass.size() - top.points);
  const grid_law_file::End bottom = grid_law_file::light_end(mass.begin(), mass.end() - 1, how.negligible);
  mass.erase(mass.begin(), mass.begin() + static_cast<std::ptrdiff_t>(bottom.points));
  law.first += static_cast<std::int64_t>(bottom.points);
  if (how.side == Side::above) {
    law.infinite += top.mass;
    mass.front() += bottom.mass;
  }
  return law;
}

Rounded sum_of(const Rounded& a, const Rounded& b, const Shortening& how) {
  const double blocks = grid_law_file::blocks_of(a.mass) * grid_law_file::blocks_of(b.mass);
  grid_law_file::spend(static_cast<std::size_t>(static_cast<double>(a.mass.size() + b.mass.size()) * blocks), how);
  // A sum is infinite if one of its terms is.
  Rounded sum{a.offset + b.offset, a.first + b.first, grid_law_file::product(a.mass, b.mass), a.infinite + b.infinite};
  return shortened(std::move(sum), how);
}

Rounded copies_of(const Rounded& law, std::int64_t count, const Shortening& how) {
  Rounded square = shortened(law, how);
  while (count % 2 == 0) {
    stop_if_asked();
    square = sum_of(square, square, how);
    count /= 2;
  }
  Rounded result = square;
  for (count /= 2; count > 0; count /= 2) {
    stop_if_asked();
    square = sum_of(square, square, how);
    if (count % 2 == 1) result = sum_of(result, square, how);
  }
  return result;
}

// Lemma L12: there are only sums of non-negative terms.
GridProfile::GridProfile(const Rounded& law, const Ball& h)
    : start_(law.offset + Ball(law.first) * h), h_(h), discounted_(law.mass.size() + 1), rest_(law.mass.size() + 1) {
  const Ball fall = exp(-h), lost = -expm1(-h);
  for (std::size_t j = law.mass.size(); j-- > 0;) {
    stop_if_asked();
    discounted_[j] = law.mass[j] + fall * discounted_[j + 1];
    rest_[j] = rest_[j + 1] + lost * discounted_[j + 1];
  }
}

// Sums the terms from the j-th on; all terms before it must have losses of at most epsilon.
Ball GridProfile::from(std::size_t j, const Ball& epsilon) const {
  const Ball loss = start_ + Ball(static_cast<std::int64_t>(j)) * h_;
  return rest_[j] - expm1(epsilon - loss) * discounted_[j];
}

Ball GridProfile::at_exact(const Ball& epsilon) const {
  const Ball operating_point = (epsilon - start_) / h_;
  // Returns the first point at or above an exact position.
  const auto index = [&](const Ball& x) -> std::size_t {
    const std::size_t last = discounted_.size() - 1;
    if (surely_at_most(x, 0)) return 0;
    if (!surely_less(x, Ball(static_cast<std::int64_t>(last)))) return last;
    return static_cast<std::size_t>(arf_get_si(arb_midref(x.raw()), ARF_RND_CEIL));
  };
  const std::size_t lowest = index(operating_point.lower()), highest = index(operating_point.upper());
  if (highest - lowest > 1) throw NotConverged("the lattice: its points are not known well enough");
  // If the rounding of the grid's points leaves both indices possible, one of the two results is the exact one.
  return lowest == highest ? from(lowest, epsilon) : Ball::hull(from(lowest, epsilon), from(highest, epsilon));
}

Ball GridProfile::delta(const Ball& epsilon) const {
  if (arb_is_exact(epsilon.raw())) return at_exact(epsilon);
  return Ball::hull(at_exact(epsilon.upper()), at_exact(epsilon.lower()));
}

}  // namespace renyi::certify
