#include "renyi/extras/select.h"

#include <gtest/gtest.h>

#include <cmath>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "mechanism/curve.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/custom.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "support/best_of_runs.h"

namespace renyi::select_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::shared_ptr<const Curve> best_of(const Mechanism& run, const Runs& runs) {
  return compose(Plan().add(Select({Step{run}}, runs)));
}

const std::vector<Runs> some_runs{Runs::geometric(10), Runs::logarithmic(0.1), Runs::negative_binomial(-0.5, 0.1),
                                  Runs::negative_binomial(2, 0.01), Runs::poisson(10)};
const std::vector<Mechanism> some_steps{
    Gaussian{5}, Gaussian{0.5}, Laplace{4}, PureDp{0.3}, SampledGaussian{0.01, 1.1}, Tcdp{0.1, 20}, Zcdp{0.05}};

// The laws of every curve, which the table of mechanisms does not run over selections.
TEST(SelectCurve, ObeysTheLawsOfCurves) {
  const std::vector<double> orders{1, 1.0001, 1.3, 2, 3, 5, 9, 20, 33, 100, 1000};
  for (const Runs& runs : some_runs) {
    for (const Mechanism& step : some_steps) {
      SCOPED_TRACE(testing::Message() << to_string(runs.law) << ' ' << step.kind());
      const auto curve = best_of(step, runs);
      const double last = curve->last_order();
      EXPECT_EQ(curve->log_moment(0, Direction::remove).value, 0);
      double before = 0;
      for (const double order : orders) {
        if (order > last) continue;
        const Bounded d = rdp(*curve, order);
        EXPECT_TRUE(std::isfinite(d.upper()));
        EXPECT_GE(d.upper(), before);
        EXPECT_GE(d.upper(), rdp(*step.curve(), order).lower());
        EXPECT_LE(d.lower(), curve->growth().xi + curve->growth().rho * order);
        EXPECT_FALSE(std::isnan(curve->log_moment(order - 1, Direction::add).curvature));
        before = d.lower();
      }
      EXPECT_GE(rdp(*curve, infinity).upper(), before);
      if (last < infinity) {
        EXPECT_TRUE(std::isinf(rdp(*curve, last + 1).lower()));
      }
    }
  }
}

// The whole bound may be taken at any order above: none of a fine grid is better by more than the search leaves.
TEST(SelectCurve, IsTheLeastBoundAtOrAboveTheOrder) {
  const double rho = 0.02, mean = 12;  // K(z) = rho z (z+1)
  const auto curve = best_of(Zcdp{rho}, Runs::geometric(mean));
  double hatted = infinity;
  for (double b = 1; b < 1e4; b *= 1.0005) hatted = std::min(hatted, (rho * (b - 1) * b + std::log(mean)) / b);
  for (const double order : {1.0, 2.0, 8.0, 15.0, 60.0}) {
    double least = infinity;
    for (double a = std::max(order, 1.0001); a < 1e5; a *= 1.0005) {
      least = std::min(least, rho * a + 2 * hatted + std::log(mean) / (a - 1));
    }
    EXPECT_NEAR(rdp(*curve, order).upper(), least, 1e-6 * least) << order;
  }
}

// Corollary 3 of Papernot, Steinke 2022: epsilon-DP runs cost (2 + eta) epsilon, however many there are.
TEST(SelectCurve, PureRunsStayPure) {
  for (const double eta : {-0.5, 0.0, 1.0, 3.0}) {
    const auto curve = best_of(PureDp{0.4}, Runs::negative_binomial(eta, 1e-12));
    EXPECT_NEAR(rdp(*curve, infinity).upper(), (2 + eta) * 0.4, 1e-12);
    EXPECT_LE(renyi_epsilon(*curve, 0).upper, (2 + eta) * 0.4 * (1 + 1e-12));
    // and below, no more than any step of that epsilon
    EXPECT_LE(rdp(*curve, 2).upper(), rdp(*Mechanism(PureDp{(2 + eta) * 0.4}).curve(), 2).upper() * (1 + 1e-12));
  }
}

