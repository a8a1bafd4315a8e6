#include "renyi/mechanism.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "renyi/error.h"

namespace renyi::mechanism_test {
namespace {

using ::testing::HasSubstr;

TEST(Mechanism, HoldsItsValue) {
  const Mechanism m = SampledGaussian{0.25, 3};
  EXPECT_EQ(m.kind(), "sampled-gaussian");
  ASSERT_TRUE(m.get_if<SampledGaussian>().has_value());
  EXPECT_EQ(m.get_if<SampledGaussian>()->noise_multiplier, 3);
  EXPECT_FALSE(m.get_if<Gaussian>().has_value());
  EXPECT_EQ(m.values(), (std::vector<double>{0.25, 3}));
}

TEST(Mechanism, ComparesByKindAndValues) {
  EXPECT_EQ(Mechanism(Gaussian{2}), Mechanism(Gaussian{2}));
  EXPECT_FALSE(Mechanism(Gaussian{2}) == Mechanism(Gaussian{3}));
  EXPECT_FALSE(Mechanism(Gaussian{2}) == Mechanism(Laplace{2}));
}

TEST(Mechanism, WithChangesOneParameter) {
  const Mechanism m = Laplace{2, 3};
  EXPECT_EQ(m.with("scale", 5), Mechanism(Laplace{5, 3}));
  EXPECT_EQ(m, Mechanism(Laplace{2, 3}));
}

TEST(Mechanism, RefusalsNameFieldValueAndRange) {
  try {
    const Mechanism m = SampledGaussian{1.5, 1};
    FAIL() << "accepted " << m.kind();
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_EQ(error.path(), "sampling_rate");
    EXPECT_EQ(error.value(), "1.5");
    EXPECT_THAT(error.allowed(), HasSubstr("0, or a number in [1e-100, 1]"));
    EXPECT_THAT(error.what(), HasSubstr("sampling_rate"));
  }
}

TEST(Mechanism, WholeParametersRefuseFractions) {
  EXPECT_THROW(Mechanism(RandomizedResponse{0.7, 2.5}), InvalidArgument);
}

TEST(Mechanism, IsSampledOnce) {
  const Mechanism once = Mechanism(Laplace{1}).sampled_by(Sampling::poisson(0.1));
  EXPECT_THROW(static_cast<void>(once.sampled_by(Sampling::poisson(0.1))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(Mechanism(SampledGaussian{0.01, 1}).sampled_by(Sampling::poisson(0.1))),
               InvalidArgument);
  EXPECT_EQ(once.unsampled(), Mechanism(Laplace{1}));
  EXPECT_FALSE(once == Mechanism(Laplace{1}));
}

TEST(Mechanism, ASampledOneIsNoneOfItsKindAndHasNoCurveOfItsOwn) {
  const Mechanism sampled = Mechanism(Laplace{1}).sampled_by(Sampling::poisson(0.1));
  EXPECT_EQ(sampled.kind(), "laplace");
  EXPECT_FALSE(sampled.get_if<Laplace>().has_value());
  EXPECT_THROW(static_cast<void>(sampled.curve()), Unsupported);
}

TEST(Neighbors, HaveTheNamesOfThePlanFormat) {
  EXPECT_EQ(to_string(Neighbors::add_or_remove_one), "add-or-remove-one");
  EXPECT_EQ(to_string(Neighbors::replace_one), "replace-one");
  EXPECT_EQ(to_string(Neighbors::zero_out), "zero-out");
}

}  // namespace
}  // namespace renyi::mechanism_test
