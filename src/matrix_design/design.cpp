// Designs a matrix for each number of bands, and finds the noise for a target, with and without cyclic Poisson
// sampling.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/extras/matrix_design.h"
#include "renyi/limits.h"
#include "renyi/mechanisms.h"
#include "renyi/plan.h"

namespace renyi {

namespace matrix_design {

namespace design_file {
namespace {

void check_size(const char* name, const std::optional<double>& size) {
  if (!size || (*size > 0 && std::isfinite(*size))) return;
  throw InvalidArgument(name, fmt::format("{}", *size), "a finite number above 0");
}

// A whole number of rounds that is not smaller than x; at least 1.
std::int64_t rounds_from(double x) {
  return static_cast<std::int64_t>(std::clamp(x, 1.0, static_cast<double>(most_designed_rounds)));
}

// Without a rule of its own, a training uses every record once an epoch, in the same order: participations are epochs,
// rounded up, and as far apart as an epoch has whole batches.
ParticipationRule rule_of(const MatrixDesignQuestion& question) {
  ParticipationRule rule{.rounds = question.rounds};
  if (question.dataset_size && question.batch_size) {
    const double batches = *question.dataset_size / *question.batch_size;
    rule.participations =
        rounds_from(std::ceil(static_cast<double>(question.rounds) / std::max(1.0, std::floor(batches))));
    rule.min_separation = rounds_from(std::floor(batches));
  }
  if (question.participations) rule.participations = *question.participations;
  if (question.min_separation) rule.min_separation = *question.min_separation;
  return rule;
}

void check(const MatrixDesignQuestion& question) {
  check_size("dataset_size", question.dataset_size);
  check_size("batch_size", question.batch_size);
  if (question.dataset_size.has_value() != question.batch_size.has_value()) {
    throw InvalidArgument(question.dataset_size ? "batch_size" : "dataset_size", "nothing",
                          "a number: the rate of cyclic Poisson sampling needs both sizes");
  }
  const bool is_given = question.method == MatrixMethod::given;
  if (is_given != question.bands.empty()) {
    throw InvalidArgument("bands", is_given ? "a list" : "nothing",
                          is_given ? "no bands beside coefficients" : "one whole number or more");
  }
  if (question.target && question.noise_multiplier) {
    throw InvalidArgument("noise_multiplier", fmt::format("{}", *question.noise_multiplier),
                          "either a noise multiplier or a target");
  }
}

Rows rows_of(const std::vector<double>& coefficients) {
  Rows rows;
  rows.reserve(coefficients.size());
  for (const double x : coefficients) rows.push_back({x});
  return rows;
}

// The step of a plan that uses the matrix. Its noise multiplier is 1 until it is found.
Mechanism step_of(const DesignedMatrix& matrix, const ParticipationRule& rule, double noise_multiplier) {
  const auto rounds = static_cast<double>(rule.rounds);
  if (matrix.amplified) {
    return BandedMatrix{.noise_multiplier = noise_multiplier,
                        .rounds = rounds,
                        .sampling_rate = matrix.sampling_rate,
                        .coefficients = rows_of(matrix.coefficients)};
  }
  return ToeplitzMatrix{.noise_multiplier = noise_multiplier,
                        .rounds = rounds,
                        .participations = static_cast<double>(rule.participations),
                        .min_separation = static_cast<double>(rule.min_separation),
                        .coefficients = rows_of(matrix.coefficients)};
}

// Finds the noise for the target, or the cost of the given noise. What cannot be found is explained in the answer, so
// that the other designs are still given.
void add_noise(DesignedMatrix& matrix, const ParticipationRule& rule, const MatrixDesignQuestion& question) {
  if (!question.target && !question.noise_multiplier) return;
  Plan plan(question.neighbors);
  try {
    plan.add(step_of(matrix, rule, question.noise_multiplier.value_or(1)));
    if (question.target) {
      const Calibration found = calibrate(plan, {.parameter = "noise_multiplier"}, *question.target);
      matrix.noise_multiplier = found.value;
      matrix.epsilon = found.cost.upper();
    } else {
      matrix.noise_multiplier = question.noise_multiplier;
      if (question.delta) matrix.epsilon = epsilon(plan, *question.delta).upper();
    }
  } catch (const Unsupported& error) {
    matrix.obstacle = error.what();
  } catch (const NotConverged& error) {
    matrix.obstacle = error.what();
  } catch (const LimitReached& error) {
    matrix.obstacle = error.what();
  }
  if (!matrix.noise_multiplier) return;
  matrix.rms_error = *matrix.noise_multiplier * std::sqrt(matrix.error.mean_squared);
  matrix.largest_error = *matrix.noise_multiplier * std::sqrt(matrix.error.largest_squared);
}

std::vector<double> coefficients_for(std::int64_t bands, const ParticipationRule& rule,
                                     const MatrixDesignQuestion& question) {
  switch (question.method) {
    case MatrixMethod::square_root: return square_root_coefficients(bands);
    case MatrixMethod::optimal: return optimal_coefficients(bands, rule);
    case MatrixMethod::given: break;
  }
  return question.coefficients;
}

// Returns true if the squared sensitivity is a multiple of that of one participation: columns do not overlap, and the
// last one is complete. Then both have the same best coefficients.
bool is_multiple_of_one(std::int64_t bands, const ParticipationRule& rule) {
  const std::int64_t s = rule.min_separation, last = std::min(rule.participations - 1, (rule.rounds - 1) / s);
  return bands <= s && last <= (rule.rounds - bands) / s;
}

DesignedMatrix designed(std::int64_t bands, const ParticipationRule& rule, const MatrixDesignQuestion& question,
                        const std::optional<std::vector<double>>& for_one) {
  DesignedMatrix matrix{
      .bands = bands,
      .coefficients = for_one && is_multiple_of_one(bands, rule) ? *for_one : coefficients_for(bands, rule, question)};
  matrix.sensitivity = toeplitz_sensitivity(matrix.coefficients, rule);
  matrix.error = prefix_sum_error(matrix.coefficients, rule.rounds);
  add_noise(matrix, rule, question);
  return matrix;
}

// A record's contributions do not overlap, and only the norm of a column counts: the matrix is that of one
// participation.
DesignedMatrix amplified(std::int64_t bands, const MatrixDesignQuestion& question) {
  const ParticipationRule once{.rounds = question.rounds};
  DesignedMatrix matrix{.bands = bands, .amplified = true, .coefficients = coefficients_for(bands, once, question)};
  matrix.sensitivity = toeplitz_sensitivity(matrix.coefficients, once);
  matrix.error = prefix_sum_error(matrix.coefficients, once.rounds);
  matrix.sampling_rate = static_cast<double>(bands) * *question.batch_size / *question.dataset_size;
  if (matrix.sampling_rate > 1) {
    matrix.obstacle = fmt::format("a group has fewer records than a batch: use at most {} bands",
                                  std::floor(*question.dataset_size / *question.batch_size));
    return matrix;
  }
  add_noise(matrix, once, question);
  return matrix;
}

// The matrices of an answer, in memory and as text, with what the largest of them needs while it is searched for: the
// steps that the search remembers, and the rows of a plan.
void check_size(const std::vector<std::int64_t>& bands, bool has_sampled) {
  constexpr double bytes_each = 48, bytes_of_largest = 256;
  double all = 0, largest = 0;
  for (const std::int64_t each : bands) {
    all += static_cast<double>(each);
    largest = std::max(largest, static_cast<double>(each));
  }
  check_memory((has_sampled ? 2 : 1) * bytes_each * all + bytes_of_largest * largest, "matrices of so many bands");
}

// The figure by which designs are compared.
double figure_of(const DesignedMatrix& matrix, bool has_noise) {
  constexpr double none = std::numeric_limits<double>::infinity();
  if (has_noise) return matrix.rms_error.value_or(none);
  return matrix.amplified ? none : matrix.sensitivity * std::sqrt(matrix.error.mean_squared);
}

std::optional<std::size_t> best_of(const std::vector<DesignedMatrix>& matrices, bool has_noise) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const double figure = figure_of(matrices[i], has_noise);
    if (std::isfinite(figure) && (!best || figure < figure_of(matrices[*best], has_noise))) best = i;
  }
  return best;
}

}  // namespace
}  // namespace design_file

}  // namespace matrix_design

std::string_view to_string(MatrixMethod method) noexcept {
  switch (method) {
    case MatrixMethod::square_root: return "square-root";
    case MatrixMethod::optimal: return "optimal";
    case MatrixMethod::given: return "given";
  }
  return "unknown";
}

MatrixDesign design_matrix(const MatrixDesignQuestion& question) {
  using namespace matrix_design::design_file;
  check(question);
  MatrixDesign design{.rule = rule_of(question)};
  std::vector<std::int64_t> bands = question.bands;
  if (question.method == MatrixMethod::given) bands = {static_cast<std::int64_t>(question.coefficients.size())};
  check_size(bands, question.dataset_size.has_value());
  for (const std::int64_t each : bands) {
    stop_if_overdue();
    std::optional<DesignedMatrix> sampled;
    if (question.dataset_size) sampled = amplified(each, question);
    const auto for_one = sampled ? std::optional(sampled->coefficients) : std::nullopt;
    design.matrices.push_back(designed(each, design.rule, question, for_one));
    if (sampled) design.matrices.push_back(*std::move(sampled));
  }
  design.best = best_of(design.matrices, question.target || question.noise_multiplier);
  return design;
}

}  // namespace renyi
