#include "ledger/rules/account.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::ledger {

namespace account_file {
namespace {

void add(Bounded& total, const Bounded& other) {
  total.value += other.value;
  total.error += other.error + 2 * numerics::unit_roundoff * total.value;
}

[[noreturn]] void damaged() {
  throw StoreFailure(StoreFault::corrupt, "the sums of an account are damaged",
                     "`renyi ledger verify` says what the log proves; `renyi ledger import` makes the sums anew");
}

}  // namespace
}  // namespace account_file

// ---- Sums.

void Sums::add(const filter::StepCost& cost, std::int64_t count) {
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    for (std::size_t d = 0; d < 2; ++d) filter::add(quantities[q][d], cost.quantities[q][d], count);
  }
  filter::add(infinite_mass, cost.infinite_mass, count);
}

void Sums::add(const Sums& other) {
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    for (std::size_t d = 0; d < 2; ++d) account_file::add(quantities[q][d], other.quantities[q][d]);
  }
  account_file::add(infinite_mass, other.infinite_mass);
  charges += other.charges;
  runs += other.runs;
}

std::string write_sums(const Sums& sums) {
  std::vector<double> numbers;
  for (const auto& quantity : sums.quantities) {
    for (const Bounded& total : quantity) numbers.insert(numbers.end(), {total.value, total.error});
  }
  numbers.insert(numbers.end(), {sums.infinite_mass.value, sums.infinite_mass.error});
  std::string bytes(numbers.size() * sizeof(double) + 2 * sizeof(std::int64_t), '\0');
  std::memcpy(bytes.data(), &sums.charges, sizeof(std::int64_t));
  std::memcpy(bytes.data() + sizeof(std::int64_t), &sums.runs, sizeof(std::int64_t));
  std::memcpy(bytes.data() + 2 * sizeof(std::int64_t), numbers.data(), numbers.size() * sizeof(double));
  return bytes;
}

Sums read_sums(const std::string& bytes, std::size_t quantities) {
  std::vector<double> numbers(4 * quantities + 2);
  if (bytes.size() != numbers.size() * sizeof(double) + 2 * sizeof(std::int64_t)) account_file::damaged();
  Sums sums;
  std::memcpy(&sums.charges, bytes.data(), sizeof(std::int64_t));
  std::memcpy(&sums.runs, bytes.data() + sizeof(std::int64_t), sizeof(std::int64_t));
  std::memcpy(numbers.data(), bytes.data() + 2 * sizeof(std::int64_t), numbers.size() * sizeof(double));
  for (const double number : numbers) {
    if (!(number >= 0)) account_file::damaged();
  }
  if (sums.charges < 0 || sums.runs < 0) account_file::damaged();
  for (std::size_t q = 0; q < quantities; ++q) {
    sums.quantities.push_back(
        {Bounded{numbers[4 * q], numbers[4 * q + 1]}, Bounded{numbers[4 * q + 2], numbers[4 * q + 3]}});
  }
  sums.infinite_mass = {numbers[4 * quantities], numbers[4 * quantities + 1]};
  return sums;
}

CellName CellName::read(const std::string& text) {
  const std::size_t bar = text.find('|');
  if (bar == std::string::npos) account_file::damaged();
  return {text.substr(0, bar), text.substr(bar + 1)};
}

// ---- Accounts.

Account::Account(const Budget& budget, const Budget& cap, const Adjacency& relation, Division division)
    : cap_(cap), relation_(relation), division_(division) {
  set_budget(budget);
}

void Account::set_budget(const Budget& budget) {
  limits_.clear();
  for (std::size_t i = 0; i < filter::Limit::count(budget); ++i) limits_.emplace_back(budget, i);
  budget_ = budget;
}

std::shared_ptr<const filter::StepCost> Account::cost(const PricedStep& step) const {
  if (const auto found = costs_.find(step.text); found != costs_.end()) return found->second;
  auto cost = std::make_shared<const filter::StepCost>(filter::cost_of(analysed(step.specified, relation_), cap_));
  costs_.emplace(step.text, cost);
  return cost;
}

