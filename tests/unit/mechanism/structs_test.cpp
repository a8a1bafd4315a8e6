// The structs of renyi/mechanisms.h and the catalogue they were written from: every row has one, it becomes the
// mechanism of the row, and it is read back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include "renyi/extras/select.h"
#include "renyi/renyi.h"

namespace structs_test {
namespace {

using namespace renyi;

// The law for a value of every struct, beside the row of its kind.
template <class Law>
void for_every_struct(const Law& law) {
  std::size_t row = 0;
  std::apply([&](const auto&... one) { (law(one, all_mechanisms()[row++]), ...); }, MechanismStructs{});
}

std::string refused(const auto& wrong) {
  try {
    const Mechanism accepted = wrong;
    return "accepted";
  } catch (const InvalidArgument& error) {
    return error.path();
  }
}

TEST(Structs, EveryRowHasOne) {
  ASSERT_EQ(std::tuple_size_v<MechanismStructs>, all_mechanisms().size()) << "`make docs` writes renyi/mechanisms.h";
  for_every_struct([](const auto& one, const Mechanism& row) {
    EXPECT_EQ(one.kind, row.kind());
    EXPECT_EQ(std::tuple_size_v<decltype(one.numbers)>, row.parameters().size()) << row.kind();
    EXPECT_EQ(std::tuple_size_v<decltype(one.tables)>, row.tables().size()) << row.kind();
  });
}

TEST(Structs, AreReadBackAsTheyWere) {
  for_every_struct([]<class M>(const M&, const Mechanism& row) {
    const std::optional<M> read = row.get_if<M>();
    ASSERT_TRUE(read.has_value()) << row.kind();
    EXPECT_EQ(Mechanism(*read), row) << row.kind();
    EXPECT_TRUE(Mechanism(*read).is_same_type(row)) << row.kind();
    EXPECT_EQ(Mechanism(*read).get_if<M>(), read) << row.kind();
    EXPECT_EQ(Mechanism(*read).curve()->knowledge(), row.curve()->knowledge()) << row.kind();
  });
}

// No number and no table of an example is taken for the user's.
TEST(Structs, RefuseWhatHasNoDefaultUntilItIsSet) {
  for_every_struct([]<class M>(const M& one, const Mechanism& row) {
    if (one.kind == Rdp::kind) return;  // its two numbers and its table stand for one another
    const auto parameters = row.parameters();
    const auto first =
        std::find_if(parameters.begin(), parameters.end(), [](const Parameter& p) { return !p.fallback; });
    if (first != parameters.end()) {
      EXPECT_EQ(refused(one), first->name) << row.kind();
    } else if (row.tables().empty()) {
      EXPECT_EQ(Mechanism(one), row) << row.kind();
    } else {
      EXPECT_EQ(refused(one), row.tables().front().name) << row.kind();
    }
  });
  EXPECT_EQ(refused(SampledGaussian{.noise_multiplier = 1.1}), "sampling_rate");
  EXPECT_EQ(refused(Rdp{}), "order");
  const Mechanism points = Rdp{.points = {{2, 0.5}, {8, 1}}};
  EXPECT_EQ(points, make_mechanism("rdp", {}, {{"points", {{2, 0.5}, {8, 1}}}}));
}

TEST(Structs, AreNoOtherOne) {
  for_every_struct([]<class M>(const M&, const Mechanism& row) {
    for (const Mechanism& other : all_mechanisms()) {
      EXPECT_EQ(other.get_if<M>().has_value(), other.kind() == row.kind()) << other.kind() << " as " << row.kind();
    }
  });
  EXPECT_EQ(Mechanism(Gaussian{2}).get_if<Parallel>(), nullptr);
  EXPECT_FALSE(Mechanism(Parallel({})).get_if<Gaussian>().has_value());
  EXPECT_EQ(Mechanism(Parallel({})).get_if<Select>(), nullptr);
}

TEST(Structs, AreNotReadOffASample) {
  const Mechanism sampled = Mechanism(Laplace{2}).sampled_by(Sampling::poisson(0.5));
  EXPECT_FALSE(sampled.get_if<Laplace>().has_value());
  EXPECT_EQ(sampled.unsampled().get_if<Laplace>(), Laplace{2});
}

// Each number by itself, out of range: the error has its name.
TEST(Structs, WrongNumbersAreRefusedByName) {
  for_every_struct([]<class M>(const M&, const Mechanism& row) {
    const auto right = row.get_if<M>();
    ASSERT_TRUE(right.has_value());
    std::size_t i = 0;
    const auto expect_refused = [&](auto member) {
      const Parameter& parameter = row.parameters()[i++];
      for (const double value : {-1.0, std::nan(""), -std::numeric_limits<double>::infinity()}) {
        M wrong = *right;
        wrong.*member = value;
        EXPECT_EQ(refused(wrong), parameter.name) << row.kind();
      }
    };
    std::apply([&](auto... member) { (expect_refused(member), ...); }, M::numbers);
  });
}

TEST(Structs, WrongTablesAreRefusedByTheirPlace) {
  EXPECT_EQ(refused(Pairs{.probabilities = {{0.5, 0.5}, {0.5, 2}}}), "probabilities[1][1]");
  EXPECT_EQ(refused(Pairs{.probabilities = {{0.5, 0.5}, {0.5}}}), "probabilities[1]");
  EXPECT_EQ(refused(ToeplitzMatrix{.noise_multiplier = 1, .rounds = 10, .coefficients = {{1}, {1e30}}}),
            "coefficients[1]");
  EXPECT_EQ(refused(Matrix{.noise_multiplier = 1}), "matrix");
}

TEST(Structs, GoIntoPlansAsTheyAre) {
  const Plan plan = Plan().add(TreeAggregation{.noise_multiplier = 2, .rounds = 64}).add(NoOp{}, 3).add(Gdp{0.5});
  EXPECT_EQ(std::get<Mechanism>(plan.steps()[0].what),
            make_mechanism("tree-aggregation", {{"noise_multiplier", 2}, {"rounds", 64}}));
  EXPECT_EQ(std::get<Mechanism>(plan.steps()[2].what), make_mechanism("gdp", {{"mu", 0.5}}));
}

}  // namespace
}  // namespace structs_test
