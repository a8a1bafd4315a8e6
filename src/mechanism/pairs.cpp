// A custom mechanism that is given by a table: the probability of every outcome under two neighbouring inputs
// (docs/math/custom-mechanisms.md, "Discrete pairs"; docs/math/infinite-loss.md for outcomes that are impossible under
// one of them).
#include <fmt/format.h>

#include <array>

#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/table.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"

namespace renyi {

namespace pairs_file {
namespace {

struct Pairs {
  Rows probabilities{{0.75, 0.25}, {0.25, 0.75}};

  static constexpr std::string_view kind = "pairs";
  static constexpr std::string_view summary =
      "a step given by the probability of every outcome with and without a record";
  static std::span<const Parameter> parameters() { return {}; }
  static constexpr auto fields = std::tuple<>{};
  static std::span<const TableParameter> tables();
  static constexpr auto table_fields = std::tuple{&Pairs::probabilities};
  static Notes notes();
  void check() const { laws(); }
  DistributionPair laws() const;
  Mechanism equivalent() const { return custom_pair(std::string(kind), laws()); }
  std::shared_ptr<const Curve> curve() const { return equivalent().curve(); }
  bool operator==(const Pairs&) const = default;
};

std::span<const TableParameter> Pairs::tables() {
  static constexpr std::array<Parameter, 2> columns{{
      {.name = "p", .meaning = "probability with the record", .lowest = 0, .highest = 1},
      {.name = "q", .meaning = "probability without it", .lowest = 0, .highest = 1},
  }};
  static constexpr std::array<TableParameter, 1> all{{
      {.name = "probabilities",
       .meaning = "rows [p, q], one for every outcome; each column adds up to 1",
       .columns = columns},
  }};
  return all;
}

DistributionPair Pairs::laws() const {
  std::vector<double> p, q;
  for (const auto& row : probabilities) {
    p.push_back(row[0]);
    q.push_back(row[1]);
  }
  try {
    return DistributionPair::discrete(p, q);
  } catch (const InvalidArgument& error) {
    const bool second = error.path() == "q";
    throw InvalidArgument("probabilities", fmt::format("{} {}", second ? "second" : "first", error.value()),
                          "columns that add up to 1 within 1e-9");
  }
}

Notes Pairs::notes() {
  return {.relation = "the one its two columns are stated for: remove compares the first with the second",
          .exact = "everything, for that pair: also outcomes that one column lacks, whose loss is infinite",
          .bound = "for steps that the pair dominates",
          .references = {reference::zhu_dong_wang2022}};
}

}  // namespace
}  // namespace pairs_file

Mechanism table::pairs() { return mechanism::made(pairs_file::Pairs{}); }

}  // namespace renyi
