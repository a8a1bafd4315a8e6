#include "renyi/individual_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "renyi/error.h"
#include "renyi/renyi.h"

namespace renyi::individual_filter_test {
namespace {

using Mask = std::vector<std::uint8_t>;

Budget curve() { return Budget::curve({{1.5, 0.5}, {4, 1.5}, {16, 8}}); }
Budget shares() { return Budget::shares(4, {{4, 1e-5}, {8, 1e-5}, {32, 1e-5}}); }

Mask charged(IndividualFilter& accounts, const IndividualStep& step, const std::vector<double>& norms) {
  Mask mask(norms.size());
  accounts.charge(step, norms, mask);
  return mask;
}

Mask charged(IndividualFilter& accounts, const IndividualStep& step, const std::vector<std::uint64_t>& drawn,
             const std::vector<double>& norms) {
  Mask mask(norms.size());
  accounts.charge(step, drawn, norms, mask);
  return mask;
}

Mask active(const IndividualFilter& accounts) {
  Mask mask(accounts.records());
  accounts.active(mask);
  return mask;
}

TEST(IndividualFilter, ExactSumsFillTheBudgetExactly) {
  IndividualFilter accounts(3, Budget::order(2, 10));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(charged(accounts, {.noise_multiplier = 1}, {1, 0.5, 0}), (Mask{1, 1, 1}));
  EXPECT_EQ(accounts.spent()[0], 10);
  EXPECT_EQ(accounts.spent()[1], 2.5);
  EXPECT_EQ(accounts.spent()[2], 0);
  EXPECT_EQ(active(accounts), (Mask{0, 1, 1}));
  EXPECT_EQ(charged(accounts, {.noise_multiplier = 1}, {1e-30, 1, 1}), (Mask{0, 1, 1}));
  EXPECT_EQ(charged(accounts, {.noise_multiplier = 1}, {0, 1, 1}), (Mask{1, 1, 1}));
  EXPECT_EQ(accounts.spent()[0], 10);
  EXPECT_EQ(accounts.steps(), 12U);

  IndividualFilter zcdp(1, Budget::zcdp(1)), gdp(1, Budget::gdp(2));
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(charged(zcdp, {.noise_multiplier = 4, .sampling_rate = 0.1, .clip = 0.5}, {0.5}), Mask{1});
    EXPECT_EQ(charged(gdp, {.noise_multiplier = 2, .clip = 8}, {8}), Mask{1});
  }
  EXPECT_EQ(zcdp.spent()[0], 0.25);
  EXPECT_EQ(gdp.spent()[0], 2);
  EXPECT_NEAR(gdp.balances(0)[0].spent, std::sqrt(2), 1e-15);
  EXPECT_EQ(gdp.guarantee(), guarantee(Budget::gdp(2)));
}

// Every record beside an ordinary filter that is charged with the mechanism of the record's own norm.
TEST(IndividualFilter, AgreesWithAFilterForEachRecord) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform;
  for (const Budget& budget : {Budget::zcdp(0.4), Budget::gdp(0.9), Budget::order(8, 2), curve(), shares()}) {
    for (const double rate : {1.0, 0.3}) {
      const bool has_table = rate != 1 && budget.kind != BudgetKind::zcdp && budget.kind != BudgetKind::gdp;
      constexpr std::size_t records = 3;
      IndividualFilter accounts(records, budget);
      std::vector<Filter> filters(records, Filter(budget));
      int refused = 0;
      for (int t = 0; t < 25; ++t) {
        const IndividualStep step{.noise_multiplier = rate == 1 ? 2.0 : 0.9, .sampling_rate = rate, .clip = 0.5};
        std::vector<double> norms;
        // Powers of two: their quotients are exact, and so is the table.
        for (std::size_t i = 0; i < records; ++i) norms.push_back(0.5 * std::exp2(-std::floor(3 * uniform(random))));
        const Mask mask = charged(accounts, step, norms);
        for (std::size_t i = 0; i < records; ++i) {
          const double noise = step.noise_multiplier * step.clip / norms[i];
          const Mechanism own =
              rate == 1 ? Mechanism(Gaussian{.stddev = noise}) : Mechanism(SampledGaussian{rate, noise});
          const FilterVerdict verdict = filters[i].charge(own);
          EXPECT_EQ(mask[i] != 0, verdict.runs) << to_string(budget.kind) << " " << verdict.reason;
          refused += static_cast<int>(!verdict.runs);
          const auto own_balances = accounts.balances(i), balances = filters[i].remaining();
          for (std::size_t k = 0; k < balances.size(); ++k) {
            EXPECT_NEAR(own_balances[k].spent, balances[k].spent, 1e-9 * balances[k].spent);
          }
        }
      }
      EXPECT_GT(refused, 5) << to_string(budget.kind) << has_table;
    }
  }
}

