#include "exact/lattice/parts.h"

#include <cmath>

namespace renyi::exact::lattice {

namespace {

// Every step adds its rounding and its cells' error: beyond this nothing is left.
constexpr double most_steps = 2e7;
constexpr double most_responses = 2e9;

// Laws beyond these have next to no loss, or so much that their cells cannot be integrated in reasonable time.
bool is_normal_noise(double multiplier) { return multiplier >= 0.02 && multiplier <= 1e6; }
bool is_tame(const SampledGaussian& m) { return m.sampling_rate >= 1e-13 && is_normal_noise(m.noise_multiplier); }
bool is_tame_loss(double largest) { return largest >= 1e-9 && largest <= 1e4; }
bool is_tame(const Laplace& m) { return is_tame_loss(m.l1_sensitivity / m.scale); }

// Each is integrated over each cell. More come from samples that hold a record many times over.
constexpr std::size_t most_components = 40;

bool is_tame(const mechanism::AtomicCurve& curve, Direction direction) {
  if (!curve.is_listed()) return false;
  const auto& atoms = curve.atoms(direction);
  const double spread = atoms.back().loss - atoms.front().loss;
  return curve.knowledge() != Knowledge::orders && spread >= 1e-9 && spread <= 1e4;
}

// 1/s^2 of a Gaussian step, or 0.
double gaussian_precision(const Mechanism& m) {
  const auto squared = [](double x) { return x * x; };
  if (const auto* g = m.get_if<Gaussian>()) return squared(g->l2_sensitivity / g->stddev);
  if (const auto* g = m.get_if<GaussianDp>()) return squared(g->mu);
  if (const auto* g = m.get_if<SampledGaussian>(); g != nullptr && g->sampling_rate == 1) {
    return squared(1 / g->noise_multiplier);
  }
  return 0;
}

// Outcomes of all copies of a response that weigh anything.
double outcomes(const Response& r) {
  const auto n = static_cast<double>(r.count);
  if (r.rest > 0) return std::min(2 * n, 15 * std::sqrt(n)) + 1;  // in steps of e
  return std::min(n, 15 * std::sqrt(n * r.high * (1 - r.high))) + 1;
}

// Sums of more atoms than this are too many to list; on a grid, which is read more often, or alone.
constexpr double most_listed = 8e5, most_listed_alone = 4e6;

// While the atoms would be too many, the response of least reach goes to the grid. The largest one needs none
// of the list where there is no grid.
void move_to_grid(Parts& parts, std::vector<const CountedMechanism*>& sources) {
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
    parts.laws.push_back(response_law(*sources[least]));
    parts.responses.erase(parts.responses.begin() + static_cast<std::ptrdiff_t>(least));
    sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(least));
  }
}

// Every question reads the whole list.
constexpr double most_on_list = 5e4;

void list_or_grid(const Listed& step, Parts& parts) {
  if (step.curve->is_complete() && parts.listed() * outcomes(step) <= most_on_list) {
    parts.lists.push_back(step);
  } else {
    parts.laws.push_back(atom_law(step.curve, step.count, step.direction));
  }
}

}  // namespace

double Parts::count() const {
  double sum = 0;
  for (const auto& law : laws) sum += static_cast<double>(law->count());
  return sum;
}

double Parts::listed() const {
  double product = 1;
  for (const ResponsePart& part : responses) product *= outcomes(part.response);
  for (const Listed& part : lists) product *= outcomes(part);
  return product;
}

double Parts::variance(double c) const {
  double sum = 0;
  for (const auto& law : laws) {
    sum += static_cast<double>(law->count()) * law->curve().log_moment(c, law->direction()).curvature;
  }
  return sum;
}

std::optional<Parts> parts_of(const Question& question) {
  Parts parts;
  double precision = 0;
  std::vector<const CountedMechanism*> sources;
  std::vector<Listed> discretes;
  for (const CountedMechanism& step : question.steps) {
    const Mechanism& m = step.mechanism;
    const auto* sampled = m.get_if<SampledGaussian>();
    if (m.curve()->max_loss(question.direction).upper() == 0) continue;  // costs nothing
    if (const double each = gaussian_precision(m); each > 0) {
      precision += static_cast<double>(step.count) * each;
    } else if (sampled != nullptr) {
      if (!is_tame(*sampled)) return std::nullopt;
      parts.laws.push_back(sampled_gaussian_law(*sampled, step.count, question.direction));
    } else if (const auto* laplace = m.get_if<Laplace>()) {
      if (!is_tame(*laplace)) return std::nullopt;
      parts.laws.push_back(laplace_law(*laplace, step.count));
    } else if (const auto bounded = mechanism::bounded_range_pair_of(m)) {
      if (!is_tame_loss(bounded->epsilon())) return std::nullopt;
      parts.laws.push_back(bounded_range_law(bounded, step.count));
    } else if (const auto pairs = sampling::pairs_curve_of(m)) {
      if (pairs->components().size() > most_components) return std::nullopt;
      auto law = pairs_law(pairs, step.count, question.direction);
      if (!law) return std::nullopt;
      parts.laws.push_back(std::move(law));
    } else if (const auto discrete = mechanism::atomic_curve_of(m)) {
      if (!is_tame(*discrete, question.direction)) return std::nullopt;
      discretes.push_back({discrete, step.count, question.direction});
    } else if (const auto response = response_of(step)) {
      if (static_cast<double>(step.count) > most_responses) return std::nullopt;
      parts.responses.push_back({*response, m.curve()});
      sources.push_back(&step);
    } else {
      return std::nullopt;
    }
  }
  if (precision > 0) {
    if (!is_normal_noise(1 / std::sqrt(precision))) return std::nullopt;
    parts.laws.push_back(gaussian_law(1 / std::sqrt(precision)));
  }
  move_to_grid(parts, sources);
  for (const Listed& step : discretes) list_or_grid(step, parts);
  if (!parts.laws.empty() && parts.listed() > most_listed) return std::nullopt;
  if (parts.count() > most_steps || (parts.laws.empty() && parts.responses.empty() && parts.lists.empty()))
    return std::nullopt;
  return parts;
}

}  // namespace renyi::exact::lattice
