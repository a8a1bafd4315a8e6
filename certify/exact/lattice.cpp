// Loss distributions with atoms, and plans of few steps: rounds them to a grid both upwards and downwards, and refines
// the grid until it is fine enough.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "certify/exact/cells.h"
#include "certify/exact/grid_law.h"
#include "certify/exact/law.h"
#include "certify/exact/responses.h"
#include "certify/exact/step_classes.h"
#include "certify/exact/tails.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::certify {
namespace lattice_file {
namespace {

// The question, and the current estimate of its answer.
struct Question {
  double epsilon = 0;
  double log_delta = 0;
  double tolerance = 1e-6;
  long bits = 128;
  std::size_t* points_left = nullptr;  // the remaining work of all products of distributions
};

// One kind of step and the number of its runs.
struct Kind {
  std::unique_ptr<StepTails> tails;
  std::int64_t count = 1;
};

// A plan's steps on one grid, rounded upwards and downwards.
class Lattice {
 public:
  // `atoms` are the Laplace steps among the kinds. Responses are not on the grid, but their largest loss matters.
  Lattice(std::vector<Kind> kinds, std::vector<Laplace> atoms, const Ball& largest_of_responses);

  // Returns the length of the longest range of losses that matters for a step.
  double longest(const Question& question) const;
  // Encloses the distribution between its two roundings, on a grid of approximately that spacing. Throws NotConverged
  // if it is too much work.
  std::unique_ptr<Law> law(double about_h, const Question& question) const;

 private:
  double log_negligible(const Question& question) const;
  Span span(const Kind& kind, const Question& question) const;

  std::vector<Kind> kinds_;
  std::vector<Laplace> atoms_;
  double copies_ = 0;
  double sum_of_tops_ = 0;
};

// The plan's loss distribution, enclosed between its two roundings.
class LatticeLaw final : public Law {
 public:
  LatticeLaw(const Rounded& above, const Rounded& below, const Ball& h, Ball largest, long bits)
      : above_(above, h), below_(below, h), infinite_(above.infinite), largest_(std::move(largest)), bits_(bits) {}
  std::string method() const override { return "lattice"; }
  std::int64_t precision() const override { return bits_; }

  Ball delta(const Ball& epsilon) const override {
    const Precision bits(bits_);
    if (surely_at_most(largest_, epsilon)) return 0;
    // delta(epsilon) >= 1 - exp(epsilon), and 0 <= delta <= 1.
    const Ball least = max(max(below_.delta(epsilon).lower(), (-expm1(epsilon)).lower()), 0);
    const Ball most = min((above_.delta(epsilon) + infinite_).upper(), 1);
    return Ball::hull(least, most);
  }

