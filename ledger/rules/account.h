// The account of one scope: running sums of what its charges cost in the scope's own kind of budget, divided into cells
// where not all charges add up (docs/math/ledger.md).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "filter/tally.h"
#include "ledger/rules/prices.h"
#include "ledger/rules/standing.h"
#include "renyi/ledger.h"

namespace renyi::ledger {

// Sums of costs, one for each quantity and direction of a budget, and that of infinite masses.
struct Sums {
  std::vector<std::array<Bounded, 2>> quantities{};
  Bounded infinite_mass{};
  std::int64_t charges = 0;
  std::int64_t runs = 0;  // all steps together; 2^63-1 stands for as many and more

  void add(const filter::StepCost& cost, std::int64_t count);
  void add(const Sums& other);
};

// Bytes that read back to the same sums.
std::string write_sums(const Sums& sums);
// Throws StoreFailure if the bytes are not those of so many quantities.
Sums read_sums(const std::string& bytes, std::size_t quantities);

// A cell: the analyst, where analysts do not collude, and the block, where blocks compose in parallel; else empty. The
// block "*" stands for charges that read every block.
struct CellName {
  std::string child{};
  std::string block{};
  auto operator<=>(const CellName&) const = default;
  std::string text() const { return child + '|' + block; }
  static CellName read(const std::string& text);
};
inline const std::string every_block = "*";

// Which cells the charges of a scope belong to.
struct Division {
  bool by_child = false;
  bool by_block = false;
};

// A charge as one scope sees it.
struct Share {
  std::string child{};                // the scope directly within this one that it came through; empty: none
  std::vector<std::string> blocks{};  // empty: every block
  const ChargedSteps* steps = nullptr;
  const std::vector<Cost>* costs = nullptr;  // those of the steps, in the scope's own kind
  std::int64_t count = 1;
};

class Account {
 public:
  // Steps are priced by the cap, whose kind, orders and allowance for infinite losses stay.
  Account(const Budget& budget, const Budget& cap, const Adjacency& relation, Division division);

  // Changes the limits; sums and kinds stay.
  void set_budget(const Budget& budget);

  // The stored state. Steps are read only where sums alone do not decide, by the function given.
  using StepsOf = std::function<StepCounts(const CellName&)>;
  void load(const CellName& cell, Sums sums) { cells_[cell].sums = std::move(sums); }
  void forget() {
    cells_.clear();
    changed_.clear();
    with_kinds_.clear();
    stale_.clear();
  }

  // Whether the running sums prove that the charge fits. If they do not, it may fit still.
  bool fits(const Share& share) const;
  // Without a charge, or with the charge that a question is about.
  Standing standing(const StepsOf& stored, const Share* share = nullptr) const;
  // The steps of the last analyst and block that a charge concerns, for questions about what fits.
  StepCounts beside(const Share& share, const StepsOf& stored) const;
  void add(const Share& share, const StepsOf& stored);

  // Taking charges back: first the steps that are stored in their cells are read, and the steps without a known cost
  // are returned; if there are none, charges may be taken back, until changes are taken. The sums are made anew from
  // the steps that are left, once for all charges: a difference would keep the errors of what it takes away, which for
  // bounds that are loose below (mu) are as large as the cost.
  using CostOf = std::function<Cost(const std::string&)>;  // nullptr: not known
  std::vector<std::string> prepare_to_subtract(const Share& share, const StepsOf& stored, const CostOf& known);
  void subtract(const Share& share);
  void settle();

  std::int64_t charges() const;

  // What changed and is not stored yet: cells with their sums, and counts of steps to be added to those stored.
  struct Change {
    CellName cell{};
    const Sums* sums = nullptr;
    std::map<std::string, std::int64_t> steps{};
  };
  std::vector<Change> changes() const;
  // They are stored now.
  void forget_changes();
  const Budget& budget() const noexcept { return budget_; }
  const std::shared_ptr<const PriceTerms>& terms() const noexcept { return terms_; }
  std::size_t quantities() const { return limits_.size(); }

 private:
  struct Kind {
    std::int64_t count = 0;
    Cost cost{};
  };
  struct Cell {
    Sums sums{};
    std::map<std::string, std::int64_t> changed{};  // counts of steps that are not stored yet
    // All steps, stored or not, while something may be taken back.
    std::optional<std::map<std::string, Kind>> kinds{};
  };
  using Pair = CellName;  // the analyst and the block that a check is about

  std::vector<CellName> cells_of(const Share& share) const;
  std::vector<Pair> checks_of(const Share* share) const;
  Sums nothing() const { return {.quantities = std::vector<std::array<Bounded, 2>>(quantities())}; }
  Sums sum_of(const Share& share) const;
  Sums sum_of(const Pair& check) const;
  std::vector<CellName> cells_of(const Pair& check) const;
  StepCounts steps_of(const Pair& check, const StepsOf& stored) const;
  Cell& cell(const CellName& name);
  std::map<std::string, std::int64_t> counts_of(const CellName& name, const Cell& cell, const StepsOf& stored) const;
  std::vector<Balance> balances_by(const Sums& sums) const;
  bool clearly_fits(const Sums& sums) const;

  Budget budget_;
  std::shared_ptr<const PriceTerms> terms_;
  Division division_;
  std::vector<filter::Limit> limits_;
  std::map<CellName, Cell> cells_;
  std::set<CellName> changed_;          // the cells that changed since changes were taken
  std::vector<CellName> with_kinds_{};  // the cells whose kinds are read
  std::vector<CellName> stale_{};       // the cells whose sums have to be made anew
};

}  // namespace renyi::ledger