std::shared_ptr<const filter::StepCost> Account::cost(const std::string& step) const {
  const auto known = costs_.find(step);
  return known != costs_.end() ? known->second : cost({step, StepReader::read_one(step, relation_)});
}

void Account::price(const PricedSteps& steps) {
  for (const PricedStep& step : steps) cost(step);
}

std::vector<CellName> Account::cells_of(const Share& share) const {
  const std::string child = division_.by_child ? share.child : std::string();
  if (!division_.by_block) return {{child, ""}};
  if (share.blocks.empty()) return {{child, every_block}};
  std::vector<CellName> cells;
  for (const std::string& block : share.blocks) cells.push_back({child, block});
  return cells;
}

// A cell counts for an analyst and a block if it is theirs, or everybody's.
bool Account::counts(const CellName& cell, const Pair& check) const {
  return (cell.child.empty() || cell.child == check.child) &&
         (cell.block.empty() || cell.block == every_block || cell.block == check.block);
}

// The analysts and blocks whose totals a charge changes; for no charge, all that there are. An analyst or a block that
// has no charges of its own has no more than another one.
std::vector<Account::Pair> Account::checks_of(const Share* share) const {
  std::vector<std::string> children, blocks;
  const auto add_once = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  const bool one_child = share != nullptr && division_.by_child && !share->child.empty();
  const bool some_blocks = share != nullptr && division_.by_block && !share->blocks.empty();
  children.push_back(one_child ? share->child : std::string());
  if (some_blocks) {
    blocks = share->blocks;
  } else {
    blocks.push_back(division_.by_block ? every_block : std::string());
  }
  for (const auto& [name, cell] : cells_) {
    if (!one_child && division_.by_child) add_once(children, name.child);
    if (!some_blocks && division_.by_block) add_once(blocks, name.block);
  }
  std::vector<Pair> checks;
  for (const std::string& child : children) {
    for (const std::string& block : blocks) checks.push_back({child, block});
  }
  return checks;
}

Sums Account::sum_of(const Pair& check) const {
  Sums sums{.quantities = std::vector<std::array<Bounded, 2>>(quantities())};
  for (const auto& [name, cell] : cells_) {
    if (counts(name, check)) sums.add(cell.sums);
  }
  return sums;
}

std::map<std::string, std::int64_t> Account::steps_of(const Pair& check, const StepsOf& stored) const {
  std::map<std::string, std::int64_t> steps;
  for (const auto& [name, cell] : cells_) {
    if (!counts(name, check)) continue;
    for (const auto& [step, count] : stored(name)) steps[step] += count;
    for (const auto& [step, count] : cell.changed) steps[step] += count;
  }
  std::erase_if(steps, [](const auto& step) { return step.second <= 0; });
  return steps;
}

filter::Tally Account::tally_of(const Pair& check, const StepsOf& stored) const {
  filter::Tally tally(budget_);
  std::size_t index = 0;
  for (const auto& [text, count] : steps_of(check, stored)) tally.add(index++, {cost(text), count});
  return tally;
}

std::vector<filter::Charge> Account::charges_of(const Share& share) const {
  std::vector<filter::Charge> charges;
  for (const PricedStep& step : *share.steps) charges.push_back({cost(step), share.count * step.count});
  return charges;
}

bool Account::clearly_fits(const Sums& sums) const {
  if (!(sums.infinite_mass.upper() <= budget_.infinite_mass)) return false;
  const auto keeps = [&](std::size_t q) {
    return limits_[q].keeps(sums.quantities[q][0]) && limits_[q].keeps(sums.quantities[q][1]);
  };
  for (std::size_t q = 0; q < limits_.size(); ++q) {
    const bool kept = keeps(q);
    if (budget_.kind == BudgetKind::shares && kept) return true;
    if (budget_.kind != BudgetKind::shares && !kept) return false;
  }
  return budget_.kind != BudgetKind::shares;
}

