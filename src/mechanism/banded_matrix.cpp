// Correlated Gaussian noise by a banded matrix on cyclic Poisson samples: one sampled Gaussian for each turn of a
// record's group (docs/math/banded-matrices.md, "Amplification").
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "mechanism/composed_curve.h"
#include "mechanism/gaussian.h"
#include "mechanism/model.h"
#include "mechanism/participation/sensitivity.h"
#include "mechanism/references.h"
#include "mechanism/replacement_steps.h"
#include "mechanism/table.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace banded_matrix_file {
namespace {

constexpr double most_rounds = 1e9;

std::int64_t whole(double x) { return static_cast<std::int64_t>(x); }

struct BandedMatrix {
  double noise_multiplier = 1;
  double rounds = 1000;
  double sampling_rate = 0.01;
  double groups = 0;
  Rows coefficients{{1}, {0.5}, {0.375}, {0.3125}};

  static constexpr std::string_view kind = "banded-matrix";
  static constexpr std::string_view summary =
      "correlated Gaussian noise by a banded matrix on cyclic Poisson samples (amplified banded matrix factorisation)";
  static std::span<const Parameter> parameters();
  static std::span<const TableParameter> tables();
  static constexpr auto fields = std::tuple{&BandedMatrix::noise_multiplier, &BandedMatrix::rounds,
                                            &BandedMatrix::sampling_rate, &BandedMatrix::groups};
  static constexpr auto table_fields = std::tuple{&BandedMatrix::coefficients};
  static Notes notes();
  static constexpr std::string_view sampling_obstacle = "it is sampled already";
  void check() const;
  std::vector<CountedMechanism> steps_of_run() const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const BandedMatrix&) const = default;
};

