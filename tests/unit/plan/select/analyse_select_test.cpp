#include "plan/select/analyse_select.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/symmetric_curve.h"
#include "renyi/account.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/own.h"
#include "renyi/plan_json.h"
#include "support/best_of_runs.h"

namespace renyi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double rdp_of(const Plan& plan, double order) { return rdp(*compose(plan), order).upper(); }

// All steps of a run belong to one run; the selection itself may run several times.
TEST(AnalyseSelect, ARunIsAPlan) {
  const Runs runs = Runs::geometric(10);
  const Steps two{Step{Mechanism(Gaussian{8}), 3}, Step{Steps{Step{Mechanism(Gaussian{8})}}}};
  const double whole = rdp_of(Plan().add(Select(two, runs)), 4);
  EXPECT_NEAR(whole, rdp_of(Plan().add(Select({Step{Mechanism(Gaussian{4})}}, runs)), 4), 1e-12);
  EXPECT_NEAR(rdp_of(Plan().add(Select(two, runs), 7), 4), 7 * whole, 1e-12);
  EXPECT_NEAR(rdp_of(Plan().add(Select(two, runs)).add(Gaussian{2}), 4), whole + 0.5, 1e-12);
}

// The run is analysed under the plan's relation, and for as many records as the unit says.
TEST(AnalyseSelect, FollowsTheRelationAndTheUnit) {
  const Steps run{Step{Mechanism(Gaussian{8})}};
  const double two = rdp_of(Plan(Neighbors::replace_one, 2).add(Select(run, Runs::geometric(10))), 4);
  EXPECT_NEAR(two, rdp_of(Plan().add(Select({Step{Mechanism(Gaussian{4})}}, Runs::geometric(10))), 4), 1e-12);
  const Steps refused{Step{Mechanism(Laplace{1}).sampled_by(Sampling::shuffled(5))}};
  EXPECT_THROW(Plan().add(Select(refused, Runs::geometric(10))), Unsupported);
}

TEST(AnalyseSelect, SelectionsOfSelections) {
  const Select inner({Step{Mechanism(PureDp{0.1})}}, Runs::geometric(100));
  const Select outer({Step{Mechanism(inner)}}, Runs::logarithmic(0.01));
  EXPECT_NEAR(rdp_of(Plan().add(outer), infinity), 2 * 3 * 0.1, 1e-12);
}

TEST(AnalyseSelect, IsNotSampledAsAWhole) {
  const Mechanism select = Select({Step{Mechanism(Gaussian{8})}}, Runs::geometric(10));
  try {
    select.sampled_by(Sampling::poisson(0.1));
    ADD_FAILURE() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(error.allowed().find("sample the steps of its runs"), std::string::npos);
  }
  EXPECT_THROW(select.curve(), Unsupported);
  EXPECT_THROW(ExactAccountant(Plan().add(select)), Unsupported);
}

// A step that reveals everything with probability 1e-6, and is 0.5-DP otherwise.
class Leaky final : public mechanism::SymmetricCurve {
 public:
  explicit Leaky(double other_way) : other_way_(other_way) {}
  double last_order() const override { return 1; }
  Bounded infinite_mass(Direction direction) const override {
    return {direction == Direction::remove ? 1e-6 : other_way_, 0};
  }
  std::shared_ptr<const Curve> finite_part() const override { return PureDp{0.5}.curve(); }

 private:
  LogMoment at(double) const override { return {.slope = infinity}; }
  ComplexLogMoment at(std::complex<double>) const override { return {}; }
  Bounded supremum() const override { return {infinity, 0}; }
  double other_way_;
};

Mechanism leaky(double other_way = 1e-6) { return Own("leaky", std::make_shared<Leaky>(other_way)); }

