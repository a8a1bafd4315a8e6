// Vectors reduce to lines (docs/math/sampling.md, S2): random configurations of records in the plane, their
// hockey-stick divergences by a plain grid, never above the pair that stands for all of them.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "support/random_inputs.h"

namespace renyi::sampling_property_test {
namespace {

struct Point {
  double x = 0, y = 0;
};
struct Component {
  double weight;
  Point at;
};
using Mixture = std::vector<Component>;

double density(const Mixture& mixture, const Point& p, double s) {
  double sum = 0;
  for (const Component& c : mixture) {
    const double dx = p.x - c.at.x, dy = p.y - c.at.y;
    sum += c.weight * std::exp(-0.5 * (dx * dx + dy * dy) / (s * s));
  }
  return sum / (2 * M_PI * s * s);
}

// Midpoints of a grid: smooth but for the kink, good to about 1e-5.
double hockey_stick(const Mixture& a, const Mixture& b, double t, double s) {
  const double reach = 3 + 6 * s, h = 0.05 * s;
  double sum = 0;
  for (double x = -reach; x < reach; x += h) {
    for (double y = -reach; y < reach; y += h) {
      sum += std::max(0.0, density(a, {x + h / 2, y + h / 2}, s) - t * density(b, {x + h / 2, y + h / 2}, s));
    }
  }
  return sum * h * h;
}

Point within_unit_disc(test::RandomInputs& random) {
  const double angle = random.uniform(0, 2 * M_PI), length = random.chance(0.4) ? 1 : random.uniform();
  return {length * std::cos(angle), length * std::sin(angle)};
}

Point sum(const Point& a, const Point& b, double sign = 1) { return {a.x + sign * b.x, a.y + sign * b.y}; }

double claimed(const Mechanism& step, Neighbors neighbors, std::int64_t unit, double epsilon) {
  return PrivacyProfile(Plan(neighbors, unit).add(step)).delta(epsilon).worst.upper;
}

constexpr double grid_error = 3e-5;

TEST(SamplingProperty, ReplacedRecordsInAPoissonSample) {
  test::for_random_cases(0.006, [](test::RandomInputs& random) {
    const double q = random.uniform(0.05, 0.7), s = random.uniform(0.6, 1.5), epsilon = random.uniform(0, 1.5);
    const Mixture p{{1 - q, {}}, {q, within_unit_disc(random)}}, other{{1 - q, {}}, {q, within_unit_disc(random)}};
    EXPECT_LE(hockey_stick(p, other, std::exp(epsilon), s),
              claimed(Mechanism(Gaussian{s}).sampled_by(Sampling::poisson(q)), Neighbors::replace_one, 1, epsilon) +
                  grid_error);
  });
}

// The record exchanged, its neighbour in the sample, and what stands in its place.
TEST(SamplingProperty, ReplacedRecordsInASampleOfFixedSize) {
  test::for_random_cases(0.006, [](test::RandomInputs& random) {
    const double m = 1 + static_cast<double>(random.below(8)), n = 9, s = random.uniform(1, 3), g = m / n;
    const double epsilon = random.uniform(0, 1.5);
    const Point other = within_unit_disc(random), old = within_unit_disc(random), fresh = within_unit_disc(random);
    const Mixture p{{1 - g, other}, {g, old}}, q{{1 - g, other}, {g, fresh}};
    const Mechanism step = Mechanism(Gaussian{s}).sampled_by(Sampling::fixed_size(n, m));
    EXPECT_LE(hockey_stick(p, q, std::exp(epsilon), s), claimed(step, Neighbors::replace_one, 1, epsilon) + grid_error);
    const Mixture none{{1 - g, other}, {g, {}}};
    EXPECT_LE(hockey_stick(p, none, std::exp(epsilon), s), claimed(step, Neighbors::zero_out, 1, epsilon) + grid_error);
    EXPECT_LE(hockey_stick(none, p, std::exp(epsilon), s), claimed(step, Neighbors::zero_out, 1, epsilon) + grid_error);
  });
}

TEST(SamplingProperty, TwoRecordsOfOnePerson) {
  test::for_random_cases(0.006, [](test::RandomInputs& random) {
    const double q = random.uniform(0.05, 0.7), s = random.uniform(0.8, 2), epsilon = random.uniform(0, 1.5);
    const Point a = within_unit_disc(random), b = within_unit_disc(random);
    const Mixture p{{(1 - q) * (1 - q), {}}, {q * (1 - q), a}, {q * (1 - q), b}, {q * q, sum(a, b)}}, none{{1, {}}};
    const Mechanism step = Mechanism(Gaussian{s}).sampled_by(Sampling::poisson(q));
    const double most = claimed(step, Neighbors::add_or_remove_one, 2, epsilon) + grid_error;
    EXPECT_LE(hockey_stick(p, none, std::exp(epsilon), s), most);
    EXPECT_LE(hockey_stick(none, p, std::exp(epsilon), s), most);
    const Point c = within_unit_disc(random), d = within_unit_disc(random);
    const Mixture other{{(1 - q) * (1 - q), {}}, {q * (1 - q), c}, {q * (1 - q), d}, {q * q, sum(c, d)}};
    EXPECT_LE(hockey_stick(p, other, std::exp(epsilon), s),
              claimed(step, Neighbors::replace_one, 2, epsilon) + grid_error);
  });
}

}  // namespace
}  // namespace renyi::sampling_property_test
