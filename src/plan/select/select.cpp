// Private selection publishes the best of several runs. This file has the step as a value, and its curve, which follows
// from that of one run by the theorems of Papernot, Steinke 2022 (docs/math/selection.md).
#include "renyi/extras/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "mechanism/curve.h"
#include "mechanism/model.h"
#include "numerics/minimum.h"
#include "numerics/rounding.h"
#include "plan/analysed_steps.h"
#include "plan/select/runs.h"
#include "plan/select/select_curve.h"
#include "plan/select/single_run_delta.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"

namespace renyi {

namespace select_file {
namespace {

// Returns the depth of the most deeply nested selection in these steps.
int depth_of(const Steps& steps) {
  int deepest = 0;
  for (const Step& step : steps) {
    if (const auto* group = std::get_if<Steps>(&step.what)) deepest = std::max(deepest, depth_of(*group));
    const auto* mechanism = std::get_if<Mechanism>(&step.what);
    if (mechanism == nullptr) continue;
    if (const auto* select = mechanism->get_if<Select>()) deepest = std::max(deepest, select->depth());
    if (const auto* parallel = mechanism->get_if<Parallel>()) {
      for (const Steps& part : parallel->parts()) deepest = std::max(deepest, depth_of(part));
    }
  }
  return deepest;
}

constexpr Reference papernot_steinke2022{"papernotsteinke2022",
                                         "Papernot, Steinke 2022, Hyperparameter tuning with Renyi differential "
                                         "privacy (arXiv:2110.03620v2), Theorems 2 and "
                                         "6",
                                         R"(@inproceedings{papernotsteinke2022,
  author = {Papernot, Nicolas and Steinke, Thomas},
  title = {Hyperparameter Tuning with {R}{\'e}nyi Differential Privacy},
  booktitle = {International Conference on Learning Representations (ICLR)},
  year = {2022},
  eprint = {2110.03620}
})"};

}  // namespace
}  // namespace select_file

Select::Select(Steps steps, const Runs& runs)
    : steps_(std::make_shared<const Steps>(std::move(steps))), runs_(runs), depth_(1 + select_file::depth_of(*steps_)) {
  if (depth_ > deepest_selection) {
    throw InvalidArgument("select", fmt::format("{} selections inside one another", depth_),
                          fmt::format("at most {}", deepest_selection));
  }
  try {
    runs.check();
  } catch (const InvalidArgument& error) {
    throw error.within("runs.");
  }
}

bool Select::operator==(const Select& other) const {
  return runs_ == other.runs_ && (steps_ == other.steps_ || *steps_ == *other.steps_);
}

namespace select_file {
namespace {

struct SelectStep {
  Select select;

  static constexpr std::string_view kind = "select";
  static constexpr std::string_view summary = "the best of a random number of runs";
  static std::span<const Parameter> parameters() { return {}; }
  static constexpr auto fields = std::tuple<>{};
  static Notes notes();
  static constexpr std::string_view sampling_obstacle = "sample the steps of its runs";
  const void* identity() const { return &select.steps(); }
  std::shared_ptr<const Curve> curve() const {
    throw Unsupported("select", "the runs have curves under a relation only", "ask a plan, which has one");
  }
  const Select& held() const { return select; }
  bool operator==(const SelectStep&) const = default;
};

Notes SelectStep::notes() {
  return {.relation = "that of the plan, through the steps of a run",
          .exact = "nothing",
          .bound =
              "Renyi divergences; runs of pure epsilon cost 2 + eta of it; a delta of the runs is charged as often as "
              "there are runs on average",
          .references = {papernot_steinke2022}};
}

}  // namespace
}  // namespace select_file

Mechanism::Mechanism(const Select& select) : Mechanism(mechanism::made(select_file::SelectStep{select})) {}

namespace plan {

namespace select_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double formula_rounding = 8 * numerics::unit_roundoff;
constexpr double up = 1 + formula_rounding;
constexpr double smallest_z = 1e-12;

// Returns the minimum of [K(b-1) + ln(1/gamma)]/b over b in [1, inf]; every b gives a valid bound.
double least_hatted_term(const Curve& one_run, double log_inverse_gamma) {
  double least = std::min(log_inverse_gamma, one_run.worst_max_loss().upper());
  const double last = std::min(one_run.last_order() - 1, largest_order);
  if (!(last > smallest_z)) return least;
  const auto term = [&](double w) {
    const LogMoment k = one_run.worst_log_moment(w);
    return (k.value + k.error + log_inverse_gamma) / (1 + w) * up;
  };
  const auto falling = [&](double w) { return log_inverse_gamma / (1 + w); };
  least = std::min(least, numerics::minimum_of(term, falling, smallest_z, last).value);
  return least;
}

// The number of runs has a truncated negative binomial distribution:
//  D_a of the best <= D_a + (1+eta)(1-1/b) D_b + (1+eta) ln(1/gamma)/b + ln E[K]/(a-1):
//      Papernot, Steinke 2022, Theorem 2; (1-1/b) D_b = K(b-1)/b. b = inf and a = inf: Corollary 3.
std::shared_ptr<const Curve> truncated_binomial_curve(std::shared_ptr<const Curve> one_run,
                                                      const TruncatedBinomial& runs) {
  const double rate = (1 + runs.eta) * least_hatted_term(*one_run, runs.log_inverse_gamma) * up;
  SelectionPenalty penalty{.at = [rate](double z) { return rate * z; }, .steepest = rate, .linear = true};
  return select_curve(std::move(one_run), std::move(penalty), runs.log_mean);
}

// A penalty that takes long to compute, at points of a grid and on chords between them. z delta(ln(1 + 1/z)) is the
// largest z P(S) - (z+1) Q(S) over all events S, a maximum of lines in z: it is convex, and lies below the chord
// between upper bounds at two points. Without the grid, every order of a selection within a selection would need a
// search over the orders of the inner one, each of which needs a search, and so on.
class TabulatedPenalty {
 public:
  explicit TabulatedPenalty(std::function<double(double z)> penalty) : penalty_(std::move(penalty)) {}

