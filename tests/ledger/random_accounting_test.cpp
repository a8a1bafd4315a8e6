// Random charges, reservations and cancellations in a tree of scopes with blocks and analysts who share no answers,
// compared with filters that are kept beside the ledger (docs/math/ledger.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "renyi/ledger.h"
#include "support/random_source.h"
#include "support/temporary_directory.h"

namespace renyi::ledger_random_accounting_test {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

// A charge that counts, as the test remembers it.
struct Counted {
  std::string scope;
  Names blocks;
  Mechanism step;
  std::int64_t count = 1;
};

// What the note says, by one filter for each analyst and block, filled anew for every question.
class Reference {
 public:
  struct Settings {
    std::string name;
    Budget budget;
    bool by_block = false;
    Names analysts{};  // those who share no answers; none: all steps add up
  };
  std::vector<Settings> scopes{};  // inner ones first
  Names blocks{};
  std::map<std::int64_t, Counted> charges{};

  // The scope that refuses, or nothing.
  [[nodiscard]] std::string refused_by(const Counted& charge) const {
    for (const Settings& scope : scopes) {
      if (!lies_in(charge.scope, scope.name)) continue;
      for (const Cell& cell : cells_of(scope)) {
        if (counts(charge, scope, cell) && !filled(scope, cell).may_run(charge.step, charge.count).runs) {
          return scope.name;
        }
      }
    }
    return {};
  }
  // The largest balances.
  [[nodiscard]] std::vector<double> spent(const Settings& scope) const {
    std::vector<double> largest;
    for (const Cell& cell : cells_of(scope)) {
      const auto balances = filled(scope, cell).remaining();
      largest.resize(balances.size());
      for (std::size_t i = 0; i < balances.size(); ++i) largest[i] = std::max(largest[i], balances[i].spent);
    }
    return largest;
  }

 private:
  struct Cell {
    std::string analyst, block;
  };

  static bool lies_in(const std::string& inner, const std::string& outer) {
    return inner == outer || inner.rfind(outer + '/', 0) == 0;
  }
  // A name that nobody has stands for analysts and blocks without charges of their own.
  [[nodiscard]] std::vector<Cell> cells_of(const Settings& scope) const {
    Names analysts = scope.analysts, divided = scope.by_block ? blocks : Names();
    analysts.emplace_back("-");
    divided.emplace_back("-");
    std::vector<Cell> cells;
    for (const std::string& analyst : analysts) {
      for (const std::string& block : divided) cells.push_back({analyst, block});
    }
    return cells;
  }
  static bool counts(const Counted& charge, const Settings& scope, const Cell& cell) {
    if (!lies_in(charge.scope, scope.name)) return false;
    const bool is_direct = charge.scope == scope.name;
    if (!scope.analysts.empty() && !is_direct && !lies_in(charge.scope, scope.name + '/' + cell.analyst)) return false;
    return !scope.by_block || charge.blocks.empty() ||
           std::find(charge.blocks.begin(), charge.blocks.end(), cell.block) != charge.blocks.end();
  }
  [[nodiscard]] Filter filled(const Settings& scope, const Cell& cell) const {
    Filter filter(scope.budget);
    for (const auto& [ticket, charge] : charges) {
      if (counts(charge, scope, cell) && !filter.charge(charge.step, charge.count).runs) {
        throw std::logic_error("the ledger has accepted more than the filter admits in " + scope.name);
      }
    }
    return filter;
  }
};

class RandomAccountingTest : public testing::TestWithParam<int> {
 protected:
  RandomAccountingTest() : ledger(Ledger::create(directory.file("test.ledger"))) {}

