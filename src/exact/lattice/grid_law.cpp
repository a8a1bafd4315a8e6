#include "exact/lattice/grid_law.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "renyi/limits.h"

namespace renyi::exact::lattice {

namespace grid_law_file {
namespace {

// Every step adds its rounding and its cells' error: with more steps than this no digits are left.
constexpr double most_steps = 2e7;
constexpr double most_responses = 2e9;

// Noise outside this range causes a negligible loss, or one so large that its cells cannot be integrated in reasonable
// time.
bool is_normal_noise(double multiplier) { return multiplier >= 0.02 && multiplier <= 1e6; }
bool is_tame(const mechanism::SampledNormal& law) { return law.rate >= 1e-13 && is_normal_noise(law.noise_multiplier); }
bool is_tame_loss(double largest) { return largest >= 1e-9 && largest <= 1e4; }

// The largest number of components of a pair, each of which is integrated over each cell. More come from samples that
// may contain a record many times.
constexpr std::size_t most_components = 40;

bool is_tame(const mechanism::AtomicCurve& curve, Direction direction) {
  if (!curve.is_listed()) return false;
  const auto& atoms = curve.atoms(direction);
  const double spread = atoms.back().loss - atoms.front().loss;
  return curve.knowledge() != Knowledge::orders && spread >= 1e-9 && spread <= 1e4;
}

// The number of outcomes of all copies of a response whose weight is not negligible.
double outcomes(const Response& r) {
  const auto n = static_cast<double>(r.count);
  if (r.rest > 0) return std::min(2 * n, 15 * std::sqrt(n)) + 1;  // in steps of e: losses 0 occur too
  return std::min(n, 15 * std::sqrt(n * r.high * (1 - r.high))) + 1;
}

// The largest number of sums of atoms that are listed: together with a grid, which is read more often, and alone.
constexpr double most_listed = 8e5, most_listed_alone = 4e6;

// While there would be too many atoms, moves the response with the smallest range of losses to the grid. Without a
// grid, the response with most outcomes is the lattice and is not listed.
void move_to_grid(LatticeSteps& parts, std::vector<const CountedMechanism*>& sources) {
  const auto reach = [](const ResponsePart& p) {
    return p.response.e * std::sqrt(static_cast<double>(p.response.count));
  };
  while (parts.responses.size() > 1) {
    double product = 1, most = 1;
    std::size_t least = 0;
    for (std::size_t i = 0; i < parts.responses.size(); ++i) {
      product *= outcomes(parts.responses[i].response);
      most = std::max(most, outcomes(parts.responses[i].response));
      if (reach(parts.responses[i]) < reach(parts.responses[least])) least = i;
    }
    if (parts.laws.empty() ? product / most <= most_listed_alone : product <= most_listed) return;
    parts.laws.push_back(response_law(*sources[least], parts.responses[least].response));
    parts.responses.erase(parts.responses.begin() + static_cast<std::ptrdiff_t>(least));
    sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(least));
  }
}

// The largest size of a list: every question reads the whole list.
constexpr double most_on_list = 5e4;

void list_or_grid(const Listed& step, LatticeSteps& parts) {
  if (step.curve->is_complete() && parts.listed() * outcomes(step) <= most_on_list) {
    parts.lists.push_back(step);
  } else {
    parts.laws.push_back(atom_law(step.curve, step.count, step.direction));
  }
}

}  // namespace
}  // namespace grid_law_file

double LatticeSteps::count() const {
  double sum = 0;
  for (const auto& law : laws) sum += static_cast<double>(law->count());
  return sum;
}

double LatticeSteps::listed() const {
  double product = 1;
  for (const ResponsePart& part : responses) product *= grid_law_file::outcomes(part.response);
  for (const Listed& part : lists) product *= outcomes(part);
  return product;
}

double LatticeSteps::variance(double c) const {
  double sum = 0;
  for (const auto& law : laws) {
    sum += static_cast<double>(law->count()) * law->curve().log_moment(c, law->direction()).curvature;
  }
  return sum;
}

namespace grid_law_file {
namespace {

// Sorts the steps by the kinds of their laws; returns false for a step that the lattice does not support.
struct Sorting {
  Direction direction;
  LatticeSteps parts{};
  double precision = 0;                            // the sum of 1/s^2 of all Gaussian steps
  std::vector<const CountedMechanism*> sources{};  // the steps of the responses
  std::vector<Listed> lists{};

  bool put(const CountedMechanism& step, const std::shared_ptr<const Curve>& curve) {
    return std::visit([&](const auto& law) { return put(law, step, curve); }, curve->law());
  }

