// Chooses the noise of a release: what is stated, and a total budget that is divided (docs/math/release.md). Values are
// not known here.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "release/draw.h"
#include "renyi/accuracy.h"
#include "renyi/calibrate.h"
#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/mechanisms.h"
#include "renyi/release.h"

namespace renyi::release {
namespace design_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Noise is rounded up to so many digits: plans are readable, and at most 1e-5 of the noise is unneeded.
constexpr int noise_digits = 6;
// The discrete Gaussian is accounted for exactly up to a stddev of 5,000 (docs/guide/noise-on-integers.md). Beyond,
// rounded Gaussian noise is exact, and its variance is larger by 1/12 only.
constexpr double widest_discrete = 4000;
constexpr double rounding = 1e-13;  // bounds that of sums of rho

bool is_gaussian(std::string_view mechanism) { return mechanism.ends_with("gaussian"); }
bool is_discrete(std::string_view mechanism) { return mechanism.starts_with("discrete-"); }

// Numbers and names of a release may be values that stand in the wrong place. So errors say where one is and what is
// allowed there, and neither what it is nor what was computed from it.
const std::string a_number = "a number";

[[noreturn]] void refuse(std::size_t i, const std::string& key, const std::string& value, const std::string& allowed) {
  throw InvalidArgument(fmt::format("statistics[{}].{}", i, key), value, allowed);
}

// Whether noise on whole numbers can be accounted for as `coordinates` steps (docs/math/release.md, "Whole numbers").
bool may_be_discrete(const Statistic& statistic, const Sensitivity& known, std::int64_t unit) {
  if (!statistic.is_integer || known.coordinates == 0) return false;
  return statistic.size() == 1 || unit == 1;
}

// With noise on whole numbers the moves of single numbers count, which must not be more than the stated norm.
bool loses_nothing(const Sensitivity& known, bool gaussian) {
  constexpr double roots = 1e-9;  // square roots are rounded up
  const auto coordinates = static_cast<double>(known.coordinates);
  const double norm = gaussian ? std::sqrt(coordinates) * known.each : coordinates * known.each;
  return norm <= (gaussian ? known.l2 : known.l1) * (1 + roots);
}

Mechanism step_of(const StatisticNoise& noise) {
  if (noise.mechanism == "gaussian") return Gaussian{.stddev = noise.size, .l2_sensitivity = noise.sensitivity.l2};
  if (noise.mechanism == "laplace") return Laplace{.scale = noise.size, .l1_sensitivity = noise.sensitivity.l1};
  if (noise.mechanism == "discrete-gaussian") {
    return DiscreteGaussian{.stddev = noise.size, .sensitivity = noise.sensitivity.each};
  }
  return DiscreteLaplace{.scale = noise.size, .sensitivity = noise.sensitivity.each};
}

// Adds the step of each statistic, in their order.
Plan plan_of(const std::vector<StatisticNoise>& noise, const Adjacency& relation) {
  Plan plan(relation.neighbors, relation.unit);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    try {
      plan.add(Step{.what = step_of(noise[i]), .count = noise[i].count, .name = noise[i].name});
    } catch (const InvalidArgument& error) {
      refuse(i, error.path(), error.path() == "name" ? "a name" : a_number, error.allowed());
    } catch (const Unsupported& error) {
      throw Unsupported(fmt::format("statistics[{}].{}", i, error.path()), "no step of a plan has this noise",
                        "state other noise");
    }
  }
  return plan;
}

// Costs are computed by parts that repeat the numbers they were asked about.
template <class Work>
auto priced(const TotalBudget& budget, const Work& work) {
  const char* place = budget.rho ? "budget.rho" : budget.epsilon ? "budget.epsilon" : "budget.delta";
  try {
    return work();
  } catch (const InvalidArgument& error) {
    if (error.path().starts_with("statistics[")) throw;  // plan_of has said where
    throw InvalidArgument(place, "a budget that no noise meets", "another one, or another noise where it is stated");
  } catch (const Unsupported& error) {
    if (error.path().starts_with("statistics[")) throw;
    throw Unsupported(place, "no noise meets it together with what is stated", "raise it, or state more noise");
  } catch (const NotConverged&) {
    throw NotConverged("the cost of the release");
  }
}

