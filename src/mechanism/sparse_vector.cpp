// The sparse vector technique: one noisy threshold is drawn, noise is added to each query, and it is published which
// queries are above the threshold, until `cutoff` of them were (Lyu, Su, Li 2017, Algorithm 1; docs/math/selection.md).
#include <array>

#include "mechanism/model.h"
#include "mechanism/replacement_steps.h"
#include "mechanism/table.h"
#include "numerics/decimal_arithmetic.h"
#include "numerics/rounding.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace sparse_vector_file {
namespace {

constexpr Reference lyu2017{
    "lyu2017",
    "Lyu, Su, Li 2017, Understanding the sparse vector technique for differential privacy (arXiv:1603.01699), "
    "Algorithm 1; monotonic queries: its generalisation",
    R"(@article{lyu2017,
  author = {Lyu, Min and Su, Dong and Li, Ninghui},
  title = {Understanding the Sparse Vector Technique for Differential Privacy},
  journal = {Proceedings of the VLDB Endowment},
  volume = {10},
  number = {6},
  pages = {637--648},
  year = {2017},
  eprint = {1603.01699}
})"};

struct SparseVector {
  double threshold_scale = 2;
  double query_scale = 4;
  double cutoff = 1;
  double sensitivity = 1;
  double monotonic = 0;

  static constexpr std::string_view kind = "sparse-vector";
  static constexpr std::string_view summary = "the sparse vector technique (AboveThreshold)";
  static std::span<const Parameter> parameters() {
    static constexpr std::array<Parameter, 5> table{{
        {.name = "threshold_scale",
         .meaning = "scale of the Laplace noise on the threshold, drawn once",
         .lowest = 1e-20,
         .highest = 1e20,
         .effect = Effect::lowers_cost},
        {.name = "query_scale",
         .meaning = "scale of the Laplace noise on each query",
         .lowest = 1e-20,
         .highest = 1e20,
         .effect = Effect::lowers_cost},
        {.name = "cutoff",
         .meaning = "how many queries may be found above before it stops",
         .lowest = 1,
         .highest = 1e9,
         .whole = true,
         .fallback = 1.0,
         .effect = Effect::raises_cost},
        {.name = "sensitivity",
         .meaning = "how far one record moves any query",
         .lowest = 1e-20,
         .highest = 1e20,
         .fallback = 1.0,
         .effect = Effect::raises_cost},
        {.name = "monotonic",
         .meaning = "1 where one record moves all queries the same way, or not at all",
         .lowest = 0,
         .highest = 1,
         .whole = true,
         .fallback = 0.0,
         .effect = Effect::lowers_cost},
    }};
    return table;
  }
  static constexpr auto fields =
      std::tuple{&SparseVector::threshold_scale, &SparseVector::query_scale, &SparseVector::cutoff,
                 &SparseVector::sensitivity, &SparseVector::monotonic};

  // epsilon = sensitivity/threshold_scale + 2 cutoff sensitivity/query_scale; the second term is halved for monotonic
  // queries.
  Mechanism equivalent() const {
    const double answers = monotonic == 1 ? cutoff : 2 * cutoff;
    const std::array<numerics::CountedQuotient, 2> losses{
        {{{sensitivity, threshold_scale}}, {{sensitivity, query_scale}, static_cast<std::int64_t>(answers)}}};
    return mechanism::pure_step(numerics::decimal_sum(losses).value_or(
        numerics::sum_up(numerics::quotient_up(sensitivity, threshold_scale),
                         numerics::quotient_up(numerics::product_up(answers, sensitivity), query_scale))));
  }
  std::shared_ptr<const Curve> curve() const { return equivalent().curve(); }

  static Notes notes() {
    return {.relation = "the one the sensitivity is stated for",
            .exact = "its pure epsilon, which is approached with many queries",
            .bound =
                "everything else: as for any step of that epsilon. Answers of the queries themselves are steps of "
                "their own",
            .references = {lyu2017}};
  }

  bool operator==(const SparseVector&) const = default;
};

}  // namespace
}  // namespace sparse_vector_file

Mechanism table::sparse_vector() { return mechanism::made(sparse_vector_file::SparseVector{}); }

}  // namespace renyi