// A known mistake: delta charged once, however many runs there are. With K runs one of them leaks with probability
// 1 - E[(1 - delta)^K], nearly E[K] delta.
TEST(AnalyseSelect, DeltaIsChargedForEveryRun) {
  for (const Runs& runs :
       {Runs::geometric(50), Runs::logarithmic(0.01), Runs::negative_binomial(3, 0.1), Runs::poisson(20)}) {
    const auto curve = analysed(Select({Step{leaky(), 2}}, runs), {}).curve();
    const auto law = test::law_of_runs(runs);
    long double leaks = 0;
    for (std::size_t k = 0; k < law.size(); ++k) {
      leaks -= law[k] * std::expm1(2 * static_cast<long double>(k) * std::log1p(-1e-6L));
    }
    EXPECT_GE(curve->infinite_mass(Direction::remove).upper(), static_cast<double>(leaks));
    EXPECT_LE(curve->infinite_mass(Direction::add).upper(), static_cast<double>(leaks) * 1.01);
    EXPECT_GT(static_cast<double>(leaks), 3 * 2e-6);  // once would be 2e-6
    const auto finite = curve->finite_part();
    ASSERT_NE(finite, nullptr);
    const Select same({Step{Mechanism(PureDp{0.5}), 2}}, runs);
    // Of the finite part only the curve is known, so that for Poisson runs the delta of one is its Renyi bound.
    const double known = rdp(*analysed(same, {}).curve(), 3).value, loosest = runs.law == RunsLaw::poisson ? 1.2 : 1;
    EXPECT_GE(rdp(*finite, 3).upper(), known * (1 - 1e-12));
    EXPECT_LE(rdp(*finite, 3).value, loosest * known * (1 + 1e-12));
    EXPECT_TRUE(std::isinf(rdp(*curve, 1.5).upper()));
  }
}

// What is known of the best of several runs is a bound: no exact figure, however the runs lose everything.
TEST(AnalyseSelect, HasNoExactFigures) {
  const Mechanism open = make_mechanism("non-private");
  const Mechanism leak = make_mechanism("approx-dp", {{"epsilon", 0}, {"delta", 1e-3}});
  for (const Mechanism& run : {open, leak, Mechanism(Gaussian{8})}) {
    const Plan plan = Plan().add(Select({Step{run}}, Runs::poisson(0.9)));
    EXPECT_THROW(ExactAccountant{plan}, Unsupported) << run.kind();
  }
  const Plan leaking = Plan().add(Select({Step{leak}}, Runs::geometric(500)));
  EXPECT_GE(renyi_delta(leaking, 0.1).delta, 1.0 / 3);  // 1 - f(1-d) = 500 d/(1 + 499 d)
}

TEST(AnalyseSelect, DepthIsLimited) {
  Steps steps{Step{Mechanism(Gaussian{8})}};
  for (int i = 0; i < deepest_selection; ++i) steps = {Step{Mechanism(Select(steps, Runs::geometric(2)))}};
  EXPECT_THROW(Select(steps, Runs::geometric(2)), InvalidArgument);
  EXPECT_THROW(Select({Step{Mechanism(Parallel({steps}))}}, Runs::geometric(2)), InvalidArgument);
}

TEST(AnalyseSelect, DeltasOfOneDirectionOnlyAreRefused) {
  EXPECT_THROW(analysed(Select({Step{leaky(0)}}, Runs::geometric(2)), {}), Unsupported);
}

TEST(AnalyseSelect, IsEqualByContent) {
  const auto make = [](double epsilon, double mean, std::int64_t count) {
    return Select({Step{Steps{Step{Mechanism(PureDp{epsilon}), count}}}}, Runs::geometric(mean));
  };
  EXPECT_EQ(make(1, 10, 2), make(1, 10, 2));
  EXPECT_FALSE(make(1, 10, 2) == make(1, 11, 2));
  EXPECT_FALSE(make(1, 10, 2) == make(1, 10, 3));
  EXPECT_FALSE(make(1, 10, 2) == make(2, 10, 2));
}

}  // namespace
}  // namespace renyi
