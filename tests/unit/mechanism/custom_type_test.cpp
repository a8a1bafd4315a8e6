// A mechanism type beside those of the catalogue: what it offers is found by its name (src/mechanism/model.h).
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "mechanism/model.h"
#include "renyi/extras/custom.h"
#include "renyi/extras/divergence.h"
#include "renyi/renyi.h"
#include "support/expect.h"

namespace custom_type_test {
namespace {

using namespace renyi;
using mechanism::made;
using mechanism::MechanismType;

constexpr std::array<Parameter, 1> coin_parameters{{{.name = "bias",
                                                     .meaning = "probability of the true side",
                                                     .lowest = 0.5,
                                                     .highest = 0.99,
                                                     .effect = Effect::raises_cost}}};

// Shows one of two sides, the true one with probability `bias`: by the pair of laws of what is seen.
struct Coin {
  double bias = 0.6;

  static constexpr std::string_view kind = "coin";
  static constexpr std::string_view summary = "a coin that shows the true side more often";
  static std::span<const Parameter> parameters() { return coin_parameters; }
  static constexpr auto fields = std::tuple{&Coin::bias};
  std::shared_ptr<const Curve> curve() const {
    return custom_pair("coin", DistributionPair::discrete({bias, 1 - bias}, {1 - bias, bias})).curve();
  }
  bool operator==(const Coin&) const = default;
};
static_assert(MechanismType<Coin>);

// The same, said by what it is equivalent to; with a rule for groups, a check, and a table.
struct WeightedCoin {
  double bias = 0.6;
  Rows weights{{1}, {2}};

  static constexpr std::string_view kind = "weighted-coin";
  static constexpr std::string_view summary = "a coin with a table that changes nothing";
  static std::span<const Parameter> parameters() { return coin_parameters; }
  static constexpr auto fields = std::tuple{&WeightedCoin::bias};
  static std::span<const TableParameter> tables() {
    static constexpr std::array<Parameter, 1> columns{{{.name = "weight", .meaning = "a weight", .highest = 10}}};
    static constexpr std::array<TableParameter, 1> table{{{"weights", "weights of the sides", columns}}};
    return table;
  }
  static constexpr auto table_fields = std::tuple{&WeightedCoin::weights};
  void check() const {
    if (weights.size() != 2) throw InvalidArgument("weights", std::to_string(weights.size()), "two weights");
  }
  Mechanism equivalent() const { return RandomizedResponse{bias}; }
  std::shared_ptr<const Curve> curve() const { return equivalent().curve(); }
  static constexpr std::string_view sampling_obstacle = "it is tossed once for all";
  bool operator==(const WeightedCoin&) const = default;
};
static_assert(MechanismType<WeightedCoin>);

const Plan judged = Plan().add(RandomizedResponse{0.7}, 30).add(Laplace{5}, 2);

void expect_the_costs_of_a_response(const Mechanism& own) {
  const Plan mine = Plan().add(own, 30).add(Laplace{5}, 2);
  for (const double delta : {1e-3, 1e-6}) {
    EXPECT_NEAR(renyi_epsilon(mine, delta).upper, renyi_epsilon(judged, delta).upper, 1e-9);
    const ExactInterval exact = PrivacyProfile(mine).epsilon(delta).worst,
                        truth = PrivacyProfile(judged).epsilon(delta).worst;
    EXPECT_LE(exact.lower, truth.upper);
    EXPECT_LE(truth.lower, exact.upper);
    EXPECT_LE(exact.upper - exact.lower, 1e-4);
  }
}

TEST(OwnType, IsAStepLikeAnyOther) { expect_the_costs_of_a_response(made(Coin{0.7})); }

TEST(OwnType, MaySayWhatItIsEquivalentTo) {
  expect_the_costs_of_a_response(made(WeightedCoin{0.7}));
  const auto steps = Plan().add(made(WeightedCoin{0.7})).analysed();
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].mechanism, Mechanism(RandomizedResponse{0.7}));
}

TEST(OwnType, ItsParametersAreCheckedByName) {
  EXPECT_THROW(made(Coin{0.3}), InvalidArgument);
  const Mechanism coin = made(Coin{0.7});
  EXPECT_EQ(coin.with("bias", 0.8), made(Coin{0.8}));
  try {
    const Mechanism wrong = coin.with("bias", 1.5);
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), "bias");
  }
}

TEST(OwnType, ItsTablesAreCheckedByTheirColumnsAndTogether) {
  const Mechanism coin = made(WeightedCoin{});
  EXPECT_EQ(coin.with("weights", Rows{{3}, {4}}).rows().at(0), (Rows{{3}, {4}}));
  for (const Rows& bad : {Rows{}, Rows{{1}}, Rows{{1}, {11}}, Rows{{1, 2}, {3, 4}}}) {
    try {
      const Mechanism wrong = coin.with("weights", bad);
      ADD_FAILURE() << "accepted";
    } catch (const InvalidArgument& error) {
      EXPECT_TRUE(error.path().starts_with("weights")) << error.what();
    }
  }
}

// Equal values are equal steps: they merge. Another type of the same values is another mechanism.
TEST(OwnType, ComparesByItsValues) {
  EXPECT_EQ(Plan().add(made(Coin{0.7})).add(made(Coin{0.7}), 2).merged().size(), 1U);
  EXPECT_EQ(Plan().add(made(Coin{0.7})).add(made(Coin{0.8})).merged().size(), 2U);
  EXPECT_FALSE(made(Coin{0.7}) == made(WeightedCoin{0.7}));
}

TEST(OwnType, RunsOnSamplesUnlessItSaysWhyNot) {
  const Plan sampled = Plan().add(made(Coin{0.7}).sampled_by(Sampling::poisson(0.1)), 10);
  const Plan known = Plan().add(Mechanism(RandomizedResponse{0.7}).sampled_by(Sampling::poisson(0.1)), 10);
  EXPECT_GE(renyi_epsilon(sampled, 1e-5).upper, renyi_epsilon(known, 1e-5).upper * (1 - 1e-9));
  EXPECT_LE(renyi_epsilon(sampled, 1e-5).upper, renyi_epsilon(Plan().add(made(Coin{0.7}), 10), 1e-5).upper);
  EXPECT_THROW(static_cast<void>(made(WeightedCoin{}).sampled_by(Sampling::poisson(0.1))), InvalidArgument);
}

TEST(OwnType, HasNoPlaceInAPlanFile) {
  try {
    write_plan(Plan().add(Laplace{2}).add(made(Coin{0.7})));
    FAIL() << "written";
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.path(), "steps[1]");
    EXPECT_NE(error.why().find(Coin::summary), std::string::npos) << error.what();
    EXPECT_NE(error.why().find("no JSON form"), std::string::npos) << error.what();
  }
}

// A name that the catalogue has too does not make it that mechanism.
struct FalseGaussian : Coin {
  static constexpr std::string_view kind = "gaussian";
  static constexpr auto fields = std::tuple{&FalseGaussian::bias};
  bool operator==(const FalseGaussian&) const = default;
};

TEST(OwnType, IsNotTakenForAKnownOneOfTheSameName) {
  const Mechanism mine = made(FalseGaussian{});
  EXPECT_FALSE(mine.get_if<Gaussian>().has_value());
  EXPECT_FALSE(mine.is_same_type(*find_mechanism("gaussian")));
  EXPECT_THROW(write_plan(Plan().add(mine)), Unsupported);
}

}  // namespace
}  // namespace custom_type_test