TEST(SelectCurve, OneRunCostsWhatItCosts) {
  for (const Mechanism& step : some_steps) {
    const auto curve = best_of(step, Runs::geometric(1));
    for (const double order : {1.0, 2.0, 15.0}) {
      EXPECT_NEAR(rdp(*curve, order).value, rdp(*step.curve(), order).value, 1e-12 * rdp(*step.curve(), order).value);
    }
  }
}

TEST(SelectCurve, NothingStaysNothing) {
  for (const Runs& runs : some_runs) EXPECT_EQ(rdp(*best_of(PureDp{0}, runs), infinity).upper(), 0);
  EXPECT_EQ(rdp(*compose(Plan().add(Select({}, Runs::geometric(5)))), 2).upper(), 0);
}

// Infinite at every order, or above some: infinite it stays, and never becomes a number.
TEST(SelectCurve, EverythingStaysEverything) {
  const Mechanism all = custom_curve("everything", [](double) { return infinity; });
  const Mechanism above = custom_curve("above 4", [](double order) { return order > 4 ? infinity : 0.1; });
  for (const Runs& runs : some_runs) {
    for (const double order : {1.0, 1.5, 30.0, infinity}) {
      EXPECT_EQ(rdp(*best_of(all, runs), order).lower(), infinity) << to_string(runs.law) << order;
    }
    EXPECT_EQ(rdp(*best_of(above, runs), 5).lower(), infinity);
    EXPECT_TRUE(std::isfinite(rdp(*best_of(above, runs), 3).upper()));
    EXPECT_GT(renyi_epsilon(*best_of(above, runs), 1e-5).upper, 0.1);
  }
}

TEST(SelectCurve, MoreRunsCostMore) {
  for (const Mechanism& step : some_steps) {
    for (const double order : {1.5, 4.0, 15.0}) {
      for (double mean = 1; mean < 1e6; mean *= 3) {
        EXPECT_LE(rdp(*best_of(step, Runs::geometric(mean)), order).lower(),
                  rdp(*best_of(step, Runs::geometric(3 * mean)), order).upper());
      }
    }
  }
}

// Poisson: K + mean z delta(ln(1 + 1/z)) + ln(mean + exp(-mean)) with the exact delta of Gaussian noise.
// The search for the best order ended where the bound is flat, and the figure was 300 times as large.
TEST(SelectCurve, TheBestOrderIsFoundWhereTheBoundIsFlatBeyond) {
  EXPECT_LT(renyi_epsilon(*best_of(PureDp{0.1537}, Runs::poisson(9173)), 1e-3).upper, 2.3);
  EXPECT_LT(renyi_epsilon(*best_of(PureDp{0.1548}, Runs::poisson(9173)), 1e-3).upper, 2.32);
}

// K of the exponential mechanism's best run is below pure DP's at large orders only: between the two bounds a chord is
// lower than both.
TEST(SelectCurve, IsConvexWhereItsTwoBoundsCross) {
  for (const Runs& runs : some_runs) {
    const auto curve = best_of(make_mechanism("exponential", {{"epsilon", 0.025}}), runs);
    const auto k = [&](double z) { return curve->worst_log_moment(z); };
    for (double z = 1; z < 1e6; z *= 1.1) {
      const double left = k(z / 1.05).value, right = k(z * 1.05).value, share = (z - z / 1.05) / (z * 1.05 - z / 1.05);
      EXPECT_LE(k(z).value, (left + share * (right - left)) * (1 + 1e-12)) << to_string(runs.law) << ' ' << z;
    }
  }
}

TEST(SelectCurve, PoissonUsesTheExactDelta) {
  const double s = 3, mean = 5;
  const auto delta = [&](double epsilon) {
    const auto above = [](double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); };
    return above(epsilon * s - 0.5 / s) - std::exp(epsilon) * above(epsilon * s + 0.5 / s);
  };
  const auto bound = [&](double z) {
    return (z + 1) / (2 * s * s) + mean * delta(std::log1p(1 / z)) + std::log(mean + std::exp(-mean)) / z;
  };
  const auto curve = best_of(Gaussian{s}, Runs::poisson(mean));
  for (const double order : {1.2, 4.0, 20.0}) {
    double least = infinity;
    for (double z = order - 1; z < 1e3; z *= 1.001) least = std::min(least, bound(z));
    EXPECT_NEAR(rdp(*curve, order).upper(), least, 1e-6 * least) << order;
  }
}

