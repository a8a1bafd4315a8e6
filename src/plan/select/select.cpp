// Private selection, the best of several runs: the step as a value, and its curve from that of one run by the theorems
// of Papernot, Steinke 2022 (docs/math/selection.md).
#include "renyi/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>

#include "mechanism/curve.h"
#include "numerics/rounding.h"
#include "plan/analysed_steps.h"
#include "plan/select/runs.h"
#include "renyi/account.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/own.h"

namespace renyi {

namespace select_file {
namespace {

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

std::shared_ptr<const Curve> Select::curve() const {
  throw Unsupported("select", "the runs have curves under a relation only", "ask a plan, which has one");
}

bool Select::operator==(const Select& other) const {
  return runs_ == other.runs_ && (steps_ == other.steps_ || plan::same_steps(*steps_, *other.steps_));
}

Notes Select::notes() {
  return {.relation = "that of the plan, through the steps of a run",
          .exact = "nothing",
          .bound =
              "Renyi divergences; runs of pure epsilon cost 2 + eta of it; a delta of the runs is charged as often as "
              "there are runs on average",
          .references = {select_file::papernot_steinke2022}};
}

namespace plan {

namespace select_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double formula_rounding = 8 * numerics::unit_roundoff;
constexpr double up = 1 + formula_rounding;
constexpr double smallest_z = 1e-12;
// Differences of this share of z stand for slopes.
constexpr double slope_step = 1e-3;

// Where a function of a positive number is least:
// by golden sections of the logarithm, for a function that falls and then rises. No more than a place where the
// function is near its least value is promised: its users may take any.
template <class F>
double least_at(const F& f, double low, double high) {
  constexpr int sections = 48;  // of up to 250 natural logarithms: to 1e-7
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double from = std::log(low), to = std::log(high);
  double x = to - golden * (to - from), y = from + golden * (to - from);
  double at_x = f(std::exp(x)), at_y = f(std::exp(y));
  for (int i = 0; i < sections; ++i) {
    if (at_x <= at_y) {
      to = y, y = x, at_y = at_x;
      x = to - golden * (to - from), at_x = f(std::exp(x));
    } else {
      from = x, x = y, at_x = at_y;
      y = from + golden * (to - from), at_y = f(std::exp(y));
    }
  }
  return std::exp(at_x <= at_y ? x : y);
}

// What is added to K(z), beside what is added whatever z is.
struct Toll {
  std::function<double(double z)> at{};  // z > 0
  double steepest = 0;                   // at least at(z)/z for every z, and what the largest loss grows by
  bool linear = false;                   // at(z) is z times the steepest
};

// The curve of private selection: that of one run, and what the choice among runs adds.
class SelectCurve final : public mechanism::SymmetricCurve {
 public:
  // K(z) <= K of one run + toll.at(z) + once for every z > 0.
  SelectCurve(std::shared_ptr<const Curve> one_run, Toll toll, double once);

  double last_order() const override { return one_run_->last_order(); }
  Knowledge knowledge() const override { return Knowledge::orders; }
  Growth growth() const override;

 private:
  // Divergences never fall with the order, so that below the order where the bound is least it is the bound too.
  struct Knee {
    double z = 0;           // may be infinite
    double divergence = 0;  // there, rounded up
    double curvature = 0;   // a guide to searches below
  };

  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override;
  double bound(double z) const;     // on the divergence at z > 0, by the theorem alone
  LogMoment plain(double z) const;  // z > 0, or nothing is added once
  LogMoment by_theorem(double z) const;
  Bounded toll_slope(double z) const;
  const Knee& knee() const;
  Knee find_knee() const;

