// Laws with atoms, and few steps: both roundings to a grid, from a coarse one to one fine enough.
#include <algorithm>
#include <cmath>

#include "certify/exact/atoms.h"
#include "certify/exact/on_grid.h"
#include "certify/exact/parts.h"
#include "renyi/error.h"

namespace renyi::certify {
namespace {

constexpr std::int64_t most_copies = 4096;
constexpr double most_cells = 0x1p16;
// Of all products of laws: some seconds. A verifier's grids are finer, and it tries two.
constexpr std::size_t most_points = 3'000'000, most_points_verifying = 4 * most_points;
// Smaller deltas are beyond what the grids are cut for.
constexpr double least_log_delta = -600;
constexpr int most_rounds = 24;
constexpr double first_cells = 1024;

std::unique_ptr<StepTails> tails_of(const Mechanism& step, Direction direction) {
  if (const auto* laplace = step.get_if<Laplace>()) return laplace_tails(*laplace);
  return sampled_gaussian_tails(*step.get_if<SampledGaussian>(), direction);
}

std::optional<Lattice> lattice_of(const Parts& parts, Direction direction) {
  std::vector<Kind> kinds;
  std::vector<Laplace> atoms;
  std::int64_t copies = 0;
  for (const CountedMechanism& step : parts.others) {
    if (step.count > most_copies || (copies += step.count) > most_copies) return std::nullopt;
    if (const auto* laplace = step.mechanism.get_if<Laplace>()) atoms.push_back(*laplace);
    kinds.push_back({tails_of(step.mechanism, direction), step.count});
  }
  if (!parts.gaussians.empty()) kinds.push_back({gaussian_tails(parts.gaussians), 1});
  if (kinds.empty()) return std::nullopt;
  Ball responses;
  for (const CountedResponse& response : parts.responses) responses += Ball(response.count) * response.law().loss;
  return Lattice(std::move(kinds), std::move(atoms), responses);
}

// The law of all steps on one grid; nothing if it is too much work or the responses are too many.
std::unique_ptr<Law> law_of(const Lattice& lattice, const Parts& parts, double cells, const Question& question) {
  try {
    std::unique_ptr<Law> law = lattice.law(lattice.longest(question) / cells, question);
    return parts.responses.empty() ? std::move(law) : with_responses(parts.responses, std::move(law));
  } catch (const NotConverged&) {
    return nullptr;
  }
}

// What to look for next, from what the last grid said.
double next_log_delta(const Ball& reading) {
  const double lower = log(reading.lower()).about(), upper = log(reading.upper()).about();
  // A lower end of 0: what was cut off hides delta.
  return std::clamp(std::isfinite(lower) ? lower : upper - 30, least_log_delta, 0.0);
}

double width_at(const Law& law, double epsilon) { return 2 * law.delta(Ball(epsilon)).relative_radius(); }

// Finer and finer grids until one is fine enough, or the work too much.
struct Refined {
  std::unique_ptr<Law> law;  // the narrowest found, if any
  double cells = first_cells;
  Question question;
};
Refined refined(const Lattice& lattice, const Parts& parts, Question question) {
  Refined best{nullptr, first_cells, question};
  double least = HUGE_VAL;
  double cells = first_cells;
  for (int round = 0; round < most_rounds && cells <= most_cells && least > question.tolerance; ++round) {
    std::unique_ptr<Law> law = law_of(lattice, parts, cells, question);
    if (!law) break;
    const Ball reading = law->delta(Ball(question.epsilon));
    const double width = 2 * reading.relative_radius();
    if (!best.law || width < least) {
      best = {std::move(law), cells, question};
      least = width;
    }
    question.log_delta = next_log_delta(reading);
    // The width falls with the square of the spacing, once it is known where to look.
    cells *= width < 1 ? std::clamp(1.4 * std::sqrt(width / question.tolerance), 2.0, 8.0) : 1.3;
  }
  return best;
}

// A verifier's grid is another one, and finer: its enclosure is to fit into the first one's surroundings.
std::unique_ptr<Law> finer(const Lattice& lattice, const Parts& parts, Refined found) {
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

std::unique_ptr<Law> lattice_law(const Steps& steps, Direction direction, const Place& place, double tolerance,
                                 Route route) {
  const Precision precision(128);
  const std::optional<Parts> parts = parts_of(steps);
  const auto lattice = parts ? lattice_of(*parts, direction) : std::nullopt;
  if (!lattice) return nullptr;
  if (place.log_delta < least_log_delta) return nullptr;
  const double log_delta = std::isnan(place.log_delta) ? -30 : std::min(place.log_delta, 0.0);
  std::size_t left = most_points;
  Refined found = refined(*lattice, *parts, {place.epsilon, log_delta, tolerance, 128, &left});
  if (route == Route::first || !found.law) return std::move(found.law);
  return finer(*lattice, *parts, std::move(found));
}

}  // namespace renyi::certify
