#include <algorithm>
#include <cmath>

#include "certify/exact/cells.h"

namespace renyi::certify {
namespace {

// Keeps the balance on the safe side of rounding.
constexpr double margin = 0x1p-40;

// The share of the cell that goes up: any in [0, 1] will do.
double share_of(const Ball& offered, const Ball& lacking) {
  const double share = (offered / lacking).about() * (1 - margin);
  return share >= 0 ? std::min(share, 1.0) : 0;  // also where it is NaN
}

// Outcomes merged at one point, whose losses are all at or above the point before it.
struct Group {
  Ball p;
  Ball q;
};

class Merging {
 public:
  Merging(const StepTails& tails, const Cut& cut) : tails_(tails), cut_(cut), mass_(cut.above.size() + 1) {}

  Rounded result() {
    const Points& points = cut_.points;
    begin_at_top();
    for (std::int64_t j = points.end - 1; j >= points.start; --j) merge_cell(static_cast<std::size_t>(j));
    finish_at_bottom();
    return {points.offset, -1, std::move(mass_), Ball()};
  }

 private:
  Ball& mass_at(std::size_t j) { return mass_[j + 1]; }

  void begin_at_top() {
    const auto end = static_cast<std::size_t>(cut_.points.end);
    const Tail& tail = cut_.above[end];
    if (cut_.points.atom_at_end) {
      mass_at(end) += tail.p;
    } else {
      group_ = {tail.p, tail.q};
      excess_ = tail.p - cut_.ratio[end] * tail.q;
    }
  }

  // A share of the cell [l_j, l_(j+1)] goes up, the rest down.
  void merge_cell(std::size_t j) {
    const Ball p = cut_.above[j].p - cut_.above[j + 1].p, q = cut_.above[j].q - cut_.above[j + 1].q;
    const Ball offered = p - cut_.ratio[j] * q;
    double up = share_of(excess_, cut_.ratio[j + 1] * q - p);
    if (static_cast<std::int64_t>(j) == cut_.points.start) up = std::min(up, spared_by_bottom(offered));
    group_.p += Ball(up) * p;
    group_.q += Ball(up) * q;
    settle(j + 1);
    const Ball down = 1 - Ball(up);
    group_ = {down * p, down * q};
    excess_ = down * offered;
  }

  // Lemma L10: to the point itself where P >= exp(l) Q is proven, else to the point before.
  void settle(std::size_t j) {
    const bool proven = surely_at_most(cut_.ratio[j] * group_.q, group_.p);
    (proven ? mass_at(j) : mass_[j]) += group_.p;
  }

  Group bottom() const {
    const Tail& tail = cut_.above[static_cast<std::size_t>(cut_.points.start)];
    return {1 - tail.p, 1 - tail.q};
  }
  // What the losses at or below the point `start` lack there.
  Ball lack_of_bottom() const {
    const Group group = bottom();
    return cut_.ratio[static_cast<std::size_t>(cut_.points.start)] * group.q - group.p;
  }

  // The lower part of the first cell is to offer what the bottom lacks.
  double spared_by_bottom(const Ball& offered) const {
    if (cut_.points.atom_at_start) return 1;
    const double needed = (lack_of_bottom() / offered).about() * (1 + 2 * margin);
    return needed >= 0 ? std::max(0.0, 1 - needed) : 0;
  }

  // As much of the bottom is merged as is made up for. What was in the group is at or above the point by itself.
  void finish_at_bottom() {
    const auto start = static_cast<std::size_t>(cut_.points.start);
    const Group group = bottom();
    mass_at(start) += group_.p;
    if (cut_.points.atom_at_start) {
      mass_at(start) += group.p;
      return;
    }
    const Ball share = share_of(excess_, lack_of_bottom());
    const Ball lacked = cut_.ratio[start] * (group_.q + share * group.q);
    const bool proven = surely_at_most(lacked, group_.p + share * group.p);
    if (proven) mass_at(start) += share * group.p;
    lower(proven ? (1 - share) * group.p : group.p);
  }

  // Lemma L10: to a point at or below all losses; without one the P-mass is lost.
  void lower(const Ball& p) {
    for (std::int64_t j = cut_.points.start - 1; j >= -1; --j) {
      if (!surely_at_most(cut_.points.at(j), tails_.bottom())) continue;
      mass_[static_cast<std::size_t>(j + 1)] += p;
      return;
    }
  }

  const StepTails& tails_;
  const Cut& cut_;
  std::vector<Ball> mass_;  // the point j has the index j + 1
  Group group_;
  Ball excess_;  // P - exp(l) Q of the group
};

}  // namespace

Rounded rounded_down(const StepTails& tails, const Cut& cut) { return Merging(tails, cut).result(); }

}  // namespace renyi::certify