 private:
  using CurveOf = std::shared_ptr<const Curve>;

  bool put(const mechanism::NormalShift& law, const CountedMechanism& step, const CurveOf&) {
    const double each = law.mu() * law.mu();
    precision += static_cast<double>(step.count) * each;
    return each > 0;  // false if it underflows
  }
  bool put(const mechanism::SampledNormal& law, const CountedMechanism& step, const CurveOf& curve) {
    if (!is_tame(law)) return false;
    parts.laws.push_back(sampled_gaussian_law(law, curve, step.count, direction));
    return true;
  }
  bool put(const mechanism::DoubleExponential& law, const CountedMechanism& step, const CurveOf& curve) {
    if (!is_tame_loss(law.largest_loss())) return false;
    parts.laws.push_back(laplace_law(law, curve, step.count));
    return true;
  }
  bool put(const mechanism::ExponentialOnInterval& law, const CountedMechanism& step, const CurveOf& curve) {
    if (!is_tame_loss(law.epsilon)) return false;
    parts.laws.push_back(bounded_range_law(law, curve, step.count));
    return true;
  }
  bool put(const mechanism::RevealedPairs& law, const CountedMechanism& step, const CurveOf& curve) {
    if (law.curve->components().size() > most_components) return false;
    auto cut = pairs_law({curve, law.curve}, step.count, direction);
    if (!cut) return false;
    parts.laws.push_back(std::move(cut));
    return true;
  }
  bool put(const mechanism::AtomicLoss& law, const CountedMechanism& step, const CurveOf& curve) {
    if (!is_tame(*law.curve, direction)) return false;
    lists.push_back({{curve, law.curve}, step.count, direction});
    return true;
  }
  bool put(const mechanism::CategoricalResponse& law, const CountedMechanism& step, const CurveOf& curve) {
    return put(response_of(law, *curve, step.count), step, curve);
  }
  bool put(const mechanism::TwoLosses& law, const CountedMechanism& step, const CurveOf& curve) {
    return put(response_of(law, *curve, step.count), step, curve);
  }
  bool put(const Response& response, const CountedMechanism& step, const CurveOf& curve) {
    if (static_cast<double>(step.count) > most_responses) return false;
    parts.responses.push_back({response, curve});
    sources.push_back(&step);
    return true;
  }
  template <class Other>
  bool put(const Other&, const CountedMechanism&, const CurveOf&) {
    return false;
  }
};

}  // namespace
}  // namespace grid_law_file

std::optional<LatticeSteps> lattice_steps_of(const EngineQuestion& question) {
  grid_law_file::Sorting sorting{.direction = question.direction};
  for (const CountedMechanism& step : question.steps) {
    const auto curve = step.mechanism.curve();
    if (curve->max_loss(question.direction).upper() == 0) continue;  // the step has no loss
    if (!sorting.put(step, curve)) return std::nullopt;
  }
  LatticeSteps parts = std::move(sorting.parts);
  if (sorting.precision > 0) {
    const double noise_multiplier = 1 / std::sqrt(sorting.precision);
    if (!grid_law_file::is_normal_noise(noise_multiplier)) return std::nullopt;
    parts.laws.push_back(gaussian_law(noise_multiplier));
  }
  grid_law_file::move_to_grid(parts, sorting.sources);
  for (const Listed& step : sorting.lists) grid_law_file::list_or_grid(step, parts);
  if (!parts.laws.empty() && parts.listed() > grid_law_file::most_listed) return std::nullopt;
  if (parts.count() > grid_law_file::most_steps ||
      (parts.laws.empty() && parts.responses.empty() && parts.lists.empty()))
    return std::nullopt;
  return parts;
}

