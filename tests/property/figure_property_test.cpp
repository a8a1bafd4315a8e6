// Drawn curves between their points: an upper bound is never below the engine's upper end, a lower one never above its
// lower end, and both are close to it. Abscissae lie at random, next to points, and next to kinks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "api/figure.h"
#include "api/figure/repeated.h"
#include "renyi/error.h"
#include "renyi/explain.h"
#include "renyi/extras/privacy_loss.h"
#include "renyi/filter_design.h"
#include "renyi/mechanisms.h"
#include "renyi/papers/composition_theorems.h"
#include "renyi/tradeoff.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::figure_property_test {
namespace {

using api::FigureRequest;
using api::figure::Bound;
using api::figure::Curve;
using api::figure::Repeated;
using api::figure::Role;
using api::figure::Series;
using api::figure::Shape;
using test::RandomInputs;

constexpr double delta = 1e-5;

struct Named {
  std::string name;
  Plan plan;
};

Plan plan_of(const Mechanism& mechanism, std::int64_t count) {
  Plan plan;
  plan.add(mechanism, count);
  return plan;
}

// Smooth laws, atoms, kinks, several engines, and an upper bound alone.
std::vector<Named> plans() {
  Plan mixed;
  mixed.add(Gaussian{.stddev = 10}, 7).add(Laplace{.scale = 3}, 2);
  return {
      {"training", plan_of(SampledGaussian{.sampling_rate = 0.01, .noise_multiplier = 1.1}, 1000)},
      {"one sampled step", plan_of(SampledGaussian{.sampling_rate = 0.1, .noise_multiplier = 0.8}, 1)},
      {"Gaussian", plan_of(Gaussian{.stddev = 4}, 1)},
      {"many Gaussians", plan_of(Gaussian{.stddev = 50}, 1000)},
      {"Laplace", plan_of(Laplace{.scale = 10}, 1)},
      {"three Laplace", plan_of(Laplace{.scale = 2}, 3)},
      {"response", plan_of(RandomizedResponse{.truth_probability = 0.75}, 1)},
      {"responses", plan_of(RandomizedResponse{.truth_probability = 0.75}, 30)},
      {"pure", plan_of(PureDp{.epsilon = 0.125}, 20)},
      {"mixed", mixed},
  };
}

// What a series should be at x: the interval that the engine gives there, if any.
using Truth = std::function<std::optional<Interval>(double x)>;

// The height of a value on the y axis of the figure.
double height(const api::figure::Axis& axis, double y) {
  if (!axis.log) return std::clamp((y - *axis.from) / (*axis.to - *axis.from), 0.0, 1.0);
  const double along = std::log(std::max(y, 0.0) / *axis.from) / std::log(*axis.to / *axis.from);
  return std::clamp(along, 0.0, 1.0);
}

// Abscissae between the points of a curve, half of them next to a point.
std::vector<double> places(RandomInputs& random, const Curve& curve, int n) {
  std::vector<double> xs;
  for (int i = 0; i < n && curve.size() > 1; ++i) {
    const auto at = static_cast<std::size_t>(random.uniform(0, static_cast<double>(curve.size() - 1) - 1e-9));
    const double a = curve.x[at], b = curve.x[at + 1];
    const double near = std::pow(10.0, random.uniform(-12, -1));
    const double part = i % 2 == 0 ? random.uniform(0, 1) : i % 4 == 1 ? near : 1 - near;
    xs.push_back(std::clamp(a + part * (b - a), a, b));
  }
  return xs;
}

struct Case {
  const api::figure::Figure& figure;
  const Series& series;
  const Truth& truth;
  double tolerance;
};

// How far a drawn value is from the truth, relative to the height of the axis. A jump is drawn as a vertical line:
// there, the truth within a tenth of a pixel counts.
double gap(const Case& one, double x, double drawn, bool upper) {
  const auto& axis = one.figure.x;
  const double part = 1e-4, pixel = axis.log ? x * std::expm1(part * std::log(*axis.to / *axis.from))
                                             : part * (*axis.to - *axis.from);
  double least = 1;
  for (const double beside : {x, std::max(*axis.from, x - pixel), std::min(*axis.to, x + pixel)}) {
    const auto truth = one.truth(beside);
    if (!truth) continue;
    const double difference = upper ? height(one.figure.y, drawn) - height(one.figure.y, truth->upper)
                                    : height(one.figure.y, truth->lower) - height(one.figure.y, drawn);
    least = std::min(least, difference);
  }
  return least;
}

void expect_bound(const Case& one, const Curve& curve, bool upper, double x) {
  const double drawn = value_at(curve, x, upper);
  if (!std::isfinite(drawn)) return;
  const auto truth = one.truth(x);
  if (!truth) return;
  SCOPED_TRACE(fmt::format("{} \"{}\" {} at x = {:.17g}: drawn {:.17g}, truth [{:.17g}, {:.17g}]", one.figure.kind,
                           one.series.name, upper ? "upper" : "lower", x, drawn, truth->lower, truth->upper));
  // The engine may be wider at one place than beside it, and its searches end before the last digit.
  const double search = one.series.role == Role::renyi ? 2e-9 : one.figure.kind == "outcomes" ? 2e-5 : 1e-14;
  const double room = truth->upper - truth->lower + search * std::abs(truth->upper);
  if (upper) {
    EXPECT_GE(drawn, truth->upper - room);
    if (std::isfinite(truth->upper)) {
      EXPECT_LE(gap(one, x, drawn, true), one.tolerance);
    }
  } else {
    EXPECT_LE(drawn, truth->lower + room);
    EXPECT_LE(gap(one, x, drawn, false), one.tolerance);
  }
}

void check(RandomInputs& random, const Case& one, int n, bool whole) {
  const auto at = [&](double x) { return whole ? std::round(x) : x; };
  for (const double x : places(random, one.series.curve, n)) {
    expect_bound(one, one.series.curve, one.series.bound == Bound::upper, at(x));
  }
  if (!one.series.lower) return;
  for (const double x : places(random, *one.series.lower, n)) expect_bound(one, *one.series.lower, false, at(x));
}

Interval upper_only(double value) { return {value, value}; }

Interval both(const Cost& cost) { return cost.exact ? Interval(cost.exact->worst) : Interval{}; }

// The truth of a series of the figure, by its kind and its role; none if the series is no bound.
Truth truth_of(const std::string& kind, const Series& series, const Plan& plan) {
  const bool exact = series.role == Role::exact;
  const Analysis analysis(plan);
  const CostOptions options{.renyi = !exact, .exact = exact};
  const auto of_cost = [=](const Cost& cost) { return exact ? both(cost) : upper_only(cost.renyi->upper); };
  if (kind == "profile") {
    return [=](double x) { return of_cost(profile(analysis, {.epsilons = {x}}, options).at_epsilons[0]); };
  }
  if (kind == "epsilon") {
    return [=](double x) { return of_cost(profile(analysis, {.deltas = {x}}, options).at_deltas[0]); };
  }
  if (kind == "steps") {
    return [=, run = Repeated(plan)](double x) {
      return of_cost(profile(run.times(std::llround(x)), {.deltas = {delta}}, options).at_deltas[0]);
    };
  }
  if (kind == "rdp") {
    return [=](double x) { return rdp(analysis, x).interval(); };
  }
  if (kind == "tradeoff" || kind == "roc") {
    const bool add = series.role == Role::other, worst = series.name.find("differ") != std::string::npos;
    return [=](double x) {
      const TradeoffPoint point = tradeoff(analysis, std::vector<double>{x})[0];
      const LeastError& least = worst ? point.worst : add ? point.add : point.remove;
      return kind == "roc" ? least.power : least.type_two;
    };
  }
  if (kind == "loss-tails") {
    const Direction direction = series.role == Role::other ? Direction::add : Direction::remove;
    return [=](double x) -> Interval { return PrivacyLoss(analysis, direction).at_least(x); };
  }
  if (kind == "outcomes") {
    return [=, bound = series.bound](double x) -> std::optional<Interval> {
      if (!(x > 0 && x < 1)) return std::nullopt;
      const OutcomePromise outcome =
          explain(analysis, {.baselines = {x}, .orders = {}, .factors = {}, .exact = exact}).outcomes[0];
      if (exact) return outcome.exact;
      return upper_only(bound == Bound::upper ? outcome.best.upper.probability : outcome.best.lower.probability);
    };
  }
  return {};
}

// The ends of an outcome are two numbers, not one interval.
Truth end_of(const Truth& range, bool upper) {
  return [=](double x) -> std::optional<Interval> {
    const auto found = range(x);
    if (!found) return std::nullopt;
    return upper_only(upper ? found->upper : found->lower);
  };
}

FigureRequest request(const std::string& kind, const Plan& plan) {
  FigureRequest asked{.kind = kind, .delta = delta};
  asked.runs.push_back({.plan = plan, .words = "a run"});
  return asked;
}

void expect_sound(RandomInputs& random, const FigureRequest& asked, int n) {
  const auto figure = api::answer(asked);
  const double tolerance = asked.coarse ? 0.03 : 0.005;
  for (const Series& series : figure.series) {
    if (series.shape != Shape::line || series.bound == Bound::estimate) continue;
    const Truth truth = truth_of(asked.kind, series, asked.runs[0].plan);
    if (!truth) continue;
    if (asked.kind == "outcomes" && series.role == Role::exact) {
      Series upper = series;
      upper.lower.reset();
      check(random, {figure, upper, end_of(truth, true), tolerance}, n, false);
      Series lower = series;
      lower.curve = *series.lower;
      lower.bound = Bound::lower;
      lower.lower.reset();
      check(random, {figure, lower, end_of(truth, false), tolerance}, n, false);
      continue;
    }
    check(random, {figure, series, truth, tolerance}, n, asked.kind == "steps");
  }
}

// Every plan in one of four ways; more cases mean more ways.
void expect_sound_for_all(const std::string& kind, int n) {
  test::for_random_cases(0.0004, [&](RandomInputs& random) {
    for (const Named& named : plans()) {
      const auto how = static_cast<int>(random.uniform(0, 3.999));
      SCOPED_TRACE(fmt::format("{} of {}, {}", kind, named.name, how));
      FigureRequest asked = request(kind, named.plan);
      if (how == 1) asked.coarse = true;
      if (how == 2) asked.y_log = false;
      if (how == 3) asked.x_log = true;
      test::expect_no_throw([&] { expect_sound(random, asked, n); });
    }
  });
}

const Series& named(const api::figure::Figure& figure, const std::string& beginning) {
  const auto found = std::find_if(figure.series.begin(), figure.series.end(),
                                  [&](const Series& series) { return series.name.starts_with(beginning); });
  if (found == figure.series.end()) throw std::out_of_range(beginning);
  return *found;
}

// Straight lines between even points said 0.30 and 1.6e-8 here.
TEST(Figures, ReachTheirKinks) {
  const auto outcomes = api::answer(request("outcomes", plan_of(RandomizedResponse{.truth_probability = 0.75}, 1)));
  EXPECT_NEAR(value_at(*named(outcomes, "exact").lower, 0.75), 0.25, 1e-6);
  EXPECT_LE(value_at(*named(outcomes, "exact").lower, 0.75), 0.25);
  const auto profile = api::answer(request("profile", plan_of(Laplace{.scale = 10}, 1)));
  const double truth = -std::expm1((0.09975 - 0.1) / 2);
  EXPECT_GE(value_at(named(profile, "exact").curve, 0.09975), truth);
  EXPECT_LE(value_at(named(profile, "exact").curve, 0.09975), 1.1 * truth);
}

void expect_refused(FigureRequest asked, const std::string& path) {
  try {
    static_cast<void>(api::answer(asked));
    FAIL() << "no refusal of " << asked.kind << ", " << path;
  } catch (const Error& error) {
    EXPECT_EQ(error.path(), path) << error.what();
  }
}

TEST(Figures, RefuseRangesThatCannotBeDrawn) {
  const Plan plan = plan_of(Laplace{.scale = 10}, 1);
  const auto with_range = [&](const std::string& kind, double from, double to) {
    FigureRequest asked = request(kind, plan);
    asked.range = {from, to};
    return asked;
  };
  expect_refused(with_range("profile", 2, 1), "range");
  expect_refused(with_range("profile", -1, 1), "range");
  expect_refused(with_range("rdp", 0.5, 4), "range");
  expect_refused(with_range("steps", 1.2, 1.8), "range");
  expect_refused(with_range("accountants", 1, 2), "range");
  expect_refused(with_range("epsilon", 0, 2), "range");
  FigureRequest two = request("accountants", plan);
  two.runs.push_back(two.runs.front());
  expect_refused(two, "runs");
  FigureRequest log = with_range("profile", 0, 1);
  log.x_log = true;
  expect_refused(log, "range");
}

TEST(Figures, WithNothingToDrawAreRefused) {
  FigureRequest asked = request("steps", plan_of(Gaussian{.stddev = 4}, 1));
  asked.delta = 0;
  EXPECT_THROW(static_cast<void>(api::answer(asked)), Unsupported);
}

TEST(FigureProperty, Profiles) { expect_sound_for_all("profile", 40); }
TEST(FigureProperty, EpsilonsAtDeltas) { expect_sound_for_all("epsilon", 40); }
TEST(FigureProperty, RenyiCurves) { expect_sound_for_all("rdp", 40); }
TEST(FigureProperty, Steps) { expect_sound_for_all("steps", 20); }
TEST(FigureProperty, Tails) { expect_sound_for_all("loss-tails", 20); }
TEST(FigureProperty, Tradeoffs) { expect_sound_for_all("tradeoff", 8); }
TEST(FigureProperty, Attackers) { expect_sound_for_all("roc", 8); }
TEST(FigureProperty, Outcomes) { expect_sound_for_all("outcomes", 12); }

}  // namespace
}  // namespace renyi::figure_property_test
