#include "renyi/accountant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "mechanism/model.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"
#include "renyi/plan.h"
#include "support/account_parts.h"

namespace renyi::accountant_accountant_test {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

void expect_same(const ExactInterval& a, const ExactInterval& b) {
  EXPECT_EQ(a.lower, b.lower);
  EXPECT_EQ(a.upper, b.upper);
  EXPECT_EQ(a.engine, b.engine);
  EXPECT_EQ(a.limited, b.limited);
}

// Every answer, to the last bit.
void expect_same_answers(const Accountant& a, const Plan& plan) {
  for (const double delta : {1e-10, 1e-5, 0.1}) {
    const RenyiBound mine = renyi_epsilon(a, delta), direct = renyi_epsilon(plan, delta);
    EXPECT_EQ(mine.upper, direct.upper);
    EXPECT_EQ(mine.order, direct.order);
    const ExactAnswer exact = exact_epsilon(a, delta), fresh = PrivacyProfile(plan).epsilon(delta);
    expect_same(exact.worst, fresh.worst);
    expect_same(exact.remove, fresh.remove);
    expect_same(exact.add, fresh.add);
  }
  for (const double epsilon : {0.0, 0.5, 1.0}) {
    EXPECT_EQ(renyi_delta(a, epsilon).upper, renyi_delta(plan, epsilon).upper);
    expect_same(exact_delta(a, epsilon).worst, PrivacyProfile(plan).delta(epsilon).worst);
  }
}

TEST(Accountant, WithoutStepsCostsNothing) {
  const Accountant empty;
  EXPECT_EQ(empty.steps(), 0);
  EXPECT_TRUE(empty.plan().steps().empty());
  EXPECT_EQ(renyi_epsilon(empty, 1e-5).upper, 0);
  EXPECT_EQ(renyi_epsilon(empty, 0).upper, 0);
  EXPECT_EQ(renyi_delta(empty, 0).upper, 0);
  EXPECT_EQ(exact_epsilon(empty, 1e-5).worst.upper, 0);
  EXPECT_EQ(exact_delta(empty, 0).worst.upper, 0);
  EXPECT_EQ(Accountant(Plan(Neighbors::zero_out)).neighbors(), Neighbors::zero_out);
}

TEST(Accountant, AStepThatRevealsNothingCostsNothing) {
  Accountant account;
  account.step(SampledGaussian{0, 1}, 1000);
  EXPECT_EQ(account.steps(), 1000);
  EXPECT_EQ(renyi_epsilon(account, 1e-5).upper, 0);
  EXPECT_EQ(exact_epsilon(account, 1e-5).worst.upper, 0);
}

TEST(Accountant, AnswersAsThePlanDoes) {
  Accountant account;
  for (int i = 0; i < 50; ++i) account.step(SampledGaussian{0.01, i % 2 == 0 ? 1.1 : 0.9}, 40);
  account.step(Laplace{20}, 3);
  const Plan plan =
      Plan().add(SampledGaussian{0.01, 1.1}, 1000).add(SampledGaussian{0.01, 0.9}, 1000).add(Laplace{20}, 3);
  EXPECT_EQ(account.steps(), 2003);
  EXPECT_EQ(write_plan(account.plan()), write_plan(plan));
  expect_same_answers(account, plan);
  expect_same_answers(account, account.plan());
}

TEST(Accountant, ManyStepsAreOneStepOfThatCount) {
  Accountant one_by_one, at_once;
  for (int i = 0; i < 777; ++i) one_by_one.step(SampledGaussian{0.02, 1.3});
  at_once.step(SampledGaussian{0.02, 1.3}, 777);
  EXPECT_EQ(renyi_epsilon(one_by_one, 1e-6).upper, renyi_epsilon(at_once, 1e-6).upper);
  EXPECT_EQ(exact_epsilon(one_by_one, 1e-6).worst.upper, exact_epsilon(at_once, 1e-6).worst.upper);
}

TEST(Accountant, QuestionsBetweenStepsChangeNothing) {
  Accountant asked, silent;
  for (int i = 0; i < 20; ++i) {
    const SampledGaussian step{0.01, 0.8 + 0.1 * (i % 7)};
    asked.step(step, 100);
    silent.step(step, 100);
    EXPECT_GT(renyi_epsilon(asked, 1e-5).upper, 0);
    if (i % 9 == 8) {
      EXPECT_GT(exact_delta(asked, 0.1).worst.upper, 0);
    }
  }
  EXPECT_EQ(renyi_epsilon(asked, 1e-5).upper, renyi_epsilon(silent, 1e-5).upper);
  expect_same(exact_delta(asked, 0.2).worst, exact_delta(silent, 0.2).worst);
}

TEST(Accountant, PlansAreSteps) {
  const Plan epoch =
      Plan().add(SampledGaussian{0.1, 1}, 10).add(Steps{{Gaussian{5}, 2}, {SampledGaussian{0.1, 1}, 1}}, 3);
  Accountant account(Plan().add(Gaussian{5}));
  account.step(epoch, 4);
  EXPECT_EQ(account.steps(), 1 + 4 * (10 + 6 + 3));
  EXPECT_EQ(write_plan(account.plan()), write_plan(Plan().add(Gaussian{5}, 25).add(SampledGaussian{0.1, 1}, 52)));
  account.step(Plan());
  EXPECT_EQ(account.steps(), 77);
}

TEST(Accountant, RefusesWhatAPlanRefusesAndStaysAsItWas) {
  Accountant account(Neighbors::replace_one);
  account.step(Gaussian{2}, 5);
  const double before = renyi_epsilon(account, 1e-5).upper;
  EXPECT_THROW(account.step(Parallel({{Step{Gaussian{2}}}})), Unsupported);
  EXPECT_THROW(account.step(Gaussian{2}, 0), InvalidArgument);
  EXPECT_THROW(account.step(Gaussian{2}, -3), InvalidArgument);
  EXPECT_THROW(account.step(Plan(), 1), InvalidArgument);  // another relation
  EXPECT_THROW(account.step(Plan(Neighbors::replace_one), 0), InvalidArgument);
  EXPECT_THROW(account.step(Gaussian{2}, largest), InvalidArgument);
  EXPECT_THROW(account.step(Laplace{1}, largest - 4), InvalidArgument);
  EXPECT_THROW(account.step(Plan(Neighbors::replace_one).add(Laplace{1}, 2).add(Gaussian{2}, largest), 1),
               InvalidArgument);
  EXPECT_THROW(account.step(Plan(Neighbors::replace_one).add(Laplace{1}, largest / 2), 3), InvalidArgument);
  EXPECT_EQ(account.steps(), 5);
  EXPECT_EQ(account.plan().steps().size(), 1);
  EXPECT_EQ(renyi_epsilon(account, 1e-5).upper, before);
  account.step(Gaussian{2}, largest - 5);
  EXPECT_EQ(account.steps(), largest);
}

// A mechanism that can be looked up only so many times: memory may run out at any of them.
struct Elusive {
  double stddev = 1;

