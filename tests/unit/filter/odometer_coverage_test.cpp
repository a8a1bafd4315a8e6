// How often the loss of an adaptive run ever exceeds the reading of an odometer: exactly, by the worst analyst of
// randomized responses, and by simulation for Gaussian and sampled Gaussian steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "renyi/odometer.h"
#include "renyi/renyi.h"

namespace renyi::odometer_coverage_test {
namespace {

using Generator = std::mt19937_64;
// The upper bound on the loss after n steps of one kind and m of another, for up to `steps` steps.
class Readings {
 public:
  Readings(int steps, const std::function<double(int, int)>& bound) : width_(steps + 1) {
    for (int n = 0; n <= steps; ++n) {
      for (int m = 0; m <= steps; ++m) values_.push_back(n + m > 0 && n + m <= steps ? bound(n, m) : 0);
    }
  }
  double operator()(int n, int m) const { return values_[static_cast<std::size_t>(n * width_ + m)]; }

 private:
  int width_;
  std::vector<double> values_;
};

Odometer made(OdometerKind kind, double delta) {
  switch (kind) {
    case OdometerKind::zcdp: return Odometer::zcdp(delta);
    case OdometerKind::gdp: return Odometer::gdp(delta);
    case OdometerKind::renyi: break;
  }
  return Odometer::renyi(delta);
}

Readings readings(const Odometer& empty, int steps, const Mechanism& first, const Mechanism& second) {
  return Readings(steps, [&](int n, int m) {
    Odometer odometer = empty;
    if (n > 0) odometer.charge(first, n);
    if (m > 0) odometer.charge(second, m);
    return odometer.reading().epsilon;
  });
}

// What is not valid: the running divergences converted at the full delta, by whichever order is best at each time.
double converted_at_full_delta(double delta, const std::function<double(double)>& spent) {
  double best = std::numeric_limits<double>::infinity();
  for (double above_one = 1e-3; above_one < 1e4; above_one *= 1.1) {
    best = std::min(best, spent(1 + above_one) + std::log(1 / delta) / above_one);
  }
  return best;
}

// ---- Randomized responses, exactly.

struct Responses {
  std::array<double, 2> truth;
  double loss(std::size_t kind) const { return std::log(truth[kind] / (1 - truth[kind])); }
  double divergence(std::size_t kind, double order) const {
    const double p = truth[kind], q = 1 - p;
    return std::log(std::pow(p, order) * std::pow(q, 1 - order) + std::pow(q, order) * std::pow(p, 1 - order)) /
           (order - 1);
  }
};

// The largest probability, over all rules by which an analyst may choose each response after the results so far, that
// the loss ever exceeds the reading within so many steps.
class WorstAnalyst {
 public:
  WorstAnalyst(const Responses& menu, Readings reading, int steps)
      : menu_(menu), reading_(std::move(reading)), steps_(steps) {}

  // After n[kind] responses, of which t[kind] were true.
  double failure(std::array<int, 2> n, std::array<int, 2> t) {
    double loss = 0;
    for (std::size_t kind = 0; kind < 2; ++kind) loss += (2 * t[kind] - n[kind]) * menu_.loss(kind);
    if (loss > reading_(n[0], n[1])) return 1;
    if (n[0] + n[1] == steps_) return 0;
    const auto [found, is_new] = known_.try_emplace({n, t}, 0);
    if (!is_new) return found->second;
    double worst = 0;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      auto more = n, truths = t;
      ++more[kind];
      const double lie = failure(more, truths);
      ++truths[kind];
      worst = std::max(worst, menu_.truth[kind] * failure(more, truths) + (1 - menu_.truth[kind]) * lie);
    }
    return known_[{n, t}] = worst;
  }

 private:
  Responses menu_;
  Readings reading_;
  int steps_;
  std::map<std::pair<std::array<int, 2>, std::array<int, 2>>, double> known_;
};

// The worst analyst of the odometer by orders comes close to delta, so that little more can be had; converting at the
// full delta breaks it.
TEST(OdometerCoverage, NoAnalystOfRandomizedResponsesExceedsDelta) {
  constexpr int steps = 24;
  const Responses menu{{0.75, 0.55}};
  for (const double delta : {0.2, 0.05}) {
    for (const OdometerKind kind : all_odometer_kinds) {
      const auto reading =
          readings(made(kind, delta), steps, RandomizedResponse{menu.truth[0]}, RandomizedResponse{menu.truth[1]});
      const double failure = WorstAnalyst(menu, reading, steps).failure({}, {});
      EXPECT_LE(failure, delta) << to_string(kind);
      EXPECT_GE(failure, kind == OdometerKind::renyi ? 0.85 * delta : 0);
    }
    const Readings invalid(steps, [&](int n, int m) {
      return converted_at_full_delta(
          delta, [&](double order) { return n * menu.divergence(0, order) + m * menu.divergence(1, order); });
    });
    EXPECT_GE(WorstAnalyst(menu, invalid, steps).failure({}, {}), 1.6 * delta);
  }
}

// ---- Simulations.

constexpr int runs = 20'000;

// Four standard deviations of the frequency, in all runs, of an event of this probability.
double deviation(double probability) { return 4 * std::sqrt(probability * (1 - probability) / runs); }

// The noise falls so that rho grows by a factor with every step, over many octaves; the run stops when the loss exceeds
// the reading.
class GrowingRun {
 public:
  static constexpr int steps = 70;
  static double stddev(int step) { return 200 * std::pow(1.2, -0.5 * step); }