  std::shared_ptr<const Curve> one_run_;
  Toll toll_;
  double once_;
  std::shared_ptr<const Curve> pure_{};  // of any step of so large a loss, where that is finite
  mutable std::once_flag found_;
  mutable Knee knee_;
};

SelectCurve::SelectCurve(std::shared_ptr<const Curve> one_run, Toll toll, double once)
    : one_run_(std::move(one_run)), toll_(std::move(toll)), once_(once) {
  const double largest = supremum().upper();
  if (PureDp::parameters()[0].allows(largest)) pure_ = PureDp{largest}.curve();
}

// The toll is convex in z: its slope lies between the differences to either side.
Bounded SelectCurve::toll_slope(double z) const {
  if (toll_.linear || z == 0) return {toll_.steepest, 0};
  const double left = toll_.at(z * (1 - slope_step)), here = toll_.at(z), right = toll_.at(z * (1 + slope_step));
  const double below = (here - left) / (slope_step * z), above = (right - here) / (slope_step * z);
  return {0.5 * (below + above), 0.5 * std::abs(above - below) + formula_rounding / slope_step * std::abs(above)};
}

LogMoment SelectCurve::plain(double z) const {
  LogMoment k = one_run_->worst_log_moment(z);
  const Bounded slope = toll_slope(z);
  if (std::isinf(k.value)) return k;
  if (z > 0) k.value += toll_.at(z) + once_;
  k.error += formula_rounding * k.value;
  k.slope += slope.value;
  k.slope_error += slope.error + formula_rounding * k.slope;
  return k;
}

double SelectCurve::bound(double z) const {
  const LogMoment k = one_run_->worst_log_moment(z);
  return (k.value + k.error + toll_.at(z) + once_) / z * (1 + formula_rounding);
}

// A step of bounded loss is pure DP, and has no larger moments than randomized response
// (docs/math/closed-form-curves.md).
LogMoment SelectCurve::at(double z) const {
  const LogMoment k = by_theorem(z);
  if (!pure_) return k;
  const LogMoment pure = pure_->worst_log_moment(z);
  const bool less =
      z == 0 ? pure.slope + pure.slope_error < k.slope + k.slope_error : pure.value + pure.error < k.value + k.error;
  return less ? pure : k;
}

// D_a <= D_b for a <= b (van Erven, Harremoes 2014, Theorem 3): K(z) <= z times the least bound at z or above.
LogMoment SelectCurve::by_theorem(double z) const {
  const Knee& knee = this->knee();
  if (z >= knee.z) return plain(z);
  const double d = knee.divergence, error = std::isinf(d) ? 0 : formula_rounding * d;
  return {z == 0 ? 0 : z * d, z * error, d, error, knee.curvature};
}

ComplexLogMoment SelectCurve::at(std::complex<double>) const {
  throw Unsupported("z", "private selection is bounded at real orders only", "use real orders");
}

Bounded SelectCurve::supremum() const {
  const double loss = one_run_->worst_max_loss().upper() + toll_.steepest;
  return {loss, std::isinf(loss) ? 0 : formula_rounding * loss};
}

const SelectCurve::Knee& SelectCurve::knee() const {
  std::call_once(found_, [this] { knee_ = find_knee(); });
  return knee_;
}

SelectCurve::Knee SelectCurve::find_knee() const {
  if (!(once_ > 0)) return {};
  const Knee end{infinity, supremum().upper(), 0};
  const double last = std::min(one_run_->last_order() - 1, largest_order);
  if (!(last > smallest_z)) return end;
  double z = least_at([this](double at) { return bound(at); }, smallest_z, last);
  if (last < largest_order && bound(last) <= bound(z)) z = last;
  const double divergence = bound(z);
  if (!(divergence < end.divergence)) return end;
  return {z, divergence, one_run_->worst_log_moment(z).curvature};
}

// D <= xi + rho (z+1) of one run, the steepest toll, and what is added once: never divided by less than the knee.
Growth SelectCurve::growth() const {
  const Knee& knee = this->knee();
  if (std::isinf(knee.z)) return {knee.divergence, 0};
  const Growth one = one_run_->growth();
  const double once = knee.z > 0 ? once_ / knee.z + one.rho * knee.z : 0;
  return {(one.xi + toll_.steepest + once) * (1 + formula_rounding), one.rho * (1 + formula_rounding)};
}

// The least of [K(b-1) + ln(1/gamma)]/b over b in [1, inf]; every b is as valid.
double least_hatted_term(const Curve& one_run, double log_inverse_gamma) {
  double least = std::min(log_inverse_gamma, one_run.worst_max_loss().upper());
  const double last = std::min(one_run.last_order() - 1, largest_order);
  if (!(last > smallest_z)) return least;
  const auto term = [&](double w) {
    const LogMoment k = one_run.worst_log_moment(w);
    return (k.value + k.error + log_inverse_gamma) / (1 + w) * up;
  };
  for (const double w : {least_at(term, smallest_z, last), last}) {
    if (const double here = term(w); here < least) least = here;
  }
  return least;
}

// The runs' law is a truncated negative binomial one:
// D_a of the best <= D_a + (1+eta)(1-1/b) D_b + (1+eta) ln(1/gamma)/b + ln E[K]/(a-1):
//     Papernot, Steinke 2022, Theorem 2; (1-1/b) D_b = K(b-1)/b. b = inf and a = inf: Corollary 3.
std::shared_ptr<const Curve> truncated_binomial_curve(std::shared_ptr<const Curve> one_run,
                                                      const TruncatedBinomial& runs) {
  const double rate = (1 + runs.eta) * least_hatted_term(*one_run, runs.log_inverse_gamma) * up;
  Toll toll{.at = [rate](double z) { return rate * z; }, .steepest = rate, .linear = true};
  return std::make_shared<SelectCurve>(std::move(one_run), std::move(toll), runs.log_mean);
}

// At least the delta of one run at an epsilon of 0 or more, in both directions.
using DeltaOfOneRun = std::function<double(double epsilon)>;

// exp((a-1) D_a of the best) <= exp(-mean) + mean exp((a-1)(D_a + mean delta)) with delta that of one run at epsilon =
// ln(1 + 1/(a-1)): Papernot, Steinke 2022, Theorem 6, and beside it the outcome of no run at all.
std::shared_ptr<const Curve> poisson_curve(std::shared_ptr<const Curve> one_run, double mean, DeltaOfOneRun delta) {
  const double once = std::max(0.0, std::log(mean + std::exp(-mean))) + formula_rounding;
  Toll toll{.steepest = mean * delta(0) * up};
  toll.at = [mean, delta = std::move(delta)](double z) {
    return z * mean * delta(std::log1p(1 / z) * (1 - formula_rounding)) * up;
  };
  return std::make_shared<SelectCurve>(std::move(one_run), std::move(toll), once);
}

// Runs that may reveal everything: each with a probability, and so the best of them.
// The loss is infinite with at most this probability, else that of `finite`.
class LostRunsCurve final : public mechanism::SymmetricCurve {
 public:
  LostRunsCurve(double mass, std::shared_ptr<const Curve> finite)
      : mass_(std::min(1.0, mass)), finite_(std::move(finite)) {}