// ---- The budget.

void check_range(const std::optional<double>& number, const char* name, double lowest, double highest,
                 const char* allowed) {
  if (!number || (*number >= lowest && *number <= highest)) return;
  throw InvalidArgument(fmt::format("budget.{}", name), a_number, allowed);
}

NoiseFamily family_of(const Terms& terms) {
  const bool is_pure = terms.budget.delta == 0.0;
  const NoiseFamily family = terms.family.value_or(is_pure ? NoiseFamily::laplace : NoiseFamily::gaussian);
  if (terms.budget.rho && family == NoiseFamily::laplace) {
    throw Unsupported("budget.rho", "a budget of zero-concentrated DP is divided among Gaussian noise only",
                      "state epsilon and delta, or noise gaussian");
  }
  if (terms.budget.epsilon && is_pure && family == NoiseFamily::gaussian) {
    throw InvalidArgument("budget.delta", "0", "a positive number, or noise laplace");
  }
  return family;
}

void check_budget(const Terms& terms) {
  const TotalBudget& budget = terms.budget;
  constexpr double least = 1e-9, most_epsilon = 1e4, least_delta = 1e-300;
  check_range(budget.epsilon, "epsilon", least, most_epsilon, "a number from 1e-9 to 1e4");
  check_range(budget.rho, "rho", least, most_epsilon, "a number from 1e-9 to 1e4");
  if (budget.delta != 0.0)
    check_range(budget.delta, "delta", least_delta, 0.999, "0, or a number from 1e-300 to below 1");
  if (budget.rho && (budget.epsilon || budget.delta)) {
    throw InvalidArgument("budget.rho", "rho beside epsilon or delta", "rho alone, or epsilon and delta");
  }
  if (budget.epsilon && !budget.delta) {
    throw InvalidArgument("budget.delta", "nothing", "a delta beside epsilon; 0 for pure epsilon, with Laplace noise");
  }
}

void check_division(const Terms& terms, bool divides) {
  const Division division = terms.division.value_or(Division::equal_error);
  if (terms.division && !divides) {
    throw InvalidArgument("divide", std::string(to_string(division)), "a statistic without noise of its own");
  }
  for (std::size_t i = 0; i < terms.statistics.size(); ++i) {
    const Statistic& statistic = terms.statistics[i];
    if (!statistic.noise && !terms.budget.epsilon && !terms.budget.rho) {
      refuse(i, "mechanism", "nothing", "a mechanism with its stddev or scale; or a budget that is divided");
    }
    if (statistic.weight && division == Division::equal_error) {
      refuse(i, "weight", a_number, "a weight for the division weights or min-variance only");
    }
  }
}

// ---- Division.

// The ratio of the noise's size to that of the others (docs/math/release.md, "Division").
double ratio_of(const Statistic& statistic, const StatisticNoise& noise, Division division) {
  const double weight = statistic.weight.value_or(1), numbers = static_cast<double>(statistic.size());
  if (division != Division::min_variance) return 1 / std::sqrt(weight);
  // sigma^2 is proportional to D_2/sqrt(w n), and b^3 to D_1/(w n).
  if (is_gaussian(noise.mechanism)) return std::sqrt(noise.sensitivity.l2 / std::sqrt(weight * numbers));
  return std::cbrt(noise.sensitivity.l1 / (weight * numbers));
}

// The part of the budget that makes the sizes have these ratios: of rho, n (D/r)^2; of epsilon, n D/r.
double share_of(const StatisticNoise& noise, double ratio) {
  const auto count = static_cast<double>(noise.count);
  const bool discrete = is_discrete(noise.mechanism);
  const Sensitivity& known = noise.sensitivity;
  if (is_gaussian(noise.mechanism)) return count * std::pow((discrete ? known.each : known.l2) / ratio, 2);
  return count * (discrete ? known.each : known.l1) / ratio;
}