// Where the bounds are nearly attained: a middling result that is epsilon likelier, above it results that are as much
// less likely, many runs.
TEST(SelectCurve, IsNearlyAttained) {
  const long double e = 1, r = 0.02L, p = 1e-7L, up = std::exp(e);
  const test::DiscretePair run{{1 - up * p - r, up * p, r}, {1 - p - up * r, p, up * r}};
  for (const auto& [runs, cost] : {std::pair{Runs::geometric(2e3), 3.0L}, {Runs::logarithmic(5e-4), 2.0L}}) {
    const long double found = test::direct_max_loss(test::best_of(run, runs));
    EXPECT_GT(found, 0.96L * cost * e) << to_string(runs.law);
    EXPECT_GE(rdp(*best_of(PureDp{1}, runs), infinity).upper(), static_cast<double>(found));
    EXPECT_LE(rdp(*best_of(PureDp{1}, runs), infinity).upper(), static_cast<double>(cost * e) * (1 + 1e-12));
  }
}

TEST(SelectCurve, HasNoComplexPoints) {
  EXPECT_THROW(best_of(Gaussian{2}, Runs::geometric(3))->log_moment(std::complex<double>(1, 1), Direction::add),
               Unsupported);
}

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
    static_cast<void>(select.sampled_by(Sampling::poisson(0.1)));
    ADD_FAILURE() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(error.allowed().find("sample the steps of its runs"), std::string::npos);
  }
  EXPECT_THROW(static_cast<void>(select.curve()), Unsupported);
  EXPECT_THROW(PrivacyProfile(Plan().add(select)), Unsupported);
}

// A step that reveals everything with probability 1e-6, and is 0.5-DP otherwise.
class Leaky final : public mechanism::SymmetricCurve {
 public:
  explicit Leaky(double other_way) : other_way_(other_way) {}
  double last_order() const override { return 1; }
  Bounded infinite_mass(Direction direction) const override {
    return {direction == Direction::remove ? 1e-6 : other_way_, 0};
  }
  std::shared_ptr<const Curve> finite_part() const override { return Mechanism(PureDp{0.5}).curve(); }

 private:
  LogMoment at(double) const override { return {.slope = infinity}; }
  ComplexLogMoment at(std::complex<double>) const override { return {}; }
  Bounded supremum() const override { return {infinity, 0}; }
  double other_way_;
};

Mechanism leaky(double other_way = 1e-6) { return CustomMechanism("leaky", std::make_shared<Leaky>(other_way)); }

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
    // Only the curve of the finite part is known, so that for Poisson runs the delta of one run is its Renyi bound.
    const double known = rdp(*analysed(same, {}).curve(), 3).value, loosest = runs.law == RunsLaw::poisson ? 1.2 : 1;
    EXPECT_GE(rdp(*finite, 3).upper(), known * (1 - 1e-12));
    EXPECT_LE(rdp(*finite, 3).value, loosest * known * (1 + 1e-12));
    EXPECT_TRUE(std::isinf(rdp(*curve, 1.5).upper()));
  }
}

// Only a bound is known for private selection: there is no exact value, even if the runs have no privacy.
TEST(AnalyseSelect, HasNoExactFigures) {
  const Mechanism open = make_mechanism("non-private");
  const Mechanism leak = make_mechanism("approx-dp", {{"epsilon", 0}, {"delta", 1e-3}});
  for (const Mechanism& run : {open, leak, Mechanism(Gaussian{8})}) {
    const Plan plan = Plan().add(Select({Step{run}}, Runs::poisson(0.9)));
    EXPECT_THROW(PrivacyProfile{plan}, Unsupported) << run.kind();
  }
  const Plan leaking = Plan().add(Select({Step{leak}}, Runs::geometric(500)));
  EXPECT_GE(renyi_delta(leaking, 0.1).upper, 1.0 / 3);  // 1 - f(1-d) = 500 d/(1 + 499 d)
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
}  // namespace renyi::select_test
