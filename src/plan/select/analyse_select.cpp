#include "plan/select/analyse_select.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "numerics/directed.h"
#include "plan/analysed_steps.h"
#include "plan/select/lost_runs.h"
#include "plan/select/tolls.h"
#include "renyi/account.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/own.h"

namespace renyi {

namespace {

bool same(const Steps& a, const Steps& b);

bool same(const Step& a, const Step& b) {
  if (a.count != b.count || a.what.index() != b.what.index()) return false;
  if (const auto* steps = std::get_if<Steps>(&a.what)) return same(*steps, std::get<Steps>(b.what));
  return std::get<Mechanism>(a.what) == std::get<Mechanism>(b.what);
}

bool same(const Steps& a, const Steps& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const Step& x, const Step& y) { return same(x, y); });
}

// The deepest selection among them, and among what they hold.
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

}  // namespace

Select::Select(Steps steps, const Runs& runs)
    : steps_(std::make_shared<const Steps>(std::move(steps))), runs_(runs), depth_(1 + depth_of(*steps_)) {
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

std::shared_ptr<const Curve> Select::curve() const {
  throw Unsupported("select", "the runs have curves under a relation only", "ask a plan, which has one");
}

bool Select::operator==(const Select& other) const {
  return runs_ == other.runs_ && (steps_ == other.steps_ || same(*steps_, *other.steps_));
}

namespace plan {

namespace {

// Engines that answer at once, in the order of preference.
constexpr std::array quick_engines{Engine::closed_form, Engine::contour};

// By the first engine that serves, where the law of the loss is known; by the curve otherwise.
class Deltas {
 public:
  Deltas(const std::vector<CountedMechanism>& steps, std::shared_ptr<const Curve> curve) : curve_(std::move(curve)) {
    for (const Engine engine : quick_engines) {
      try {
        exact_.emplace_back(steps, curve_, ExactOptions{.engine = engine});
      } catch (const Unsupported&) {  // known by bounds on its divergences only
      }
    }
  }

  // What the curve proves is in the exact figure too.
  double operator()(double epsilon) const {
    for (const ExactAccountant& accountant : exact_) {
      try {
        return accountant.delta(epsilon).worst.upper;
      } catch (const Unsupported&) {  // the next one
      } catch (const NotConverged&) {
      }
    }
    return renyi_delta(*curve_, epsilon).delta;
  }

 private:
  std::shared_ptr<const Curve> curve_;
  std::vector<ExactAccountant> exact_{};
};

std::shared_ptr<const Curve> best_of(const Runs& runs, const std::vector<CountedMechanism>& steps) {
  auto one_run = compose(steps);
  if (one_run->worst_max_loss().upper() == 0) return std::make_shared<mechanism::ZeroCurve>();
  if (runs.law != RunsLaw::poisson) return truncated_binomial_curve(std::move(one_run), truncated_binomial(runs));
  return poisson_curve(one_run, runs.mean, Deltas(steps, one_run));
}

// A run, where it does not reveal everything, and at most the probability that it does.
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
    result.finite.push_back({Own(std::string(step.mechanism.kind()), std::move(finite)), step.count});
    result.lost =
        numerics::sum_up(result.lost, numerics::product_up(numerics::next_up(static_cast<double>(step.count)), lost));
  }
  return result;
}

}  // namespace

// Both laws of a run are the same mixture of one that reveals everything and one that does not, so that some of the K
// runs reveals everything with probability at most E[K] times that of one; otherwise K has a law of the same family,
// with fewer runs (docs/math/selection.md, "Runs that may reveal everything").
Mechanism analyse_select(const Select& select, const Adjacency& relation) {
  const Split run = split(analysed_steps(select.steps(), relation));
  auto curve = best_of(select.runs(), run.finite);
  if (run.lost > 0) {
    curve = std::make_shared<LostRunsCurve>(numerics::product_up(select.runs().expected(), run.lost), std::move(curve));
  }
  return Own("the best of several runs", std::move(curve));
}

}  // namespace plan
}  // namespace renyi
