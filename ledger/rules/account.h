// The account of one scope: running sums of what its charges cost in the scope's own kind of budget, divided into cells
// where not all charges add up (docs/math/ledger.md).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "filter/tally.h"
#include "ledger/rules/steps.h"
#include "renyi/ledger.h"

namespace renyi::ledger {

// Sums of costs, one for each quantity and direction of a budget, and that of infinite masses.
struct Sums {
  std::vector<std::array<Bounded, 2>> quantities{};
  Bounded infinite_mass{};
  std::int64_t charges = 0;
  std::int64_t runs = 0;  // all steps together

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
  const PricedSteps* steps = nullptr;
  std::int64_t count = 1;
};

class Account {
 public:
  // Steps are priced by the cap, whose kind, orders and allowance for infinite losses stay.
  Account(const Budget& budget, const Budget& cap, const Adjacency& relation, Division division);

  // Changes the limits; sums and kinds stay.
  void set_budget(const Budget& budget);

  // The stored state. Steps are read only where sums alone do not decide, by the function given.
  using StepsOf = std::function<std::vector<std::pair<std::string, std::int64_t>>(const CellName&)>;
  void load(const CellName& cell, Sums sums) { cells_[cell].sums = std::move(sums); }
  void forget() { cells_.clear(); }

  // Throws Unsupported if a step has no cost of the scope's kind. To be called before the functions below.
  void price(const PricedSteps& steps);
  // Whether the charge fits. `slack` is 0, or what another machine may have rounded differently.
  FilterVerdict verdict(const Share& share, const StepsOf& stored, double slack = 0) const;
  void add(const Share& share);
  // Takes a charge back. The sums are made anew from the steps that are left: a difference would keep the errors of
  // what it takes away, which for bounds that are loose below (mu) are as large as the cost.
  void subtract(const Share& share, const StepsOf& stored);
  // The largest balances over all analysts and blocks; with a charge, over those that it concerns.
  std::vector<Balance> balances(const StepsOf& stored, const Share* share = nullptr) const;
  // The steps of the cell with the largest balances that a charge would be added to, for questions about what fits.
  std::vector<std::pair<std::string, std::int64_t>> steps_beside(const Share& share, const StepsOf& stored) const;
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
  std::size_t quantities() const { return filter::Limit::count(budget_); }

 private:
  struct Cell {
    Sums sums{};
    std::map<std::string, std::int64_t> changed{};  // counts of steps that are not stored yet
    bool is_changed = false;
  };
  using Pair = CellName;  // the analyst and the block that a check is about

  std::shared_ptr<const filter::StepCost> cost(const PricedStep& step) const;
  std::shared_ptr<const filter::StepCost> cost(const std::string& step) const;
  std::vector<CellName> cells_of(const Share& share) const;
  std::vector<Pair> checks_of(const Share* share) const;
  Sums sum_of(const Pair& check) const;
  bool counts(const CellName& cell, const Pair& check) const;
  std::map<std::string, std::int64_t> steps_of(const Pair& check, const StepsOf& stored) const;
  filter::Tally tally_of(const Pair& check, const StepsOf& stored) const;
  std::vector<filter::Charge> charges_of(const Share& share) const;
  bool clearly_fits(const Sums& sums) const;

  Budget budget_;
  Budget cap_;
  Adjacency relation_;
  Division division_;
  std::vector<filter::Limit> limits_;
  mutable std::unordered_map<std::string, std::shared_ptr<const filter::StepCost>> costs_;
  std::map<CellName, Cell> cells_;
};

}  // namespace renyi::ledger