double rounded_up(double value) {
  // Not by std::stod, which reads "1.5" as 1 if the locale has another decimal point.
  const auto digits = [](double number) {
    const std::string text = fmt::format("{:.{}e}", number, noise_digits - 1);
    double read = 0;
    const auto error = std::from_chars(text.data(), text.data() + text.size(), read).ec;
    return error == std::errc{} ? read : number;  // rounded, it is no double any more
  };
  const double near = digits(value);
  return near >= value ? near : digits(value * (1 + 0.9 * std::pow(10, 1 - noise_digits)));
}

using Noises = std::vector<StatisticNoise>;

// rho is a sum of D^2/(2 sigma^2), so that the common factor has a closed form.
struct RhoParts {
  double stated = 0;
  double divided = 0;  // at the ratios themselves
};
double rho_of(const StatisticNoise& noise, const Adjacency& relation) {
  const double moved = std::sqrt(share_of(noise, noise.size)) * static_cast<double>(relation.unit);
  return 0.5 * moved * moved;
}

void divide_rho(Noises& noise, const std::vector<double>& ratios, const Adjacency& relation, double rho) {
  RhoParts parts;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (ratios[i] > 0) noise[i].size = ratios[i];
    (ratios[i] > 0 ? parts.divided : parts.stated) += rho_of(noise[i], relation);
  }
  const double left = rho - parts.stated * (1 + rounding);
  if (!(left > 0)) {
    throw InvalidArgument("budget.rho", a_number, "more than the stated noise costs");
  }
  const double factor = std::sqrt(parts.divided / left) * (1 + rounding);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (ratios[i] > 0) noise[i].size = rounded_up(factor * ratios[i]);
  }
}

// Returns an upper bound on the epsilon with the sizes that were found.
double divide_epsilon(Noises& noise, const std::vector<double>& ratios, const Adjacency& relation, bool equal_error,
                      const Target& target) {
  std::vector<Unknown> unknowns;
  Split split{.rule = equal_error ? SplitRule::equal_error : SplitRule::shares};
  double largest = 0;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (!(ratios[i] > 0)) continue;
    noise[i].size = 1;
    unknowns.push_back({.path = {i}, .parameter = is_gaussian(noise[i].mechanism) ? "stddev" : "scale"});
    if (!equal_error) split.shares.push_back(share_of(noise[i], ratios[i]));
  }
  for (const double share : split.shares) largest = std::max(largest, share);
  for (double& share : split.shares) share /= largest;  // only their ratios matter
  const SplitCalibration found = calibrate(plan_of(noise, relation), unknowns, split, target, {.digits = noise_digits});
  const bool rounds = found.rounded_epsilon && *found.rounded_epsilon <= target.epsilon;
  for (const SplitValue& each : found.values) noise[each.unknown.path[0]].size = rounds ? each.rounded : each.value;
  return rounds ? *found.rounded_epsilon : found.cost.upper();
}

// Integers get noise on whole numbers where it can be accounted for exactly and costs nothing; else they are rounded
// together with continuous noise. Returns whether any does.
bool choose_discrete(Noises& noise, const std::vector<double>& ratios, const Terms& terms, std::int64_t unit) {
  bool any = false;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (!(ratios[i] > 0) || noise[i].size > widest_discrete) continue;
    const bool gaussian = is_gaussian(noise[i].mechanism);
    const Sensitivity& known = noise[i].sensitivity;
    if (!may_be_discrete(terms.statistics[i], known, unit) || !loses_nothing(known, gaussian)) continue;
    noise[i].mechanism = gaussian ? "discrete-gaussian" : "discrete-laplace";
    noise[i].count = known.coordinates;
    any = true;
  }
  return any;
}

