// The sensitivity of all nodes of the trees of a run together (docs/math/trees-and-matrices.md).
#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "mechanism/participation/sensitivity.h"
#include "numerics/rounding.h"
#include "renyi/limits.h"

namespace renyi::mechanism {

namespace tree_sensitivity_file {
namespace {

// Some participations within a range of leaves. They can be shifted so that `left` leaves before the first and `right`
// leaves after the last are free, as long as these are at most `both` together.
struct Placement {
  std::int64_t squares = 0;  // sum over the nodes of the range of (participations below the node)^2
  std::int64_t left = 0;
  std::int64_t right = 0;
  std::int64_t both = 0;
};

// The worst ways to place a record's participations on the leaves of a tree (docs/math/trees-and-matrices.md, "Several
// participations"): every placement that is not dominated by another one in its sum of squares and in the free leaves
// it leaves.
class Placements {
 public:
  // Returns the placements in a complete tree with 2^height leaves.
  static Placements in_tree(int height, const Participation& rule);
  // Returns the placements in consecutive trees whose sizes are the binary digits of `leaves`: the complete nodes of a
  // run of that length.
  static Placements in_run(std::int64_t leaves, const Participation& rule);

  // Returns the placements in two ranges of leaves, one after the other.
  static Placements side_by_side(const Placements& first, const Placements& second, const Participation& rule);
  static Placements repeated(const Placements& run, std::int64_t times, const Participation& rule);

  std::int64_t largest() const;  // largest sum of squares

 private:
  static Placements single(int height, const Participation& rule);
  void add(std::size_t count, Placement placement, const Participation& rule);
  void add_shifted(const Placements& one, std::int64_t before, std::int64_t after, const Participation& rule);
  void add_pairs(const Placements& first, const Placements& second, const Participation& rule);
  void keep_undominated();

