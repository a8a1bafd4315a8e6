#include "certify/exact/cells.h"

#include <gtest/gtest.h>

#include "certify/exact/grid_law.h"
#include "certify/exact/law.h"
#include "renyi/error.h"
#include "support/random_inputs.h"

namespace renyi::certify::exact_cells_test {
namespace {

struct Case {
  Mechanism step;
  Direction direction = Direction::remove;
  Spacing spacing;
};

std::unique_ptr<StepTails> tails_of(const Case& c) {
  if (const auto laplace = c.step.get_if<Laplace>()) return laplace_tails(*laplace);
  if (const auto sampled = c.step.get_if<SampledGaussian>()) return sampled_gaussian_tails(*sampled, c.direction);
  return gaussian_tails({{c.step, 1}});
}

std::vector<Case> cases() {
  return {{Gaussian{1.5, 1}, Direction::remove, {Ball(1) / 64, 1}},
          {Laplace{0.7, 1}, Direction::remove, {2, Ball(0.7) * 100}},  // h divides the distance of the atoms
          {Laplace{0.7, 1}, Direction::remove, {Ball(3) / 128, 1}},    // it does not
          {SampledGaussian{0.2, 0.8}, Direction::remove, {Ball(1) / 64, 1}},
          {SampledGaussian{0.2, 0.8}, Direction::add, {Ball(1) / 64, 1}},
          {SampledGaussian{0.001, 0.6}, Direction::remove, {Ball(1) / 64, 1}},
          {SampledGaussian{0.001, 0.6}, Direction::add, {Ball(1) / 64, 1}}};
}

// above - below, at one epsilon, relative; both sides are checked against the closed form.
double checked_width(const Case& c, const Points& points, double epsilon) {
  const auto tails = tails_of(c);
  const Cut pieces = cut(*tails, points);
  const Rounded up = rounded_up(*tails, pieces), down = rounded_down(*tails, pieces);
  const Ball above = GridProfile(up, points.h).delta(epsilon) + up.infinite;
  const Ball below = GridProfile(down, points.h).delta(epsilon);
  const Ball truth = closed_form_law({{c.step, 1}}, c.direction, Route::first)->delta(epsilon);
  EXPECT_TRUE(surely_at_most(below.lower(), truth.upper())) << c.step.kind() << " " << epsilon;
  EXPECT_TRUE(surely_at_most(truth.lower(), above.upper())) << c.step.kind() << " " << epsilon;
  return ((above.upper() - below.lower()) / truth).about();
}

TEST(CertifiedCells, HoldTheTruthBetweenThem) {
  const Precision bits(128);
  for (const Case& c : cases()) {
    const auto tails = tails_of(c);
    const Points points = hang(*tails, c.spacing, span_of(*tails, -40));
    for (const double epsilon : {-0.3, 0.0, 0.0003, 0.1, 0.7, 1.2}) checked_width(c, points, epsilon);
  }
}

// Halving the spacing quarters the width, about; here it is halved three times, as one spacing may be lucky.
TEST(CertifiedCells, AreOfSecondOrder) {
  const Precision bits(128);
  for (Case c : cases()) {
    const auto sampled = c.step.get_if<SampledGaussian>();
    if (sampled && sampled->sampling_rate < 0.01) continue;  // all of its bulk is in one cell
    const auto tails = tails_of(c);
    const double epsilon = c.direction == Direction::add ? 0.0 : 0.1;
    const auto width = [&] { return checked_width(c, hang(*tails, c.spacing, span_of(*tails, -40)), epsilon); };
    const double coarse = width();
    c.spacing.denominator *= 8;
    EXPECT_LE(width(), coarse / 12) << c.step.kind();
  }
}

// However badly the points are chosen.
TEST(CertifiedCells, AreSoundForAnyPoints) {
  const Precision bits(128);
  test::RandomInputs random(7);
  for (const Case& c : cases()) {
    if (c.step.get_if<Laplace>().has_value()) continue;
    for (int i = 0; i < 20; ++i) {
      Points points;
      points.offset = random.uniform(-3, 0.5);
      points.h = random.uniform(0.01, 0.6);
      points.last = 1 + static_cast<std::int64_t>(random.below(12));
      points.start = static_cast<std::int64_t>(random.below(static_cast<std::size_t>(points.last)));
      points.end = points.start + 1 +
                   static_cast<std::int64_t>(random.below(static_cast<std::size_t>(points.last - points.start)));
      for (const double epsilon : {-1.0, 0.0, 0.05, 0.8}) checked_width(c, points, epsilon);
    }
  }
}

TEST(CertifiedConvolution, ShorteningMovesMassTheSafeWay) {
  const Rounded law{Ball(0), 0, {Ball(1) / 1024, Ball(1) / 2, Ball(1) / 4, Ball(1) / 1024}, Ball(0)};
  const Rounded up = shortened(law, {Side::above, Ball(1) / 512});
  const Rounded down = shortened(law, {Side::below, Ball(1) / 512});
  ASSERT_EQ(up.mass.size(), 2U);
  ASSERT_EQ(down.mass.size(), 2U);
  EXPECT_EQ(up.first, 1);
  EXPECT_EQ(up.mass[0].about(), 0.5 + 1.0 / 1024);
  EXPECT_EQ(up.infinite.about(), 1.0 / 1024);
  EXPECT_EQ(down.mass[0].about(), 0.5);
  EXPECT_EQ(down.infinite.about(), 0);
}

TEST(CertifiedConvolution, CopiesAreBinomial) {
  const Precision bits(128);
  const Rounded law{Ball(0.5), 0, {Ball(0.25), Ball(0.75)}, Ball(0x1p-20)};
  const Rounded seven = copies_of(law, 7, {Side::above, Ball(0)});
  ASSERT_EQ(seven.mass.size(), 8U);
  EXPECT_EQ(seven.offset.about(), 3.5);
  EXPECT_EQ(seven.mass[2].about(), 21 * 0.75 * 0.75 / 1024);
  EXPECT_EQ(seven.infinite.about(), 7 * 0x1p-20);
  std::size_t points_left = 2 * law.mass.size();
  EXPECT_THROW(copies_of(law, 7, {Side::above, Ball(0), &points_left}), NotConverged);
}

}  // namespace
}  // namespace renyi::certify::exact_cells_test
