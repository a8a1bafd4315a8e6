#include "mechanism/tree_aggregation/tree_sensitivity.h"

#include "mechanism/tree_aggregation/placements.h"
#include "numerics/directed.h"

namespace renyi::mechanism {

namespace {

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

// At one height a node holds c = ceil(2^h / b) participations at most, and all nodes k together: the squares sum to the
// most where as many nodes as possible are full.
double level_bound(const TreeRun& run) {
  const Trees trees = trees_of(run);
  const std::int64_t all = run.participation.most_in(run.steps);
  double total = 0;
  for (int h = 0; (trees.leaves >> h) > 0; ++h) {
    const std::int64_t nodes = trees.number * (trees.leaves >> h) + (trees.leaves_of_last >> h);
    const std::int64_t full = std::min(all, ((std::int64_t{1} << h) - 1) / run.participation.separation + 1);
    const std::int64_t filled = std::min(nodes, all / full), rest = filled < nodes ? all - filled * full : 0;
    const double level = numerics::sum_up(numerics::product_up(numerics::count_up(filled), squared_up(full)),  //
                                          squared_up(rest));
    total = numerics::sum_up(total, level);
  }
  return total;
}

bool is_exact(const TreeRun& run) {
  return run.participation.most_in(run.steps) <= most_placed_exactly &&
         trees_of(run).number <= most_trees_placed_exactly;
}

double squared_sensitivity(const TreeRun& run) {
  const Participation rule{run.participation.most_in(run.steps), run.participation.separation};
  return is_exact(run) ? exact(trees_of(run), rule) : level_bound(run);
}

}  // namespace renyi::mechanism