  static inline int left = std::numeric_limits<int>::max();
  static constexpr std::string_view kind = "elusive";
  static constexpr std::string_view summary = "a Gaussian step that is not always found";
  static std::span<const Parameter> parameters() { return find_mechanism(Gaussian::kind)->parameters().first(1); }
  static constexpr auto fields = std::tuple{&Elusive::stddev};
  static const void* identity() { return left-- > 0 ? nullptr : throw std::bad_alloc(); }
  std::shared_ptr<const Curve> curve() const { return Mechanism(Gaussian{stddev}).curve(); }
  bool operator==(const Elusive&) const = default;
};

TEST(Accountant, AStepThatFailsAnywhereChangesNothing) {
  Accountant account(Plan().add(mechanism::made(Elusive{1}), 2).add(mechanism::made(Elusive{2}), 3));
  const Plan more = Plan()
                        .add(mechanism::made(Elusive{1}), 10)
                        .add(mechanism::made(Elusive{3}), 10)
                        .add(mechanism::made(Elusive{2}), 10);
  int failures = 0;
  for (bool added = false; !added; ++failures) {
    Elusive::left = failures;
    try {
      account.step(more);
      added = true;
    } catch (const std::bad_alloc&) {
      Elusive::left = std::numeric_limits<int>::max();
      EXPECT_EQ(account.steps(), 5);
      const Steps steps = account.plan().steps();
      ASSERT_EQ(steps.size(), 2U) << failures;
      EXPECT_EQ(steps[0].count, 2) << failures;
      EXPECT_EQ(steps[1].count, 3) << failures;
    }
  }
  Elusive::left = std::numeric_limits<int>::max();
  EXPECT_GT(failures, 6) << "it was asked for at every lookup";
  EXPECT_EQ(account.steps(), 35);
  EXPECT_EQ(account.plan().steps()[0].count, 12);
  EXPECT_EQ(account.plan().steps()[1].count, 13);
}

TEST(Accountant, RefusesBadOptionsAtOnce) {
  EXPECT_THROW(Accountant(Neighbors::zero_out, {.tolerance = 0}), InvalidArgument);
  EXPECT_THROW(Accountant(Plan(), {.tolerance = -1}), InvalidArgument);
}

TEST(Accountant, KeepsItsOptions) {
  Accountant account(Neighbors::add_or_remove_one, {.engine = Engine::lattice});
  account.step(Laplace{2}, 2);
  EXPECT_EQ(exact_epsilon(account, 1e-3).worst.engine, Engine::lattice);
  EXPECT_EQ(exact_epsilon(Accountant(account), 1e-3).worst.engine, Engine::lattice);
}

TEST(Accountant, CopiesGoTheirOwnWays) {
  Accountant account;
  account.step(Gaussian{3}, 4);
  EXPECT_GT(renyi_epsilon(account, 1e-5).upper, 0);
  Accountant copy = account;
  copy.step(Gaussian{3});
  copy.step(Laplace{9});
  EXPECT_EQ(account.steps(), 4);
  EXPECT_EQ(copy.steps(), 6);
  EXPECT_EQ(account.plan().steps().size(), 1);
  EXPECT_LT(renyi_epsilon(account, 1e-5).upper, renyi_epsilon(copy, 1e-5).upper);
  account = copy;
  EXPECT_EQ(renyi_epsilon(account, 1e-5).upper, renyi_epsilon(copy, 1e-5).upper);
  Accountant& same = account;
  account = same;
  EXPECT_EQ(account.steps(), 6);
}

TEST(Accountant, MoreNoiseNeverCostsMore) {
  double last = std::numeric_limits<double>::infinity();
  for (const double sigma : {0.6, 0.8, 1.0, 1.5, 3.0}) {
    Accountant account;
    for (int i = 0; i < 10; ++i) account.step(SampledGaussian{0.05, sigma + 0.01 * i}, 50);
    const ExactInterval figure = exact_epsilon(account, 1e-5).worst;
    EXPECT_LT(figure.lower, last);
    last = figure.upper;
  }
}

TEST(Accountant, HoldsMechanismsOfOnesOwn) {
  const Mechanism a = custom_curve("a", [](double order) { return 0.01 * order; });
  const Mechanism b = custom_curve("b", [](double order) { return 0.01 * order; });
  Accountant account;
  for (int i = 0; i < 10; ++i) account.step(i < 7 ? a : b);
  ASSERT_EQ(account.plan().merged().size(), 2);
  EXPECT_EQ(account.plan().merged()[0].count, 7);
  EXPECT_EQ(renyi_epsilon(account, 1e-5).upper, renyi_epsilon(Plan().add(a, 7).add(b, 3), 1e-5).upper);
  EXPECT_THROW(exact_epsilon(account, 1e-5), Unsupported);
  EXPECT_THROW(write_plan(account.plan()), Unsupported);
}

struct Counting {
  int* made = nullptr;