// Many orders are charged by vectors, one order without: the balances are the same to the last bit.
TEST(IndividualFilter, OrdersTogetherAreChargedAsEachAlone) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform;
  constexpr std::size_t records = 50;
  std::vector<OrderLimit> limits;
  for (int k = 0; k < 11; ++k) limits.push_back({1.5 + k, 40 * (1.5 + k)});
  IndividualFilter together(records, Budget::curve(limits));
  std::vector<IndividualFilter> alone;
  for (const OrderLimit& limit : limits) alone.emplace_back(records, Budget::order(limit.order, limit.epsilon));
  for (int t = 0; t < 6; ++t) {
    const IndividualStep step{.noise_multiplier = 0.7, .sampling_rate = t % 2 == 0 ? 1 : 0.4, .clip = 3};
    std::vector<double> norms;
    for (std::size_t i = 0; i < records; ++i) norms.push_back(3 * uniform(random));
    std::vector<std::uint64_t> drawn(records / 2);
    std::iota(drawn.begin(), drawn.end(), 5);
    const auto run = [&](IndividualFilter& accounts) {
      if (t < 4) return charged(accounts, step, norms);
      return charged(accounts, step, drawn, {norms.begin(), norms.begin() + static_cast<long>(drawn.size())});
    };
    const Mask mask = run(together);
    EXPECT_EQ(std::count(mask.begin(), mask.end(), 1), static_cast<long>(mask.size()));
    for (std::size_t k = 0; k < limits.size(); ++k) {
      run(alone[k]);
      for (std::size_t i = 0; i < records; ++i) {
        EXPECT_EQ(together.spent()[i * limits.size() + k], alone[k].spent()[i]) << k << " " << i;
      }
    }
  }
}

TEST(IndividualFilter, NormsRoundUpInTheTable) {
  const IndividualStep step{.noise_multiplier = 1.1, .sampling_rate = 0.05, .clip = 3};
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform;
  IndividualFilter accounts(200, Budget::order(8, 100));
  std::vector<double> norms{3, 0, std::numeric_limits<double>::denorm_min(), std::nextafter(1.5, 2), 1.5};
  while (norms.size() < 200) norms.push_back(3 * std::pow(uniform(random), 3));
  charged(accounts, step, norms);
  const auto true_cost = [&](double norm) {
    return rdp(Plan().add(SampledGaussian{0.05, std::min(1e6, 3 * 1.1 / norm)}), 8).value;
  };
  EXPECT_EQ(accounts.spent()[1], 0);
  EXPECT_GT(accounts.spent()[2], 0);
  EXPECT_GT(accounts.spent()[3], accounts.spent()[4]);
  for (std::size_t i = 3; i < norms.size(); ++i) {
    const double next = std::ceil(norms[i] / 3 * 4096) / 4096 * 3;
    EXPECT_GE(accounts.spent()[i], true_cost(norms[i]) * (1 - 1e-9)) << norms[i];
    EXPECT_LE(accounts.spent()[i], true_cost(next) * (1 + 1e-9)) << norms[i];
  }
}

