// Gaussian noise on every node of a binary tree over the rounds (DP-FTRL): a Gaussian mechanism whose sensitivity is
// that of all nodes together (docs/math/trees-and-matrices.md, "Trees").
#include <array>

#include "mechanism/gaussian.h"
#include "mechanism/model.h"
#include "mechanism/participation/sensitivity.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace tree_aggregation_file {
namespace {

constexpr double most_rounds = 1e9;

struct TreeAggregation {
  double noise_multiplier = 1;
  double rounds = 1000;
  double participations = 1;
  double min_separation = 1;
  double restart_every = 0;

  static constexpr std::string_view kind = "tree-aggregation";
  static constexpr std::string_view summary =
      "Gaussian noise on every node of a binary tree over the rounds (DP-FTRL with tree aggregation)";
  static std::span<const Parameter> parameters();
  static constexpr auto fields =
      std::tuple{&TreeAggregation::noise_multiplier, &TreeAggregation::rounds, &TreeAggregation::participations,
                 &TreeAggregation::min_separation, &TreeAggregation::restart_every};
  static Notes notes();
  static constexpr std::string_view sampling_obstacle =
      "a tree runs over many batches, and what it gains from sampling them is not analysed";
  Mechanism equivalent() const;
  std::shared_ptr<const Curve> curve() const { return equivalent().curve(); }
  bool operator==(const TreeAggregation&) const = default;
};

std::span<const Parameter> TreeAggregation::parameters() {
  static constexpr std::array<Parameter, 5> table{{
      {.name = "noise_multiplier",
       .meaning = "standard deviation of a node's noise over the L2 norm of one contribution",
       .lowest = 1e-20,
       .highest = 1e20,
       .effect = Effect::lowers_cost},
      {.name = "rounds",
       .meaning = "training steps of the run: leaves of its trees",
       .lowest = 1,
       .highest = most_rounds,
       .whole = true,
       .effect = Effect::raises_cost},
      {.name = "participations",
       .meaning = "rounds that one record contributes to, at most",
       .lowest = 1,
       .highest = most_rounds,
       .whole = true,
       .fallback = 1.0,
       .effect = Effect::raises_cost},
      {.name = "min_separation",
       .meaning = "rounds from one contribution of a record to its next, at least",
       .lowest = 1,
       .highest = most_rounds,
       .whole = true,
       .fallback = 1.0,
       .effect = Effect::lowers_cost},
      {.name = "restart_every",
       .meaning = "rounds after which a new tree begins (0: one tree for the run)",
       .lowest = 1,
       .highest = most_rounds,
       .zero_allowed = true,
       .whole = true,
       .fallback = 0.0,
       .effect = Effect::not_monotone},
  }};
  return table;
}

std::int64_t whole(double x) { return static_cast<std::int64_t>(x); }

Mechanism TreeAggregation::equivalent() const {
  const mechanism::TreeRun run{whole(rounds), whole(restart_every), {whole(participations), whole(min_separation)}};
  // If the sensitivity is attained, its square is a whole number, which is not rounded.
  return mechanism::gaussian_with_sensitivity(
      noise_multiplier, {.upper = mechanism::squared_sensitivity(run), .attained = mechanism::is_exact(run)});
}

constexpr Reference kairouz2021{
    "kairouz2021ftrl",
    "Kairouz, McMahan, Song, Thakkar, Thakurta, Xu 2021, Practical and private (deep) learning without sampling or "
    "shuffling (arXiv:2103.00039), Appendix D",
    R"(@inproceedings{kairouz2021ftrl,
  author = {Kairouz, Peter and McMahan, Brendan and Song, Shuang and Thakkar, Om and Thakurta, Abhradeep and Xu, Zheng},
  title = {Practical and Private (Deep) Learning Without Sampling or Shuffling},
  booktitle = {International Conference on Machine Learning (ICML)},
  pages = {5213--5225},
  year = {2021},
  eprint = {2103.00039}
})"};

Notes TreeAggregation::notes() {
  return {
      .relation =
          "any under which the other records keep their rounds; the norm of a contribution is that of what one "
          "record changes there (zero-out: its clipping norm; replace-one: twice that)",
      .exact =
          "everything for up to 64 participations in up to 64 trees, where all complete nodes are released (Honaker's "
          "estimate uses them all)",
      .bound =
          "for more participations or trees, a few percent too large; for releases of prefix sums alone, which show "
          "fewer "
          "nodes",
      .references = {kairouz2021},
      .assumes = mechanism::rounds_are_kept};
}

}  // namespace
}  // namespace tree_aggregation_file

Mechanism table::tree_aggregation() { return mechanism::made(tree_aggregation_file::TreeAggregation{}); }

}  // namespace renyi
