#include <gtest/gtest.h>

#include <cmath>

#include "renyi/error.h"
#include "renyi/mechanism.h"
#include "renyi/rdp.h"

namespace renyi::matrix_test {
namespace {

double squared_sensitivity(const Mechanism& mechanism) {
  const auto same = mechanism.equivalent();
  const double s = same.value().get_if<Gaussian>()->l2_sensitivity;
  return s * s;
}

const Rows decaying{{1, 0, 0}, {0.5, 1, 0}, {0.25, 0.5, 1}};

TEST(MatrixMechanism, IsAGaussianOfItsSensitivity) {
  const Mechanism once = make_mechanism("matrix", {{"noise_multiplier", 3}}, {{"matrix", decaying}});
  EXPECT_NEAR(squared_sensitivity(once), 1.3125, 1e-14);
  EXPECT_NEAR(rdp(*once.curve(), 4).value, 4 * 1.3125 / 18, 1e-14);
  const Mechanism always = once.with("participations", 3);
  EXPECT_NEAR(squared_sensitivity(always), 1 + 1.5 * 1.5 + 1.75 * 1.75, 1e-13);
  // Columns 0 and 2: 1.3125 + 1 + 2 * 0.25.
  EXPECT_NEAR(squared_sensitivity(always.with("min_separation", 2)), 2.8125, 1e-13);
  EXPECT_NEAR(squared_sensitivity(always.with("min_separation", 2).with("fixed_order", 1)), 2.8125, 1e-13);
}

// Columns that point against each other: the magnitudes are a bound, which no record may attain.
TEST(MatrixMechanism, ASensitivityThatIsABoundIsNoLawOfTheLoss) {
  const Rows against{{1, -0.5, -0.5}, {0, 1, -0.9}, {0, 0, 1}};
  const Mechanism once = make_mechanism("matrix", {{"noise_multiplier", 1}}, {{"matrix", against}});
  EXPECT_EQ(once.curve()->knowledge(), Knowledge::loss);
  const Mechanism several = once.with("participations", 3);
  EXPECT_EQ(several.curve()->knowledge(), Knowledge::profile);
  EXPECT_NEAR(several.equivalent()->get_if<Gdp>()->mu, std::sqrt(7.61), 1e-12);
}

TEST(MatrixMechanism, CostsOnlyWhatItsColumnsAre) {
  const Mechanism nothing = make_mechanism("matrix", {{"noise_multiplier", 1}}, {{"matrix", Rows{{0, 0}}}});
  EXPECT_LE(rdp(*nothing.curve(), 2).upper(), 1e-90);
  EXPECT_GT(rdp(*nothing.curve(), 2).upper(), 0);
}

TEST(MatrixMechanism, RefusesWhatItCannotHold) {
  const auto made = [](const Rows& rows) {
    return make_mechanism("matrix", {{"noise_multiplier", 1}}, {{"matrix", rows}});
  };
  EXPECT_NO_THROW(made(Rows(1, std::vector<double>(1024, 1))));
  EXPECT_THROW(made(Rows(1, std::vector<double>(1025, 1))), InvalidArgument);
  EXPECT_THROW(made({{1, 0}, {1}}), InvalidArgument);
  EXPECT_THROW(made({}), InvalidArgument);
  EXPECT_THROW(made({{1, std::nan("")}}), InvalidArgument);
  EXPECT_THROW(made({{1, 1e21}}), InvalidArgument);
  EXPECT_THROW(static_cast<void>(make_mechanism("matrix", {{"noise_multiplier", 1}})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(made(decaying).sampled_by(Sampling::poisson(0.1))), InvalidArgument);
}

}  // namespace
}  // namespace renyi::matrix_test