  static constexpr std::string_view kind = "counting";
  static constexpr std::string_view summary = "counts the curves it makes";
  static std::span<const Parameter> parameters() { return {}; }
  static constexpr auto fields = std::tuple<>{};
  std::shared_ptr<const Curve> curve() const { return ++*made, Mechanism(Gaussian{2}).curve(); }
  bool operator==(const Counting&) const = default;
};

TEST(Accountant, MakesEachCurveOnce) {
  int made = 0;
  Accountant account;
  account.step(mechanism::made(Counting{&made}));
  for (int i = 0; i < 5; ++i) {
    account.step(Gaussian{3.0 + i});
    account.step(mechanism::made(Counting{&made}));
    EXPECT_GT(renyi_epsilon(account, 1e-5).upper, 0);
    EXPECT_GT(renyi_delta(account, 1).upper, 0);
  }
  EXPECT_EQ(made, 1);
  EXPECT_EQ(account.plan().merged()[0].count, 6);
}

TEST(Accountant, AHundredThousandDistinctSteps) {
  Accountant account;
  for (int i = 0; i < 100'000; ++i) account.step(Gaussian{100 + 1e-3 * i});
  for (int i = 0; i < 100'000; ++i) account.step(Gaussian{100 + 1e-3 * i});
  EXPECT_EQ(account.steps(), 200'000);
  EXPECT_EQ(account.plan().steps().size(), 100'000);
  const double epsilon = renyi_epsilon(account, 1e-5).upper;
  EXPECT_GT(epsilon, 1);
  EXPECT_EQ(epsilon, renyi_epsilon(account, 1e-5).upper);
}

TEST(Accountant, ThreadsMayAskAtOnce) {
  Accountant account;
  for (int i = 0; i < 30; ++i) account.step(SampledGaussian{0.01, 1 + 0.05 * i}, 10);
  const Accountant& shared = account;
  std::vector<double> answers(4);
  std::vector<std::thread> threads;
  for (double& answer : answers) threads.emplace_back([&] { answer = renyi_epsilon(shared, 1e-5).upper; });
  for (std::thread& thread : threads) thread.join();
  for (const double answer : answers) EXPECT_EQ(answer, renyi_epsilon(account, 1e-5).upper);
}

}  // namespace
}  // namespace renyi::accountant_accountant_test