// The noise that is stated, and the kind of noise for the rest.
Noises kinds_of_noise(const Terms& terms, const Adjacency& relation, NoiseFamily family) {
  Noises all;
  for (std::size_t i = 0; i < terms.statistics.size(); ++i) {
    const Statistic& statistic = terms.statistics[i];
    StatisticNoise noise{.name = statistic.name};
    try {
      noise.sensitivity = sensitivity(statistic, relation);
    } catch (const InvalidArgument& error) {
      throw error.within(fmt::format("statistics[{}].", i));
    }
    noise.mechanism = statistic.noise ? statistic.noise->mechanism : std::string(to_string(family));
    if (statistic.noise) noise.size = statistic.noise->size;
    if (is_discrete(noise.mechanism)) {
      if (!may_be_discrete(statistic, noise.sensitivity, relation.unit)) {
        refuse(i, "mechanism", noise.mechanism,
               fmt::format("{}, whose results are rounded to whole numbers: it is not known how far one record moves "
                           "single numbers (max_bins with max_per_bin, for unit 1)",
                           noise.mechanism.substr(std::string_view("discrete-").size())));
      }
      noise.count = noise.sensitivity.coordinates;
    }
    all.push_back(std::move(noise));
  }
  return all;
}

// ---- What it means.

void set_errors(StatisticNoise& noise) {
  Plan one;
  StatisticNoise alone = noise;
  alone.sensitivity = {.l1 = 1, .l2 = 1, .coordinates = 1, .each = 1};
  one.add(step_of(alone));
  AccuracyOptions options;
  if (noise.grid > 0) options.grid = noise.grid;
  const Accuracy found = accuracy(one, options);
  noise.standard_error = found.rounded ? found.rounded->stddev.upper : found.stddev.upper;
  noise.half_width = (found.rounded ? found.rounded->half_widths : found.half_widths)[0].width.upper;
}

// Statistics with the same noise have the same errors.
void set_errors(Noises& noise) {
  for (std::size_t i = 0; i < noise.size(); ++i) {
    const auto same =
        std::find_if(noise.begin(), noise.begin() + static_cast<std::ptrdiff_t>(i), [&](const auto& other) {
          return other.mechanism == noise[i].mechanism && other.size == noise[i].size && other.grid == noise[i].grid;
        });
    if (same == noise.begin() + static_cast<std::ptrdiff_t>(i)) {
      try {
        set_errors(noise[i]);
      } catch (const InvalidArgument&) {
        refuse(i, "mechanism", "noise of unknown error", "noise of another size");
      } catch (const Unsupported&) {
        refuse(i, "mechanism", "noise of unknown error", "noise of another size");
      }
    } else {
      noise[i].standard_error = same->standard_error;
      noise[i].half_width = same->half_width;
    }
  }
}

// The Gaussian noise of sensitivity 1 that meets this exactly; nothing if there is none.
std::optional<double> unit_stddev(const Adjacency& relation, const Target& target) {
  if (!(target.delta > 0)) return std::nullopt;
  Plan plan(relation.neighbors, relation.unit);
  plan.add(Gaussian{.stddev = 1, .l2_sensitivity = 1});
  try {
    return calibrate(plan, {{0}, "stddev"}, target).value;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Basic composition: each of m statistics has epsilon/m and delta/m, with the exact Gaussian noise for them, or with
// Laplace noise for epsilon/m.
void set_equal_split(Design& design, const Adjacency& relation, const TotalBudget& budget) {
  const double epsilon = budget.epsilon.value_or(design.epsilon.value_or(0));
  if (!design.delta || !(epsilon > 0 && epsilon < infinity)) return;
  const auto parts = static_cast<double>(design.noise.size());
  const Target part{.epsilon = epsilon / parts, .delta = *design.delta / parts};
  const bool any_gaussian = std::any_of(design.noise.begin(), design.noise.end(),
                                        [](const StatisticNoise& noise) { return is_gaussian(noise.mechanism); });
  const std::optional<double> stddev = any_gaussian ? unit_stddev(relation, part) : std::nullopt;
  for (StatisticNoise& noise : design.noise) {
    if (!is_gaussian(noise.mechanism)) {
      noise.equal_split_error =
          std::numbers::sqrt2 * noise.sensitivity.l1 * static_cast<double>(relation.unit) / part.epsilon;
    } else if (stddev) {
      noise.equal_split_error = *stddev * noise.sensitivity.l2;
    }
  }
}

// The stated noise alone must fit the budget, too.
void check_cost(const Terms& terms, const Design& design) {
  const TotalBudget& budget = terms.budget;
  const auto check = [](const char* name, const std::optional<double>& limit, const std::optional<double>& cost) {
    if (!limit || (cost && *cost <= *limit)) return;
    throw InvalidArgument(fmt::format("budget.{}", name), a_number, "at least what the stated noise costs");
  };
  check("epsilon", budget.epsilon, design.epsilon);
  check("rho", budget.rho, design.rho);
}

}  // namespace
}  // namespace design_file

