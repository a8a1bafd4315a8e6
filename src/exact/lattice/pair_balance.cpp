#include "exact/lattice/pair_balance.h"

#include <array>
#include <cmath>

namespace renyi::exact::lattice {

namespace {

constexpr std::size_t near_cells = 24;

// One branch beside a grid.
class NearLeast {
 public:
  NearLeast(const PairBranch& branch, const Grid& grid, double log_scale)
      : branch_(branch), grid_(grid), log_scale_(log_scale) {
    const double end = branch.end(grid, log_scale, {});
    end_ = place_at(branch.pair(), end);
    begin_ = place_at(branch.pair(), std::min(branch.begin(grid), end));
  }

  // What all up to y lacks (losses that rise from there) or offers (fall) at y.
  double moment(double y) const {
    const double point = branch_.signed_loss(branch_.least() + y);
    return std::abs(branch_.sums(grid_, log_scale_, begin_, place(y), point).u) +
           branch_.atom_moment(grid_, log_scale_, y);
  }

  // Between two distances from the least l.
  PairSums cell(double near, double far) const {
    const double lower_end = branch_.signed_loss(branch_.least() + (branch_.rises() ? near : far));
    return branch_.sums(grid_, log_scale_, place(near), place(far), lower_end);
  }

 private:
  // Where l is y above its least value, or where the branch begins or ends.
  Place place(double y) const {
    const double x = branch_.pair().x_at(branch_.least() + y);
    if (!(x > begin_.x)) return begin_;
    return x < end_.x ? place_at(branch_.pair(), x) : end_;
  }

  const PairBranch& branch_;
  const Grid& grid_;
  double log_scale_;
  Place begin_{};
  Place end_{};
};

class Balance {
 public:
  Balance(const std::vector<const PairBranch*>& branches, const Grid& grid, double log_scale)
      : grid_(grid), rises_(branches.front()->rises()) {
    for (const PairBranch* branch : branches) parts_.emplace_back(*branch, grid, log_scale);
  }

  double moment(double y) const {
    double sum = 0;
    for (const NearLeast& part : parts_) sum += part.moment(y);
    return sum;
  }

  // What the part of the cell [y, y+h] that goes to y has to offer (rising) or lacks (falling) there, as `optimistic`
  // settles it: from a few cells further out, where two neighbours of ratio r share their masses 1 : r, towards y.
  double answer(double y) const {
    const double h = grid_.h, one_minus = -std::expm1(-h), rise = std::exp((1 + grid_.c) * h);
    std::array<double, near_cells> offers{}, lacks{};
    for (std::size_t j = 0; j < near_cells; ++j) {
      const double near = y + static_cast<double>(j) * h;
      for (const NearLeast& part : parts_) {
        const PairSums sums = part.cell(near, near + h);
        offers[j] += sums.u;
        lacks[j] += rise * std::max(0.0, one_minus * sums.p - sums.u);
      }
    }
    const auto share = [](double part, double whole) { return part < whole ? part / whole : 1.0; };
    double up = 0.5;
    for (std::size_t j = near_cells - 1; j-- > 0;) {
      // Of neighbours the lower one's part that goes up lacks what the upper one's other part offers.
      up = rises_ ? share((1 - up) * offers[j + 1], lacks[j]) : 1 - share(up * lacks[j + 1], offers[j]);
    }
    return rises_ ? (1 - up) * offers[0] : up * lacks[0];
  }

 private:
  const Grid& grid_;
  bool rises_;
  std::vector<NearLeast> parts_;
};

}  // namespace

double balanced_start(const std::vector<const PairBranch*>& branches, const Grid& grid, double log_scale) {
  const Balance balance(branches, grid, log_scale);
  if (balance.moment(grid.h) < balance.answer(grid.h)) return grid.h;
  double low = std::log(1e-12 * std::min(1.0, grid.h)), high = std::log(grid.h);
  for (int i = 0; i < 60 && high - low > 1e-6; ++i) {
    const double middle = 0.5 * (low + high), y = std::exp(middle);
    (balance.moment(y) < balance.answer(y) ? low : high) = middle;
  }
  return std::exp(low);
}

}  // namespace renyi::exact::lattice