namespace grid_law_file {
namespace {

constexpr double most_steps_direct = 2;
// Sums of responses, and cells of one of two steps, whose weight is a smaller share of the total than this are not
// listed.
constexpr double light_response = 1e-18, light_cell = 1e-24;

std::vector<CountedMasses> masses_of(const LatticeSteps& parts, const Grid& grid) {
  std::vector<CountedMasses> all;
  for (const auto& law : parts.laws) {
    stop_if_asked();
    const Cells cells = law->cut(grid, true);
    all.push_back({.upper = pessimistic(cells, grid),
                   .lower = optimistic(law->sides_agree() ? cells : law->cut(grid, false), grid),
                   .count = static_cast<double>(law->count())});
  }
  return all;
}

// Returns all responses except one, and the lists, as one list of atoms.
std::optional<Atoms> atoms_of(const LatticeSteps& parts, double c, const ResponsePart* but) {
  std::optional<Atoms> atoms = Atoms{};
  for (const ResponsePart& part : parts.responses) {
    if (&part == but) continue;
    const auto law = composed_response(part.response, *part.curve, c);
    if (!law) return std::nullopt;
    atoms = convolved(*atoms, *law, light_response);
    if (!atoms) return std::nullopt;
  }
  for (const Listed& part : parts.lists) atoms = convolved(*atoms, part, c, light_response);
  return atoms;
}

// For one or two steps, the rounding of a transform would hide the smallest deltas: the second step's masses are
// atoms of a list instead, and every sum has positive terms only.
std::optional<DeltaEnd> direct_end(const std::vector<CountedMasses>& steps, bool upper, const Grid& grid) {
  const Composed law = alone(steps.front(), upper, grid);
  if (steps.size() == 1 && steps.front().count == 1) return DeltaEnd(law, Atoms{});
  const auto atoms = convolved(Atoms{}, steps.size() == 1 ? law : alone(steps.back(), upper, grid), light_cell);
  if (!atoms) return std::nullopt;
  return DeltaEnd(law, *atoms);
}

}  // namespace
}  // namespace grid_law_file

double cells_of(const LatticeSteps& parts, const Grid& grid) {
  double sum = 0;
  for (const auto& law : parts.laws) sum += law->cells(grid) * (law->sides_agree() ? 1 : 2);
  return sum;
}

bool is_direct(const LatticeSteps& parts) {
  return parts.count() <= grid_law_file::most_steps_direct && parts.responses.empty() && parts.lists.empty();
}

// The law with the farthest atoms determines the grid. Among some hundred grids that suit it, the one is taken on which
// the atoms of the other laws lose least (a search for a simultaneous approximation).
double aligned_spacing(const LatticeSteps& parts, Grid grid) {
  const StepLaw* first = nullptr;
  double most = 0, distance = 0;
  for (const auto& law : parts.laws) {
    const double its = law->atom_distance(grid), weight = static_cast<double>(law->count()) * its;
    if (weight > most) most = weight, first = law.get(), distance = its;
  }
  if (first == nullptr) return grid.h;
  // An even number of cells merges in pairs without a remainder.
  const double start = 2 * std::ceil(0.5 * distance / grid.h);
  const double candidates = parts.laws.size() > 1 ? std::min(400.0, start / 4 + 1) : 1;
  double best = distance / start, least = HUGE_VAL;
  for (double m = start; m < start + candidates; m += 2) {
    grid.h = distance / m;
    double lost = 0;
    for (const auto& law : parts.laws) lost += static_cast<double>(law->count()) * law->misplaced(grid);
    if (lost < least) least = lost, best = grid.h;
  }
  return best;
}

std::optional<GridLaw> grid_law(const LatticeSteps& parts, const Grid& grid, std::size_t most_points,
                                std::optional<TailOrders>& orders, Precision precision) {
  const auto atoms = grid_law_file::atoms_of(parts, grid.c, nullptr);
  if (!atoms) return std::nullopt;
  const auto steps = grid_law_file::masses_of(parts, grid);
  if (is_direct(parts)) {
    const auto above = grid_law_file::direct_end(steps, true, grid),
               below = grid_law_file::direct_end(steps, false, grid);
    if (!above || !below) return std::nullopt;
    return GridLaw{{*above, *below}, 0};
  }
  if (!orders) orders = tail_orders(steps, grid.h);
  const auto composed = compose(steps, grid, *orders, most_points, precision);
  if (!composed) return std::nullopt;
  return GridLaw{{DeltaEnd(composed->upper, *atoms), DeltaEnd(composed->lower, *atoms)}, composed->needed};
}

// The response with most points is the lattice, and the others are atoms; without any response, the lattice has one
// point.
std::optional<DeltaLaw> response_law(const LatticeSteps& parts, double c) {
  if (parts.responses.empty()) {
    const DeltaEnd end(Composed{.c = c, .w = {1.0}}, *grid_law_file::atoms_of(parts, c, nullptr));
    return DeltaLaw{end, end};
  }
  const auto most = std::max_element(parts.responses.begin(), parts.responses.end(),
                                     [](const auto& a, const auto& b) { return a.response.count < b.response.count; });
  const auto law = composed_response(most->response, *most->curve, c);
  const auto atoms = grid_law_file::atoms_of(parts, c, &*most);
  if (!law || !atoms) return std::nullopt;
  const DeltaEnd end(*law, *atoms);
  return DeltaLaw{end, end};
}

}  // namespace renyi::exact::lattice