TEST(IndividualFilter, RecordsThatAreNotDrawnPayForTheClip) {
  const IndividualStep step{.noise_multiplier = 2, .sampling_rate = 0.5, .clip = 2};
  for (const Budget& budget : {Budget::zcdp(1.75), Budget::order(2, 3.5), curve(), shares()}) {
    IndividualFilter accounts(4, budget), all(4, budget);
    EXPECT_EQ(charged(accounts, step, {2, 0}, {0.25, 1}), (Mask{1, 1}));
    EXPECT_EQ(charged(all, step, {1, 2, 0.25, 2}), (Mask{1, 1, 1, 1}));
    EXPECT_TRUE(std::equal(accounts.spent().begin(), accounts.spent().end(), all.spent().begin()));
    // Until nothing is left: the last payment is all that there is, and the record is out for good.
    for (int i = 0; i < 200; ++i) charged(accounts, step, {2}, {0});
    EXPECT_EQ(active(accounts), (Mask{0, 0, 1, 0})) << to_string(budget.kind);
    EXPECT_EQ(charged(accounts, step, {0, 1, 2, 3}, {1e-40, 1e-40, 1e-40, 0}), (Mask{0, 0, 1, 1}));
    const std::size_t m = accounts.limits().size();
    std::size_t within = 0;
    for (std::size_t k = 0; k < m; ++k)
      within += static_cast<std::size_t>(accounts.spent()[m + k] <= accounts.limits()[k]);
    EXPECT_GE(within, budget.kind == BudgetKind::shares ? 1 : m);
  }
}

// A record that is drawn and cannot pay is neither summed nor charged, and may take part with a smaller norm.
TEST(IndividualFilter, ARefusedRecordKeepsWhatItHas) {
  IndividualFilter accounts(2, Budget::zcdp(0.5));
  EXPECT_EQ(charged(accounts, {.noise_multiplier = 1}, {0, 1}, {0.8, 0.8}), (Mask{1, 1}));
  EXPECT_EQ(charged(accounts, {.noise_multiplier = 1}, {0}, {0.7}), (Mask{0}));
  EXPECT_NEAR(accounts.spent()[0], 0.32, 1e-15);
  EXPECT_EQ(accounts.spent()[1], 0.5);
  EXPECT_EQ(charged(accounts, {.noise_multiplier = 1}, {0, 1}, {0.5, 0.5}), (Mask{1, 0}));
}

TEST(IndividualFilter, BadInputChargesNothing) {
  IndividualFilter accounts(3, Budget::order(4, 2));
  charged(accounts, {.noise_multiplier = 3}, {1, 0.5, 0.25});
  const std::string before = write_individual_filter(accounts);
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const IndividualStep step{.noise_multiplier = 3, .sampling_rate = 0.5};
  for (const double bad : {nan, -1e-300, infinity, std::nextafter(1, 2)}) {
    try {
      charged(accounts, step, {0.5, bad, 0.5});
      FAIL() << bad;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.path(), "norms[1]");
    }
    EXPECT_THROW(charged(accounts, step, {0, 2}, {0.5, bad}), InvalidArgument);
  }
  try {
    charged(accounts, step, {2, 0}, {0.5, 1.5});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.value(), "1.5 (record 0)");
  }
  EXPECT_THROW(charged(accounts, step, {0.5, 0.5}), InvalidArgument);
  EXPECT_THROW(charged(accounts, step, {0, 1}, {0.5}), InvalidArgument);
  EXPECT_THROW(charged(accounts, step, {0, 3}, {0.5, 0.5}), InvalidArgument);
  EXPECT_THROW(charged(accounts, step, {1, 1}, {0.5, 0.5}), InvalidArgument);
  Mask small(2);
  EXPECT_THROW(accounts.charge(step, std::vector<double>{0, 0, 0}, small), InvalidArgument);
  EXPECT_THROW(accounts.active(small), InvalidArgument);
  EXPECT_THROW(static_cast<void>(accounts.balances(3)), InvalidArgument);
  for (const IndividualStep& bad :
       {IndividualStep{}, IndividualStep{nan}, IndividualStep{-1}, IndividualStep{1, 0}, IndividualStep{1, 1.5},
        IndividualStep{1, nan}, IndividualStep{1, 1, 0}, IndividualStep{1, 1, nan}, IndividualStep{1, 1, infinity},
        IndividualStep{0.001, 0.5}}) {
    EXPECT_THROW(charged(accounts, bad, {0, 0, 0}), InvalidArgument)
        << bad.noise_multiplier << " " << bad.sampling_rate;
  }
  EXPECT_EQ(write_individual_filter(accounts), before);
  // An index that was refused is not taken for one that was drawn.
  EXPECT_EQ(charged(accounts, step, {1, 0}, {1, 1}), (Mask{1, 1}));
}