  std::int64_t leaves_ = 0;
  std::vector<std::vector<Placement>> of_count_{};  // [m - 1]: the placements of m participations
};

bool is_at_least(const Placement& a, const Placement& b) {
  return a.squares >= b.squares && a.left >= b.left && a.right >= b.right &&
         a.both >= std::min(b.both, b.left + b.right);
}

// Sorts by the largest sum of squares first, so that placements of one sum and one `both` are adjacent, by their free
// leaves on the left.
bool comes_before(const Placement& a, const Placement& b) {
  return std::tuple(b.squares, b.both, a.left, a.right) < std::tuple(a.squares, a.both, b.left, b.right);
}

// More than separation - 1 free leaves are of no use to a neighbouring range.
Placement trimmed(Placement p, std::int64_t useful) {
  p.left = std::min({p.left, p.both, useful});
  p.right = std::min({p.right, p.both, useful});
  p.both = std::min(p.both, 2 * useful);
  return p;
}

bool are_alike(const Placement& a, const Placement& b) { return a.squares == b.squares && a.both == b.both; }

// If two placements are alike, and a has fewer free leaves on the left than b and more on the right, then all of {l <=
// b.left, r <= a.right, l + r <= both} is in one or the other, unless this set has some l > a.left and r > b.right.
bool make_one(const Placement& a, const Placement& b) { return a.left + 1 + b.right + 1 > a.both; }

// Takes sorted placements, merges those that are alike where possible, and drops dominated ones among them.
std::vector<Placement> united(const std::vector<Placement>& all) {
  std::vector<Placement> result;
  std::size_t first = 0;  // index of the first of those that are alike
  for (const Placement& p : all) {
    if (!result.empty() && !are_alike(result.back(), p)) first = result.size();
    while (result.size() > first && result.back().right <= p.right) result.pop_back();
    if (result.size() > first && make_one(result.back(), p)) {
      result.back().left = p.left;
    } else {
      result.push_back(p);
    }
  }
  return result;
}

// Returns the square of the number of participations below a node that contains both ranges.
std::int64_t square(std::size_t count) { return static_cast<std::int64_t>(count * count); }

void Placements::add(std::size_t count, Placement placement, const Participation& rule) {
  if (of_count_.size() < count) of_count_.resize(count);
  of_count_[count - 1].push_back(trimmed(placement, rule.separation - 1));
}

// Adds placements that leave the other range empty: all of its leaves are free.
void Placements::add_shifted(const Placements& one, std::int64_t before, std::int64_t after,
                             const Participation& rule) {
  for (std::size_t m = 1; m <= one.of_count_.size(); ++m) {
    for (Placement p : one.of_count_[m - 1]) {
      // The free leaves of a range were trimmed, but what was cut off is more than any neighbour needs.
      p.left += before;
      p.right += after;
      p.both += before + after;
      add(m, p, rule);
    }
  }
}

// r free leaves at the end of the first range and max(0, b - 1 - r) at the start of the second make the distance b. Any
// r in [low, high] will do; the remaining conditions are bounds on the outer free leaves, separately and together.
void Placements::add_pairs(const Placements& first, const Placements& second, const Participation& rule) {
  const std::int64_t gap = rule.separation - 1;
  const auto most = static_cast<std::size_t>(rule.most);
  for (std::size_t m = 1; m <= first.of_count_.size(); ++m) {
    for (std::size_t n = 1; n <= second.of_count_.size() && m + n <= most; ++n) {
      for (const Placement& a : first.of_count_[m - 1]) {
        stop_if_asked();
        for (const Placement& b : second.of_count_[n - 1]) {
          const std::int64_t low = std::max<std::int64_t>(0, gap - b.left), high = std::min(a.right, gap);
          if (low > high) continue;
          add(m + n,
              {a.squares + b.squares, std::min(a.left, a.both - low), std::min(b.right, b.both - gap + high),
               a.both + b.both - gap},
              rule);
        }
      }
    }
  }
}

void Placements::keep_undominated() {
  for (auto& all : of_count_) {
    std::sort(all.begin(), all.end(), comes_before);
    std::vector<Placement> kept;
    for (const Placement& p : united(all)) {
      stop_if_asked();
      const auto beats = [&](const Placement& k) { return is_at_least(k, p); };
      if (std::none_of(kept.begin(), kept.end(), beats)) kept.push_back(p);
    }
    all = std::move(kept);
  }
}

// One participation on any leaf of the tree: it is in one node of each height.
Placements Placements::single(int height, const Participation& rule) {
  Placements result;
  result.leaves_ = std::int64_t{1} << height;
  const std::int64_t others = result.leaves_ - 1;
  result.add(1, {height + 1, others, others, others}, rule);
  return result;
}

Placements Placements::side_by_side(const Placements& first, const Placements& second, const Participation& rule) {
  Placements result;
  result.leaves_ = first.leaves_ + second.leaves_;
  result.add_shifted(first, 0, second.leaves_, rule);
  result.add_shifted(second, first.leaves_, 0, rule);
  result.add_pairs(first, second, rule);
  result.keep_undominated();
  return result;
}

Placements Placements::in_tree(int height, const Participation& rule) {
  int start = 0;
  while (start < height && (std::int64_t{2} << start) <= rule.separation) ++start;
  Placements result = single(start, rule);
  for (int h = start + 1; h <= height; ++h) {
    result = side_by_side(result, result, rule);
    for (std::size_t m = 1; m <= result.of_count_.size(); ++m) {
      for (Placement& p : result.of_count_[m - 1]) p.squares += square(m);
    }
    result.of_count_[0] = single(h, rule).of_count_[0];
  }
  return result;
}

Placements Placements::in_run(std::int64_t leaves, const Participation& rule) {
  Placements result;
  for (int h = 62; h >= 0; --h) {
    if (((leaves >> h) & 1) == 0) continue;
    const Placements tree = in_tree(h, rule);
    result = result.leaves_ == 0 ? tree : side_by_side(result, tree, rule);
  }
  return result;
}

Placements Placements::repeated(const Placements& run, std::int64_t times, const Participation& rule) {
  if (times == 1) return run;
  const Placements half = repeated(run, times / 2, rule);
  const Placements even = side_by_side(half, half, rule);
  return times % 2 == 0 ? even : side_by_side(even, run, rule);
}

std::int64_t Placements::largest() const {
  std::int64_t result = 0;
  for (const auto& all : of_count_) {
    for (const Placement& p : all) result = std::max(result, p.squares);
  }
  return result;
}

// Equal trees one after the other, then a shorter one.
struct Trees {
  std::int64_t leaves = 0;
  std::int64_t number = 0;
  std::int64_t leaves_of_last = 0;
};

Trees trees_of(const TreeRun& run) {
  if (run.restart_every == 0 || run.restart_every >= run.steps) return {run.steps, 1, 0};
  return {run.restart_every, run.steps / run.restart_every, run.steps % run.restart_every};
}

double exact(const Trees& trees, const Participation& rule) {
  Placements all = Placements::repeated(Placements::in_run(trees.leaves, rule), trees.number, rule);
  if (trees.leaves_of_last > 0) {
    all = Placements::side_by_side(all, Placements::in_run(trees.leaves_of_last, rule), rule);
  }
  return static_cast<double>(all.largest());
}

double squared_up(std::int64_t x) { return numerics::product_up(numerics::count_up(x), numerics::count_up(x)); }

}  // namespace
}  // namespace tree_sensitivity_file

// At one height a node contains at most c = ceil(2^h / b) participations, and all nodes together contain k: the sum of
// squares is largest where as many nodes as possible are full.
double level_bound(const TreeRun& run) {
  const tree_sensitivity_file::Trees trees = tree_sensitivity_file::trees_of(run);
  const std::int64_t all = run.participation.most_in(run.steps);
  double total = 0;
  for (int h = 0; (trees.leaves >> h) > 0; ++h) {
    const std::int64_t nodes = trees.number * (trees.leaves >> h) + (trees.leaves_of_last >> h);
    const std::int64_t full = std::min(all, ((std::int64_t{1} << h) - 1) / run.participation.separation + 1);
    const std::int64_t filled = std::min(nodes, all / full), rest = filled < nodes ? all - filled * full : 0;
    const double level =
        numerics::sum_up(numerics::product_up(numerics::count_up(filled), tree_sensitivity_file::squared_up(full)),  //
                         tree_sensitivity_file::squared_up(rest));
    total = numerics::sum_up(total, level);
  }
  return total;
}

bool is_exact(const TreeRun& run) {
  return run.participation.most_in(run.steps) <= most_placed_exactly &&
         tree_sensitivity_file::trees_of(run).number <= most_trees_placed_exactly;
}

double squared_sensitivity(const TreeRun& run) {
  const Participation rule{run.participation.most_in(run.steps), run.participation.separation};
  return is_exact(run) ? tree_sensitivity_file::exact(tree_sensitivity_file::trees_of(run), rule) : level_bound(run);
}

}  // namespace renyi::mechanism