std::span<const Parameter> BandedMatrix::parameters() {
  static constexpr std::array<Parameter, 4> table{{
      {.name = "noise_multiplier",
       .meaning = "standard deviation of the noise on C g over the L2 norm of one contribution",
       .lowest = 0.1,
       .highest = 1e6,
       .effect = Effect::lowers_cost},
      {.name = "rounds",
       .meaning = "training steps of the run: rows and columns of C",
       .lowest = 1,
       .highest = most_rounds,
       .whole = true,
       .effect = Effect::raises_cost},
      {.name = "sampling_rate",
       .meaning = "probability with which each record of the round's group enters the batch",
       .lowest = 1e-100,
       .highest = 1,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
      {.name = "groups",
       .meaning = "groups of records, which take turns; at least as many as coefficients (0: as many)",
       .lowest = 1,
       .highest = most_rounds,
       .zero_allowed = true,
       .whole = true,
       .fallback = 0.0,
       .effect = Effect::not_monotone},
  }};
  return table;
}

std::span<const TableParameter> BandedMatrix::tables() {
  static constexpr std::array<Parameter, 1> column{{
      {.name = "coefficient", .meaning = "an entry of the first column of C", .lowest = -1e20, .highest = 1e20},
  }};
  static constexpr std::array<TableParameter, 1> table{{
      {.name = "coefficients",
       .meaning = "the first column of C, from the diagonal down: its bands; zeros follow",
       .columns = column},
  }};
  return table;
}

// If a group's turn came again before the bands of its last turn ended, two contributions of a record would overlap.
void BandedMatrix::check() const {
  const auto bands = static_cast<double>(coefficients.size());
  if (groups == 0 || groups >= std::min(bands, rounds)) return;
  throw InvalidArgument("groups", fmt::format("{}", groups),
                        fmt::format("0, or at least {}, the number of coefficients: contributions of a record may not "
                                    "overlap",
                                    coefficients.size()));
}

// The columns of one group: how many contain all coefficients, and how many rows one more has that the end of the run
// cuts off (0: there is none).
struct Turns {
  std::int64_t complete = 0;
  std::int64_t rows_of_last = 0;
};

// The first group takes part in the rounds 0, b, 2b, ...; no other group has more turns, or longer columns.
Turns turns_of(std::int64_t rounds, std::int64_t bands, std::int64_t groups) {
  const std::int64_t complete = rounds >= bands ? (rounds - bands) / groups + 1 : 0;
  return {complete, std::max<std::int64_t>(0, rounds - complete * groups)};
}

// Gaussian noise on a query that moves by the norm of the first `rows` coefficients.
Mechanism noise_on(const std::vector<double>& first_column, std::int64_t rows, double noise_multiplier) {
  return mechanism::gaussian_with_sensitivity(noise_multiplier,
                                              {.upper = mechanism::squared_toeplitz_sensitivity(first_column, rows, {}),
                                               .rounding = mechanism::squared_sensitivity_rounding(first_column)});
}

// Sampled Gaussians are analysed from 1e-12 to 1e6; the limits leave room for rounding and for replaced records.
constexpr double least_noise = 1e-11;
constexpr double most_noise = 999'999;

struct NoiseRange {
  double lowest;
  double highest;
};

NoiseRange multiplier_of(const Mechanism& noise) {
  const auto gaussian = noise.get_if<Gaussian>();
  return {numerics::quotient_down(gaussian->stddev, gaussian->l2_sensitivity),
          numerics::quotient_up(gaussian->stddev, gaussian->l2_sensitivity)};
}

// Rounded pessimistically: with less noise where there is too much of it, and without sampling where there is too
// little.
Mechanism pessimistic(const Mechanism& noise, double rate) {
  const NoiseRange range = multiplier_of(noise);
  if (range.lowest < least_noise) return noise;
  if (range.highest <= most_noise) return noise.sampled_by(Sampling::poisson(rate));
  const double stddev = noise.get_if<Gaussian>()->stddev;
  return mechanism::gaussian_step(stddev, numerics::quotient_up(stddev, most_noise))
      .sampled_by(Sampling::poisson(rate));
}

// Rounded optimistically: a step that no record enters costs nothing.
Mechanism optimistic(const Mechanism& noise, double rate) {
  const NoiseRange range = multiplier_of(noise);
  const bool is_known = range.lowest >= least_noise && range.highest <= most_noise;
  return noise.sampled_by(Sampling::poisson(is_known ? rate : 0));
}

Mechanism sampled(const Mechanism& noise, double rate) {
  return pessimistic(noise, rate).with_optimistic(optimistic(noise.optimistic(), rate));
}

std::vector<CountedMechanism> BandedMatrix::steps_of_run() const {
  std::vector<double> first_column;
  for (const auto& row : coefficients) first_column.push_back(row.front());
  const auto bands = static_cast<std::int64_t>(first_column.size());
  const Turns turns = turns_of(whole(rounds), bands, groups == 0 ? bands : whole(groups));
  std::vector<CountedMechanism> steps;
  const auto add = [&](std::int64_t rows, std::int64_t count) {
    if (count > 0) steps.push_back({sampled(noise_on(first_column, rows, noise_multiplier), sampling_rate), count});
  };
  add(bands, turns.complete);
  if (turns.rows_of_last > 0) add(turns.rows_of_last, 1);
  return steps;
}

// The curve under add-or-remove-one. Where the noise is so small or large that the sampled Gaussian is not defined, the
// curve without sampling bounds it.
std::shared_ptr<const Curve> BandedMatrix::curve() const {
  std::vector<mechanism::CountedCurve> parts;
  for (const CountedMechanism& step : steps_of_run()) {
    const auto noise = step.mechanism.unsampled().get_if<Gaussian>();
    const auto sampled_step =
        mechanism::sampled_gaussian_step(sampling_rate, numerics::quotient_down(noise->stddev, noise->l2_sensitivity));
    parts.push_back({sampled_step ? sampled_step->curve() : step.mechanism.unsampled().curve(), step.count});
  }
  return std::make_shared<mechanism::ComposedCurve>(std::move(parts));
}

Notes BandedMatrix::notes() {
  return {.relation =
              "any; the noise is stated beside the presence of one record; groups of equal size, which depend on the "
              "number of records, only under zero-out and replace-one, where a record keeps its group",
          .exact = "everything under add-or-remove-one and zero-out; under replace-one the pair of two records",
          .bound = "for units of several records, the bound for a chain of neighbours",
          .references = {reference::choquette_choo2023b, reference::denisov2022},
          .assumes =
              "records are assigned to groups one by one, by a rule that sees no other record; a record more or less "
              "moves no other record to another group"};
}

}  // namespace
}  // namespace banded_matrix_file

Mechanism table::banded_matrix() { return mechanism::made(banded_matrix_file::BandedMatrix{}); }

}  // namespace renyi
