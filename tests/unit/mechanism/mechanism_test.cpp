#include "renyi/mechanism.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "renyi/error.h"

namespace renyi {
namespace {

using ::testing::HasSubstr;

TEST(Mechanism, HoldsItsValue) {
  const Mechanism m = SampledGaussian{0.25, 3};
  EXPECT_EQ(m.kind(), "sampled-gaussian");
  ASSERT_NE(m.get_if<SampledGaussian>(), nullptr);
  EXPECT_EQ(m.get_if<SampledGaussian>()->noise_multiplier, 3);
  EXPECT_EQ(m.get_if<Gaussian>(), nullptr);
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

TEST(Mechanism, SampledGaussianSaysWhyItRefusesReplaceOne) {
  const Mechanism m = SampledGaussian{};
  EXPECT_NO_THROW(m.check_neighbors(Neighbors::add_or_remove_one));
  EXPECT_NO_THROW(m.check_neighbors(Neighbors::zero_out));
  try {
    m.check_neighbors(Neighbors::replace_one);
    FAIL() << "accepted";
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.path(), "neighbors");
    EXPECT_THAT(error.what(), HasSubstr("replace-one"));
    EXPECT_THAT(error.what(), HasSubstr("add-or-remove-one"));
  }
}

TEST(Mechanism, TheOthersTakeEveryRelation) {
  for (const Mechanism& m : all_mechanisms()) {
    if (m.kind() == "sampled-gaussian") continue;
    for (const Neighbors n : {Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out}) {
      EXPECT_NO_THROW(m.check_neighbors(n)) << m.kind();
    }
  }
}

TEST(Neighbors, HaveTheNamesOfThePlanFormat) {
  EXPECT_EQ(to_string(Neighbors::add_or_remove_one), "add-or-remove-one");
  EXPECT_EQ(to_string(Neighbors::replace_one), "replace-one");
  EXPECT_EQ(to_string(Neighbors::zero_out), "zero-out");
}

}  // namespace
}  // namespace renyi