FilterVerdict Account::verdict(const Share& share, const StepsOf& stored, double slack) const {
  const auto charges = charges_of(share);
  for (const Pair& check : checks_of(&share)) {
    Sums sums = sum_of(check);
    for (const filter::Charge& charge : charges) {
      sums.add(*charge.cost, charge.count);
      if (__builtin_add_overflow(sums.runs, charge.count, &sums.runs))
        return {.reason = "more than 2^63-1 steps in all"};
    }
    if (clearly_fits(sums)) continue;
    FilterVerdict verdict = tally_of(check, stored).verdict(charges);
    if (verdict.runs) continue;
    if (slack > 0 && filter::keep(verdict.after, budget_, slack)) continue;
    if (!check.block.empty())
      verdict.reason += check.block == every_block ? " (all blocks)" : " (block " + check.block + ")";
    return verdict;
  }
  return {.runs = true};
}

void Account::add(const Share& share) {
  const auto charges = charges_of(share);
  bool first = true;
  for (const CellName& name : cells_of(share)) {
    Cell& cell = cells_[name];
    cell.sums.quantities.resize(quantities());
    for (std::size_t i = 0; i < charges.size(); ++i) {
      cell.sums.add(*charges[i].cost, charges[i].count);
      cell.sums.runs += charges[i].count;
      cell.changed[(*share.steps)[i].text] += charges[i].count;
    }
    cell.sums.charges += first ? 1 : 0;
    cell.is_changed = true;
    first = false;
  }
}

void Account::subtract(const Share& share, const StepsOf& stored) {
  bool first = true;
  for (const CellName& name : cells_of(share)) {
    Cell& cell = cells_[name];
    for (const PricedStep& step : *share.steps) cell.changed[step.text] -= share.count * step.count;
    std::map<std::string, std::int64_t> steps = cell.changed;
    for (const auto& [step, count] : stored(name)) steps[step] += count;
    Sums left{.quantities = std::vector<std::array<Bounded, 2>>(quantities()),
              .charges = std::max<std::int64_t>(0, cell.sums.charges - (first ? 1 : 0))};
    for (const auto& [step, count] : steps) {
      if (count <= 0) continue;
      left.add(*cost(step), count);
      left.runs += count;
    }
    cell.sums = std::move(left);
    cell.is_changed = true;
    first = false;
  }
}

std::vector<Balance> Account::balances(const StepsOf& stored, const Share* share) const {
  std::vector<Balance> largest;
  for (const Pair& check : checks_of(share)) {
    const Sums sums = sum_of(check);
    std::vector<Balance> balances;
    if (clearly_fits(sums)) {
      for (std::size_t q = 0; q < limits_.size(); ++q) balances.push_back(limits_[q].balance(sums.quantities[q]));
      const double mass = sums.infinite_mass.upper(), limit = budget_.infinite_mass;
      if (limit > 0) {
        balances.push_back(
            {.name = "infinite mass", .spent = mass, .limit = limit, .left = filter::left_of(limit, mass)});
      }
    } else {
      balances = tally_of(check, stored).balances({});
    }
    if (largest.empty()) largest = balances;
    for (std::size_t i = 0; i < std::min(largest.size(), balances.size()); ++i) {
      if (balances[i].spent > largest[i].spent) largest[i] = balances[i];
    }
  }
  return largest;
}

std::vector<std::pair<std::string, std::int64_t>> Account::steps_beside(const Share& share,
                                                                        const StepsOf& stored) const {
  const auto charges = charges_of(share);
  const auto checks = checks_of(&share);
  for (const Pair& check : checks) {
    if (tally_of(check, stored).verdict(charges).runs && &check != &checks.back()) continue;
    const auto steps = steps_of(check, stored);
    return {steps.begin(), steps.end()};
  }
  return {};
}

std::int64_t Account::charges() const {
  std::int64_t total = 0;
  for (const auto& [name, cell] : cells_) total += cell.sums.charges;
  return total;
}

std::vector<Account::Change> Account::changes() const {
  std::vector<Change> changes;
  for (const auto& [name, cell] : cells_) {
    if (cell.is_changed) changes.push_back({name, &cell.sums, cell.changed});
  }
  return changes;
}

void Account::forget_changes() {
  for (auto& [name, cell] : cells_) {
    cell.changed.clear();
    cell.is_changed = false;
  }
}

}  // namespace renyi::ledger