 private:
  GridProfile above_;
  GridProfile below_;
  Ball infinite_;
  Ball largest_;
  long bits_;
};

double distance_of(const Laplace& step) { return 2 * step.l1_sensitivity / step.scale; }

// The distance of the first pair of atoms is an even number of cells, because merging takes cells in pairs; that of the
// other pairs is so approximately.
Spacing spacing_near(double h, std::vector<Laplace> atoms) {
  // Atoms that are too close for the grid to resolve do not affect the spacing.
  std::erase_if(atoms, [&](const Laplace& step) { return distance_of(step) < 4 * h; });
  if (atoms.empty()) return {Ball(static_cast<double>(static_cast<float>(h))), 1};
  const Laplace& first = atoms.front();
  const double least = std::ceil(distance_of(first) / (2 * h));
  const auto misfit = [&](double pairs) {
    double sum = 0;
    for (const Laplace& step : atoms) {
      const double fits = distance_of(step) / distance_of(first) * pairs;
      sum += std::exp(-0.5 * distance_of(step)) * std::abs(fits - std::ceil(fits - 1e-9));
    }
    return sum / pairs;
  };
  const double most = atoms.size() > 1 ? least + std::min(std::ceil(0.3 * least), 500.0) : least;
  double best = least;
  for (double pairs = least; pairs <= most; ++pairs) {
    stop_if_asked();
    if (misfit(pairs) < misfit(best)) best = pairs;
  }
  return {Ball(first.l1_sensitivity), Ball(first.scale) * Ball(best)};
}

// Adds the copies of one more step.
void add(std::optional<Rounded>& total, const Rounded& law, std::int64_t count, const Shortening& how) {
  Rounded copies = copies_of(law, count, how);
  total = total ? sum_of(*total, copies, how) : std::move(copies);
}

Lattice::Lattice(std::vector<Kind> kinds, std::vector<Laplace> atoms, const Ball& largest_of_responses)
    : kinds_(std::move(kinds)), atoms_(std::move(atoms)), sum_of_tops_(largest_of_responses.about()) {
  for (const Kind& kind : kinds_) {
    copies_ += static_cast<double>(kind.count);
    sum_of_tops_ += static_cast<double>(kind.count) * kind.tails->top().about();
  }
}

double Lattice::longest(const Question& question) const {
  double result = 0;
  for (const Kind& kind : kinds_) result = std::max(result, span(kind, question).length());
  return result;
}

std::unique_ptr<Law> Lattice::law(double about_h, const Question& question) const {
  const Precision bits(question.bits);
  const Spacing spacing = spacing_near(about_h, atoms_);
  const Ball negligible = exp(Ball(log_negligible(question)));
  std::optional<Rounded> above;
  std::optional<Rounded> below;
  Ball largest;
  for (const Kind& kind : kinds_) {
    const Cut pieces = cut(*kind.tails, hang(*kind.tails, spacing, span(kind, question)));
    add(above, rounded_up(*kind.tails, pieces), kind.count, {Side::above, negligible, question.points_left});
    add(below, rounded_down(*kind.tails, pieces), kind.count, {Side::below, negligible, question.points_left});
    largest += Ball(kind.count) * kind.tails->top();
  }
  return std::make_unique<LatticeLaw>(*above, *below, spacing.h(), largest, question.bits);
}

// The mass that is cut off is a small share of delta even when it is cut off many times.
double Lattice::log_negligible(const Question& question) const {
  return question.log_delta + std::log(std::min(question.tolerance, 1e-3)) - std::log(1000 * copies_);
}

// If all losses are bounded, losses of a step that are too low for the other steps to compensate are omitted.
Span Lattice::span(const Kind& kind, const Question& question) const {
  Span span = span_of(*kind.tails, log_negligible(question));
  if (kind.tails->has_atoms() || !std::isfinite(sum_of_tops_)) return span;
  const double left = sum_of_tops_ - question.epsilon;
  if (left > 0) span.low = std::max(span.low, span.high - 1.5 * left);
  return span;
}

constexpr std::int64_t most_copies = 4096;
constexpr double most_cells = 0x1p16;
// The limit for all products of distributions, some seconds. A verifier's grids are finer, and it tries two.
constexpr std::size_t most_points = 3'000'000, most_points_verifying = 4 * most_points;
// Grids are not made for smaller deltas.
constexpr double least_log_delta = -600;
constexpr int most_rounds = 24;
constexpr double first_cells = 1024;

std::unique_ptr<StepTails> tails_of(const Mechanism& step, Direction direction) {
  if (const auto laplace = step.get_if<Laplace>()) return laplace_tails(*laplace);
  return sampled_gaussian_tails(*step.get_if<SampledGaussian>(), direction);
}

std::optional<Lattice> lattice_of(const StepClasses& parts, Direction direction) {
  std::vector<Kind> kinds;
  std::vector<Laplace> atoms;
  std::int64_t copies = 0;
  for (const CountedMechanism& step : parts.others) {
    if (step.count > most_copies || (copies += step.count) > most_copies) return std::nullopt;
    if (const auto laplace = step.mechanism.get_if<Laplace>()) atoms.push_back(*laplace);
    kinds.push_back({tails_of(step.mechanism, direction), step.count});
  }
  if (!parts.gaussians.empty()) kinds.push_back({gaussian_tails(parts.gaussians), 1});
  if (kinds.empty()) return std::nullopt;
  Ball responses;
  for (const CountedResponse& response : parts.responses) responses += Ball(response.count) * response.law().loss;
  return Lattice(std::move(kinds), std::move(atoms), responses);
}

// Computes the distribution of all steps on one grid; nullptr if it is too much work or there are too many responses.
std::unique_ptr<Law> law_of(const Lattice& lattice, const StepClasses& parts, double cells, const Question& question) {
  try {
    std::unique_ptr<Law> law = lattice.law(lattice.longest(question) / cells, question);
    return parts.responses.empty() ? std::move(law) : with_responses(parts.responses, std::move(law));
  } catch (const NotConverged&) {
    return nullptr;
  }
}

// Returns the estimate of ln delta for the next grid, from the result of the last one.
double next_log_delta(const Ball& reading) {
  const double lower = log(reading.lower()).about(), upper = log(reading.upper()).about();
  // A lower bound of 0 means that the mass that was cut off hides delta.
  return std::clamp(std::isfinite(lower) ? lower : upper - 30, least_log_delta, 0.0);
}

double width_at(const Law& law, double epsilon) { return 2 * law.delta(Ball(epsilon)).relative_radius(); }

// The result of refining the grid until it is fine enough, or until the work is too much.
struct Refined {
  std::unique_ptr<Law> law;  // the narrowest one, if any
  double cells = first_cells;
  Question question;
};
Refined refined(const Lattice& lattice, const StepClasses& parts, Question question) {
  Refined best{nullptr, first_cells, question};
  double least = HUGE_VAL;
  double cells = first_cells;
  for (int round = 0; round < most_rounds && cells <= most_cells && least > question.tolerance; ++round) {
    stop_if_asked();
    std::unique_ptr<Law> law = law_of(lattice, parts, cells, question);
    if (!law) break;
    const Ball reading = law->delta(Ball(question.epsilon));
    const double width = 2 * reading.relative_radius();
    if (!best.law || width < least) {
      best = {std::move(law), cells, question};
      least = width;
    }
    question.log_delta = next_log_delta(reading);
    // The width decreases with the square of the spacing, once delta is approximately known.
    cells *= width < 1 ? std::clamp(1.4 * std::sqrt(width / question.tolerance), 2.0, 8.0) : 1.3;
  }
  return best;
}

// A verifier uses another, finer grid: its enclosure must fit into the widened enclosure of the first route.
std::unique_ptr<Law> finer(const Lattice& lattice, const StepClasses& parts, Refined found) {
  const double wanted = 0.45 * width_at(*found.law, found.question.epsilon);
  found.question.tolerance /= 4;
  found.question.bits = 192;
  std::size_t left = most_points_verifying;
  found.question.points_left = &left;
  std::unique_ptr<Law> best;
  double least = HUGE_VAL;
  for (const double factor : {1.83, 2.6}) {
    std::unique_ptr<Law> law = law_of(lattice, parts, factor * found.cells, found.question);
    if (!law) break;
    const double width = width_at(*law, found.question.epsilon);
    if (!best || width < least) {
      best = std::move(law);
      least = width;
    }
    if (least <= wanted) break;
  }
  return best;
}

}  // namespace
}  // namespace lattice_file

std::unique_ptr<Law> lattice_law(const Steps& steps, Direction direction, const OperatingPoint& operating_point,
                                 double tolerance, Route route) {
  const Precision precision(128);
  const std::optional<StepClasses> parts = classify_steps(steps);
  const auto lattice = parts ? lattice_file::lattice_of(*parts, direction) : std::nullopt;
  if (!lattice) return nullptr;
  if (operating_point.log_delta < lattice_file::least_log_delta) return nullptr;
  const double log_delta = std::isnan(operating_point.log_delta) ? -30 : std::min(operating_point.log_delta, 0.0);
  std::size_t left = lattice_file::most_points;
  lattice_file::Refined found =
      lattice_file::refined(*lattice, *parts, {operating_point.epsilon, log_delta, tolerance, 128, &left});
  if (route == Route::first || !found.law) return std::move(found.law);
  return lattice_file::finer(*lattice, *parts, std::move(found));
}

}  // namespace renyi::certify