  // An organisation, in it a dataset with blocks, in it a team whose analysts share no answers, and another analyst.
  void make_scopes() {
    // Outer scopes have more.
    const auto budget = [&](std::size_t i, double scale) {
      const std::vector<Budget> kinds{Budget::pure(7.7 * scale),
                                      Budget::zcdp(1.9 * scale),
                                      Budget::tcdp(1.9 * scale, 20),
                                      Budget::gdp(2.1 * scale),
                                      Budget::approx(9.3 * scale, 1e-3),
                                      Budget::order(3, 4.4 * scale),
                                      Budget::curve({{2, 2.9 * scale}, {9, 7.3 * scale}}),
                                      Budget::shares(6.1 * scale, {{2, 1e-3}, {9, 1e-3}})};
      return kinds[(static_cast<std::size_t>(GetParam()) + i) % kinds.size()];
    };
    reference.scopes = {
        {.name = "org/data/team/ann", .budget = budget(0, 1), .by_block = true},
        {.name = "org/data/team/ben", .budget = budget(1, 1), .by_block = true},
        {.name = "org/data/team", .budget = budget(2, 1.3), .by_block = true, .analysts = {"ann", "ben"}},
        {.name = "org/data/cem", .budget = budget(3, 1), .by_block = true},
        {.name = "org/data", .budget = budget(4, 2), .by_block = true},
        {.name = "org", .budget = budget(5, 3)}};
    for (auto scope = reference.scopes.rbegin(); scope != reference.scopes.rend(); ++scope) {
      ScopeSettings settings{.budget = scope->budget, .analysts_may_collude = scope->analysts.empty()};
      if (scope->name == "org/data")
        settings.blocks = BlockRule{.rule = "the month of the visit", .unit_in_one_block = true};
      ledger.add_scope(scope->name, settings);
    }
    declare("may");
    declare("june");
  }
  void declare(const std::string& block) {
    ledger.add_blocks("org/data", {block});
    reference.blocks.push_back(block);
  }

  Counted random_charge() {
    const std::vector<Mechanism> steps{RandomizedResponse{0.75}, RandomizedResponse{0.6}, Laplace{.scale = 2.3},
                                       PureDp{0.31}};
    Counted charge{reference.scopes[random.below(reference.scopes.size())].name,
                   {},
                   steps[random.below(steps.size())],
                   1 + static_cast<std::int64_t>(random.below(2))};
    if (charge.scope == "org") return charge;
    for (const std::string& block : reference.blocks) {
      if (random.chance(0.35)) charge.blocks.push_back(block);
    }
    return charge;
  }

  // Charges or reserves, and compares the answer.
  void ask(const Counted& charge) {
    const ChargeRequest request{charge.scope, Plan().add(charge.step), charge.count, charge.blocks};
    const std::string expected = reference.refused_by(charge);
    const bool only_reserved = random.chance(0.4);
    const Receipt receipt = only_reserved ? ledger.reserve(request, 1h) : ledger.charge(request);
    EXPECT_EQ(receipt.accepted, expected.empty());
    EXPECT_EQ(receipt.refused_by, expected);
    receipt.accepted ? ++accepted : ++refused;
    if (!receipt.accepted) return;
    reference.charges.emplace(receipt.entry, charge);
    if (only_reserved) reserved.push_back(receipt);
  }
  // Opens or cancels one of the reservations.
  void settle() {
    if (reserved.empty()) return;
    const std::size_t i = random.below(reserved.size());
    const Receipt receipt = reserved[i];
    reserved.erase(reserved.begin() + static_cast<std::ptrdiff_t>(i));
    if (random.chance(0.4)) {
      EXPECT_TRUE(ledger.open(receipt.ticket, receipt.secret).accepted);
    } else {
      EXPECT_TRUE(ledger.cancel(receipt.ticket).accepted);
      reference.charges.erase(receipt.ticket);
    }
  }

  test::TemporaryDirectory directory;
  Ledger ledger;
  test::RandomInputs random{static_cast<std::uint64_t>(GetParam()) + 1};
  Reference reference;
  std::vector<Receipt> reserved;
  int accepted = 0, refused = 0;
};

TEST_P(RandomAccountingTest, TheLedgerAcceptsWhatFiltersOfItsCellsAdmit) {
  make_scopes();
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(fmt::format("charge {}", i));
    if (i == 30) declare("july");
    if (i % 20 == 15) ledger = Ledger(directory.file("test.ledger"));  // what is stored is all that counts
    ask(random_charge());
    if (random.chance(0.3)) settle();
  }
  EXPECT_GE(accepted, 10);
  EXPECT_GE(refused, 10);
  for (const auto& scope : reference.scopes) {
    const auto balances = ledger.scope(scope.name).balances;
    const auto spent = reference.spent(scope);
    ASSERT_EQ(balances.size(), spent.size()) << scope.name;
    for (std::size_t i = 0; i < spent.size(); ++i) {
      EXPECT_NEAR(balances[i].spent, spent[i], 1e-9 * (1 + spent[i])) << scope.name << ' ' << balances[i].name;
      EXPECT_GE(balances[i].spent, spent[i] * (1 - 1e-12)) << scope.name << ' ' << balances[i].name;
    }
  }
  EXPECT_TRUE(ledger.verify().valid);
}

INSTANTIATE_TEST_SUITE_P(Kinds, RandomAccountingTest, testing::Range(0, 8));

}  // namespace
}  // namespace renyi::ledger_random_accounting_test
