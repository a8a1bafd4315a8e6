// A custom mechanism that is given by its privacy loss distribution (docs/math/infinite-loss.md, "Tables of losses").
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "divergence/discrete.h"
#include "mechanism/custom/discrete_curve.h"
#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/table.h"
#include "numerics/compensated.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"

namespace renyi {

namespace losses_file {
namespace {

using divergence_detail::Atoms;
using numerics::unit_roundoff;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_loss = -700, largest_loss = 1e4;
// Sums may differ from their required value by this much. If the missing mass of Q exceeds its own rounding, it is mass
// that P lacks.
constexpr double tolerance = 1e-9;

struct Losses {
  Rows losses{{1, 0.7310585786300049}, {-1, 0.2689414213699951}};

  static constexpr std::string_view kind = "losses";
  static constexpr std::string_view summary = "a step given by the law of its privacy loss";
  static std::span<const Parameter> parameters() { return {}; }
  static constexpr auto fields = std::tuple<>{};
  static std::span<const TableParameter> tables();
  static constexpr auto table_fields = std::tuple{&Losses::losses};
  static Notes notes();
  void check() const;
  Mechanism equivalent() const;
  std::shared_ptr<const Curve> curve() const { return equivalent().curve(); }
  bool operator==(const Losses&) const = default;
};

std::span<const TableParameter> Losses::tables() {
  static constexpr std::array<Parameter, 2> columns{{
      {.name = "loss", .meaning = "ln(P/Q), or inf", .lowest = least_loss, .highest = infinity},
      {.name = "probability", .meaning = "of that loss under P", .lowest = 0, .highest = 1},
  }};
  static constexpr std::array<TableParameter, 1> all{{
      {.name = "losses",
       .meaning = "rows [loss, probability]: the law of ln(P/Q) under P; a loss may be inf",
       .columns = columns},
  }};
  return all;
}

// The total masses of the two distributions that the rows state.
struct Sums {
  double p = 0;           // sum of the second column
  double q = 0;           // sum of p exp(-loss), where p is scaled to add up to 1
  double q_rounding = 0;  // rounding error of q
};

Sums sums_of(const Rows& rows) {
  numerics::CompensatedSum p, q, rounding;
  for (const auto& row : rows) p.add(row[1]);
  for (const auto& row : rows) {
    if (row[1] == 0 || std::isinf(row[0])) continue;
    const double mass = std::exp(std::log(row[1] / p.value()) - row[0]);
    q.add(mass);
    rounding.add(mass * (8 + std::abs(row[0]) + std::abs(std::log(row[1]))));
  }
  return {p.value(), q.value(), 2 * unit_roundoff * rounding.value()};
}

void Losses::check() const {
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (losses[i][0] <= largest_loss || std::isinf(losses[i][0])) continue;
    throw InvalidArgument(fmt::format("losses[{}][0]", i), fmt::format("{}", losses[i][0]),
                          fmt::format("a number in [{}, {}], or inf", least_loss, largest_loss));
  }
  const Sums sums = sums_of(losses);
  if (!(std::abs(sums.p - 1) <= tolerance)) {
    throw InvalidArgument("losses", fmt::format("probabilities with the sum {}", sums.p), "a sum of 1 within 1e-9");
  }
  if (!(sums.q <= 1 + tolerance)) {
    throw InvalidArgument("losses", fmt::format("exp(-loss) with the mean {}", sums.q),
                          "a mean of at most 1, because it is a probability under the other law");
  }
}

// P is proportional to the second column, and Q has exp(-loss) times its mass. Where Q's sum exceeds 1, by rounding or
// within the tolerance, Q is scaled down and every loss is larger; where it is less, the remainder of Q lies where P
// has no mass.
Mechanism Losses::equivalent() const {
  const Sums sums = sums_of(losses);
  const bool whole = sums.q >= 1 - sums.q_rounding;
  const double more = whole ? std::log(sums.q) : 0;
  const double more_error = sums.q > 0 ? 2 * sums.q_rounding / sums.q : 0;  // error of ln(sums.q)
  Atoms remove, add;
  numerics::CompensatedSum infinite;
  for (const auto& row : losses) {
    const double p = row[1] / sums.p;
    if (p == 0) continue;
    if (std::isinf(row[0])) {
      infinite.add(p);
      continue;
    }
    const double loss = row[0] + more, error = more_error + unit_roundoff * std::abs(loss);
    const numerics::Mass mass = numerics::Mass::of(p);
    remove.shared.push_back({mass, loss, error});
    add.shared.push_back({numerics::Mass::of_log(mass.log - loss), -loss, error});
  }
  remove.p_only = add.q_only = infinite.value();
  if (!whole) remove.q_only = add.p_only = 1 - sums.q;
  const divergence_detail::DiscreteModel model(std::move(remove), std::move(add));
  return CustomMechanism(std::string(kind), std::make_shared<mechanism::DiscreteCurve>(model, Knowledge::loss,
                                                                                       whole ? 0 : sums.q_rounding));
}

Notes Losses::notes() {
  return {.relation = "the one the loss is stated for: remove is the direction of the table, add its reverse",
          .exact = "everything, for a pair with that loss: also infinite losses",
          .bound = "for steps that the pair dominates",
          .references = {reference::zhu_dong_wang2022}};
}

}  // namespace
}  // namespace losses_file

Mechanism table::losses() { return mechanism::made(losses_file::Losses{}); }

}  // namespace renyi