  // Returns how often the loss ever exceeds readings[t] after step t.
  static double failures(const std::vector<double>& readings, std::uint64_t seed) {
    Generator generator(seed);
    std::normal_distribution<double> normal;
    int failed = 0;
    for (int run = 0; run < runs; ++run) {
      double loss = 0;
      for (int t = 0; t < steps; ++t) {
        const double mu = 1 / stddev(t);
        loss += mu * mu / 2 + mu * normal(generator);
        if (loss <= readings[static_cast<std::size_t>(t)]) continue;
        ++failed;
        break;
      }
    }
    return static_cast<double>(failed) / runs;
  }
};

TEST(OdometerCoverage, GaussianStepsOverManyOctavesOfRho) {
  for (const double delta : {0.2, 0.05}) {
    for (const OdometerKind kind : all_odometer_kinds) {
      Odometer odometer = made(kind, delta);
      std::vector<double> valid;
      for (int t = 0; t < GrowingRun::steps; ++t) {
        odometer.charge(Gaussian{.stddev = GrowingRun::stddev(t)});
        valid.push_back(odometer.reading().epsilon);
      }
      const double failure = GrowingRun::failures(valid, 1);
      EXPECT_LE(failure + deviation(delta), delta) << to_string(kind);
    }
  }
}

TEST(OdometerCoverage, TheRunningCurveAtTheFullDeltaIsExceededTooOften) {
  for (const double delta : {0.2, 0.05}) {
    std::vector<double> invalid;
    double rho = 0;
    for (int t = 0; t < GrowingRun::steps; ++t) {
      rho += 0.5 / (GrowingRun::stddev(t) * GrowingRun::stddev(t));
      invalid.push_back(converted_at_full_delta(delta, [=](double order) { return order * rho; }));
    }
    const double failure = GrowingRun::failures(invalid, 1);
    EXPECT_GE(failure - deviation(delta), 2 * delta);
  }
}

// A step whose loss can be drawn, in one direction.
struct Drawn {
  Mechanism step;
  std::function<double(Generator&)> loss;
};

Drawn gaussian(double stddev) {
  return {Gaussian{.stddev = stddev}, [=](Generator& generator) {
            return 0.5 / (stddev * stddev) + std::normal_distribution<double>()(generator) / stddev;
          }};
}

Drawn sampled(double rate, double noise, Direction direction) {
  return {SampledGaussian{rate, noise}, [=](Generator& generator) {
            const bool drawn = direction == Direction::remove && std::bernoulli_distribution(rate)(generator);
            const double x = noise * std::normal_distribution<double>()(generator) + (drawn ? 1 : 0);
            const double loss = std::log1p(rate * std::expm1((2 * x - 1) / (2 * noise * noise)));
            return direction == Direction::remove ? loss : -loss;
          }};
}

Drawn response(double truth) {
  return {RandomizedResponse{truth}, [=](Generator& generator) {
            const double loss = std::log(truth / (1 - truth));
            return std::bernoulli_distribution(truth)(generator) ? loss : -loss;
          }};
}

// The analyst takes the second step while the loss is within `near` of the reading, and otherwise the first.
double failures(const Drawn& first, const Drawn& second, const Readings& reading, int steps, double near,
                std::uint64_t seed) {
  Generator generator(seed);
  int failed = 0;
  for (int run = 0; run < runs; ++run) {
    double loss = 0;
    int n = 0, m = 0;
    while (n + m < steps && loss <= reading(n, m)) {
      const bool is_near = n + m > 0 && reading(n, m) - loss < near;
      ++(is_near ? m : n);
      loss += (is_near ? second : first).loss(generator);
    }
    if (loss > reading(n, m)) ++failed;
  }
  return static_cast<double>(failed) / runs;
}

TEST(OdometerCoverage, AnalystsWhoChooseTheNextNoiseByTheResults) {
  struct Case {
    Drawn first, second;
    double near;
  };
  const std::vector<Case> cases{{gaussian(2), gaussian(0.7), 1.5},
                                {gaussian(1), gaussian(4), 1},
                                {sampled(0.2, 1, Direction::remove), sampled(0.5, 0.6, Direction::remove), 1},
                                {sampled(0.9, 1, Direction::add), sampled(0.9, 3, Direction::add), 1},
                                {response(0.6), response(0.9), 2}};
  constexpr double delta = 0.2;
  constexpr int steps = 40;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (const OdometerKind kind : all_odometer_kinds) {
      const auto reading = readings(made(kind, delta), steps, cases[i].first.step, cases[i].second.step);
      const double failure = failures(cases[i].first, cases[i].second, reading, steps, cases[i].near, 10 + i);
      EXPECT_LE(failure + deviation(delta), delta) << "case " << i << ", " << to_string(kind);
    }
  }
}

}  // namespace
}  // namespace renyi::odometer_coverage_test