  double last_order() const override { return 1; }
  Knowledge knowledge() const override { return Knowledge::orders; }
  Bounded infinite_mass(Direction) const override { return {0.5 * mass_, 0.5 * mass_}; }  // or nothing
  std::shared_ptr<const Curve> finite_part() const override { return finite_; }

 private:
  LogMoment at(double) const override { return {.slope = infinity}; }
  ComplexLogMoment at(std::complex<double>) const override { return {}; }  // no complex point is below order 1
  Bounded supremum() const override { return {infinity, 0}; }

  double mass_;
  std::shared_ptr<const Curve> finite_;
};

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
}  // namespace select_file

// Both laws of a run are the same mixture of one that reveals everything and one that does not, so that some of the K
// runs reveals everything with probability at most E[K] times that of one; otherwise K has a law of the same family,
// with fewer runs (docs/math/selection.md, "Runs that may reveal everything").
Mechanism analyse_select(const Select& select, const Adjacency& relation) {
  const select_file::Split run = select_file::split(analysed_steps(select.steps(), relation));
  auto curve = select_file::best_of(select.runs(), run.finite);
  if (run.lost > 0) {
    curve = std::make_shared<select_file::LostRunsCurve>(numerics::product_up(select.runs().expected(), run.lost),
                                                         std::move(curve));
  }
  return Own("the best of several runs", std::move(curve));
}

}  // namespace plan

}  // namespace renyi