std::string_view to_string(Division division) noexcept {
  if (division == Division::weights) return "weights";
  return division == Division::equal_error ? "equal-error" : "min-variance";
}

std::string_view to_string(NoiseFamily family) noexcept {
  return family == NoiseFamily::gaussian ? "gaussian" : "laplace";
}

Adjacency relation_of(const Terms& terms, const Adjacency& otherwise) {
  return {terms.neighbors.value_or(otherwise.neighbors), terms.unit.value_or(otherwise.unit)};
}

Plan plan_with(const std::vector<StatisticNoise>& noise, const Adjacency& relation, double factor) {
  std::vector<StatisticNoise> larger = noise;
  for (StatisticNoise& each : larger) each.size *= factor;
  return design_file::plan_of(larger, relation);
}

Design design(const Terms& terms, const Adjacency& relation) {
  namespace file = design_file;
  file::check_budget(terms);
  const NoiseFamily family = file::family_of(terms);
  const Division division = terms.division.value_or(Division::equal_error);
  file::Noises noise = file::kinds_of_noise(terms, relation, family);
  std::vector<double> ratios;  // 0 for noise that is stated
  for (std::size_t i = 0; i < noise.size(); ++i) {
    const Statistic& statistic = terms.statistics[i];
    ratios.push_back(statistic.noise ? 0 : file::ratio_of(statistic, noise[i], division));
  }
  const bool divides = std::any_of(ratios.begin(), ratios.end(), [](double ratio) { return ratio > 0; });
  file::check_division(terms, divides);
  if (terms.budget.rho) {
    for (std::size_t i = 0; i < noise.size(); ++i) {
      if (file::is_gaussian(noise[i].mechanism)) continue;
      throw Unsupported(fmt::format("statistics[{}].mechanism", i), "a budget of rho counts Gaussian noise only",
                        "state epsilon and delta");
    }
  }
  // Continuous noise first: it is quick, and says how wide the noise will be.
  const Target target{.epsilon = terms.budget.epsilon.value_or(1), .delta = terms.budget.delta.value_or(0)};
  std::optional<double> epsilon;
  const auto divide = [&] {
    if (terms.budget.rho) return file::divide_rho(noise, ratios, relation, *terms.budget.rho);
    epsilon = file::priced(terms.budget, [&] {
      return file::divide_epsilon(noise, ratios, relation, division == Division::equal_error, target);
    });
  };
  if (divides) {
    divide();
    if (file::choose_discrete(noise, ratios, terms, relation.unit)) divide();
  }
  Design result{.plan = file::plan_of(noise, relation), .epsilon = epsilon, .delta = terms.budget.delta};
  if (!result.epsilon && result.delta) {
    result.epsilon = file::priced(terms.budget, [&] { return renyi::epsilon(result.plan, *result.delta).upper(); });
  }
  if (terms.budget.rho) {
    double rho = 0;
    for (const StatisticNoise& each : noise) rho += file::rho_of(each, relation);
    result.rho = rho * (1 + file::rounding);
  }
  for (std::size_t i = 0; i < noise.size(); ++i) {
    try {
      set_range(noise[i], terms.statistics[i]);
    } catch (const InvalidArgument& error) {
      throw error.within(fmt::format("statistics[{}].", i));
    }
  }
  file::set_errors(noise);
  result.noise = std::move(noise);
  if (!divides) file::check_cost(terms, result);
  file::set_equal_split(result, relation, terms.budget);
  return result;
}

}  // namespace renyi::release