  double operator()(double z) const {
    const double place = std::floor(std::log2(z) * points_an_octave);
    const double left = point(place), right = point(place + 1);
    const double share = std::clamp((z - left) / (right - left), 0.0, 1.0);
    const double low = known(place), high = known(place + 1);
    return (low + (high - low) * share) * up;
  }

 private:
  static constexpr double points_an_octave = 64;  // the chords are within 2e-5 of the penalty

  static double point(double place) { return std::exp2(place / points_an_octave); }

  double known(double place) const {
    {
      const std::scoped_lock lock(state_->guard);
      if (const auto found = state_->values.find(place); found != state_->values.end()) return found->second;
    }
    const double value = penalty_(point(place));
    const std::scoped_lock lock(state_->guard);
    return state_->values.emplace(place, value).first->second;
  }

  struct State {
    std::mutex guard;
    std::map<double, double> values;
  };

  std::function<double(double z)> penalty_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

// exp((a-1) D_a of the best) <= exp(-mean) + mean exp((a-1)(D_a + mean delta)), where delta is that of one run at
// epsilon = ln(1 + 1/(a-1)): Papernot, Steinke 2022, Theorem 6. The first term is for the outcome that nothing is run.
std::shared_ptr<const Curve> poisson_curve(std::shared_ptr<const Curve> one_run, double mean, SingleRunDelta delta) {
  const double once = std::max(0.0, std::log(mean + std::exp(-mean))) + formula_rounding;
  SelectionPenalty penalty{.steepest = mean * delta(0) * up};
  penalty.at = [mean, delta = std::move(delta)](double z) {
    return z * mean * delta(std::log1p(1 / z) * (1 - formula_rounding)) * up;
  };
  if (one_run->knowledge() == Knowledge::orders) penalty.at = TabulatedPenalty(std::move(penalty.at));
  return select_curve(std::move(one_run), std::move(penalty), once);
}

// Each run may reveal everything with some probability, and so may the best of them. The loss is infinite with at most
// the probability `mass_`, and otherwise that of `finite`.
class LostRunsCurve final : public mechanism::SymmetricCurve {
 public:
  LostRunsCurve(double mass, std::shared_ptr<const Curve> finite)
      : mass_(std::min(1.0, mass)), finite_(std::move(finite)) {}

  double last_order() const override { return 1; }
  Knowledge knowledge() const override { return Knowledge::orders; }
  Bounded infinite_mass(Direction) const override { return {0.5 * mass_, 0.5 * mass_}; }  // lies between 0 and mass_
  std::shared_ptr<const Curve> finite_part() const override { return finite_; }

 private:
  LogMoment at(double) const override { return {.slope = infinity}; }
  ComplexLogMoment at(std::complex<double>) const override { return {}; }  // no complex point is below order 1
  Bounded supremum() const override { return {infinity, 0}; }

  double mass_;
  std::shared_ptr<const Curve> finite_;
};

std::shared_ptr<const Curve> best_of(const Runs& runs, const std::vector<CountedMechanism>& steps) {
  auto one_run = compose(steps);
  if (one_run->worst_max_loss().upper() == 0) return std::make_shared<mechanism::ZeroCurve>();
  if (runs.law != RunsLaw::poisson) return truncated_binomial_curve(std::move(one_run), truncated_binomial(runs));
  return poisson_curve(one_run, runs.mean, single_run_delta(steps, one_run));
}

// A run under the condition that it does not reveal everything, and an upper bound on the probability that it does.
struct Split {
  std::vector<CountedMechanism> finite{};
  double lost = 0;
};

Split split(const std::vector<CountedMechanism>& steps) {
  Split result;
  for (const CountedMechanism& step : steps) {
    const auto curve = step.mechanism.curve();
    const Bounded remove = curve->infinite_mass(Direction::remove), add = curve->infinite_mass(Direction::add);
    const double lost = std::max(remove.upper(), add.upper());
    if (lost == 0) {
      result.finite.push_back(step);
      continue;
    }
    auto finite = curve->finite_part();
    if (!finite || remove.value != add.value) {
      throw Unsupported("select", "a run reveals everything with a probability that differs between the neighbours",
                        "use steps whose delta holds both ways");
    }
    result.finite.push_back({CustomMechanism(std::string(step.mechanism.kind()), std::move(finite)), step.count});
    result.lost =
        numerics::sum_up(result.lost, numerics::product_up(numerics::next_up(static_cast<double>(step.count)), lost));
  }
  return result;
}

}  // namespace
}  // namespace select_file

// Both distributions of a run are the same mixture of one that reveals everything and one that does not. Some of the K
// runs therefore reveals everything with probability at most E[K] times that of one run. Otherwise K has a
// distribution of the same family, with fewer runs (docs/math/selection.md, "Runs that may reveal everything").
Mechanism analyse_select(const Select& select, const Adjacency& relation) {
  const select_file::Split run = select_file::split(analysed_steps(select.steps(), relation));
  auto curve = select_file::best_of(select.runs(), run.finite);
  if (run.lost > 0) {
    curve = std::make_shared<select_file::LostRunsCurve>(numerics::product_up(select.runs().expected(), run.lost),
                                                         std::move(curve));
  }
  return CustomMechanism("the best of several runs", std::move(curve));
}

}  // namespace plan

}  // namespace renyi