TEST(IndividualFilter, RefusesWhatHasNoProof) {
  EXPECT_THROW(IndividualFilter(2, Budget::pure(1)), Unsupported);
  EXPECT_THROW(IndividualFilter(2, Budget::approx(1, 1e-5)), Unsupported);
  EXPECT_THROW(IndividualFilter(2, Budget::tcdp(1, 8)), Unsupported);
  EXPECT_THROW(IndividualFilter(2, Budget::zcdp(1).with_infinite_mass(1e-6)), Unsupported);
  EXPECT_THROW(IndividualFilter(2, Budget::curve({{std::numeric_limits<double>::infinity(), 1}})), Unsupported);
  EXPECT_THROW(IndividualFilter(2, Budget::zcdp(1), Neighbors::replace_one), Unsupported);
  EXPECT_THROW(IndividualFilter(0, Budget::zcdp(1)), InvalidArgument);
  Budget made_by_hand = Budget::zcdp(1);
  made_by_hand.rho = -1;
  EXPECT_THROW(IndividualFilter(1, made_by_hand), InvalidArgument);
  EXPECT_NO_THROW(IndividualFilter(1, Budget::zcdp(1), Neighbors::zero_out));
}

TEST(IndividualFilter, FilesAreMarkedAndKeepEveryBit) {
  IndividualFilter accounts(3, curve(), Neighbors::zero_out);
  const IndividualStep step{.noise_multiplier = 1.3, .sampling_rate = 0.2};
  charged(accounts, step, {1, 0.123, 0});
  charged(accounts, step, {0}, {0.4});
  const std::string text = write_individual_filter(accounts);
  EXPECT_EQ(text.rfind(R"({"private":"This file is private data.)", 0), 0U);
  IndividualFilter again = read_individual_filter(text);
  EXPECT_EQ(write_individual_filter(again), text);
  EXPECT_EQ(again.steps(), 2U);
  EXPECT_EQ(again.neighbors(), Neighbors::zero_out);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(charged(again, step, {1, 1, 1}), charged(accounts, step, {1, 1, 1}));
  EXPECT_TRUE(std::equal(again.spent().begin(), again.spent().end(), accounts.spent().begin()));

  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == '1' ? '2' : '1';
    EXPECT_THROW(static_cast<void>(read_individual_filter(changed)), Error) << i;
    EXPECT_THROW(static_cast<void>(read_individual_filter(text.substr(0, i))), Error) << i;
  }
}

TEST(IndividualFilter, CopiesAreIndependent) {
  IndividualFilter accounts(1, Budget::zcdp(1));
  IndividualFilter copy = accounts;
  charged(copy, {.noise_multiplier = 1}, {1});
  EXPECT_EQ(accounts.spent()[0], 0);
  EXPECT_EQ(copy.spent()[0], 0.5);
  accounts = copy;
  EXPECT_EQ(accounts.spent()[0], 0.5);
}

}  // namespace
}  // namespace renyi::individual_filter_test
