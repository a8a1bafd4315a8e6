#include "ledger/rules/account.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::ledger {

namespace account_file {
namespace {

void add(Bounded& total, const Bounded& other) {
  total.value += other.value;
  total.error = std::isinf(total.value) ? 0 : total.error + other.error + 2 * numerics::unit_roundoff * total.value;
}

constexpr std::int64_t most_runs = std::numeric_limits<std::int64_t>::max();

std::int64_t saturated_sum(std::int64_t a, std::int64_t b) { return a > most_runs - b ? most_runs : a + b; }

// The entry in which a step can be counted so many times more. A step that is counted more than 2^63-1 times has
// several: their texts differ by leading blanks, so that all are read as this step.
std::string with_room(const std::map<std::string, std::int64_t>& counts, std::string step, std::int64_t count) {
  for (auto found = counts.find(step); found != counts.end(); found = counts.find(step)) {
    if (found->second <= most_runs - count) break;
    step.insert(step.begin(), ' ');
  }
  return step;
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
  runs = account_file::saturated_sum(runs, other.runs);
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
    : terms_(std::make_shared<const PriceTerms>(relation, cap)), division_(division) {
  set_budget(budget);
}

void Account::set_budget(const Budget& budget) {
  limits_.clear();
  for (std::size_t i = 0; i < filter::Limit::count(budget); ++i) limits_.emplace_back(budget, i);
  budget_ = budget;
}

std::vector<CellName> Account::cells_of(const Share& share) const {
  const std::string child = division_.by_child ? share.child : std::string();
  if (!division_.by_block) return {{child, ""}};
  if (share.blocks.empty()) return {{child, every_block}};
  std::vector<CellName> cells;
  for (const std::string& block : share.blocks) cells.push_back({child, block});
  return cells;
}

// Those that count for an analyst and a block are theirs, and everybody's.
std::vector<CellName> Account::cells_of(const Pair& check) const {
  std::vector<CellName> cells;
  for (const std::string& child : std::set<std::string>{"", check.child}) {
    for (const std::string& block : std::set<std::string>{"", every_block, check.block})
      cells.push_back({child, block});
  }
  return cells;
}

// The analysts and blocks whose totals a charge changes; for no charge, all that there are. An analyst or a block that
// has no charges of its own has no more than another one.
std::vector<Account::Pair> Account::checks_of(const Share* share) const {
  std::vector<std::string> children, blocks;
  std::set<std::string> known_children, known_blocks;
  const bool one_child = share != nullptr && division_.by_child && !share->child.empty();
  const bool some_blocks = share != nullptr && division_.by_block && !share->blocks.empty();
  children.push_back(one_child ? share->child : std::string());
  if (some_blocks) {
    blocks = share->blocks;
  } else {
    blocks.push_back(division_.by_block ? every_block : std::string());
  }
  known_children.insert(children.begin(), children.end());
  known_blocks.insert(blocks.begin(), blocks.end());
  const bool all_children = division_.by_child && !one_child, all_blocks = division_.by_block && !some_blocks;
  for (auto at = cells_.begin(); (all_children || all_blocks) && at != cells_.end(); ++at) {
    const CellName& name = at->first;
    if (all_children && known_children.insert(name.child).second) children.push_back(name.child);
    if (all_blocks && known_blocks.insert(name.block).second) blocks.push_back(name.block);
  }
  std::vector<Pair> checks;
  for (const std::string& child : children) {
    for (const std::string& block : blocks) checks.push_back({child, block});
  }
  return checks;
}

Sums Account::sum_of(const Pair& check) const {
  Sums sums = nothing();
  for (const CellName& name : cells_of(check)) {
    if (const auto found = cells_.find(name); found != cells_.end()) sums.add(found->second.sums);
  }
  return sums;
}

Sums Account::sum_of(const Share& share) const {
  Sums sums = nothing();
  for (std::size_t i = 0; i < share.steps->size(); ++i) {
    const std::int64_t count = share.count * (*share.steps)[i].count;
    sums.add(*(*share.costs)[i], count);
    sums.runs = account_file::saturated_sum(sums.runs, count);
  }
  return sums;
}

std::map<std::string, std::int64_t> Account::counts_of(const CellName& name, const Cell& cell,
                                                       const StepsOf& stored) const {
  std::map<std::string, std::int64_t> counts = cell.changed;
  for (const auto& [step, count] : stored(name)) counts[step] += count;
  std::erase_if(counts, [](const auto& step) { return step.second <= 0; });
  return counts;
}

StepCounts Account::steps_of(const Pair& check, const StepsOf& stored) const {
  std::map<std::string, std::int64_t> steps;
  for (const CellName& name : cells_of(check)) {
    const auto found = cells_.find(name);
    if (found == cells_.end()) continue;
    for (const auto& [step, count] : counts_of(name, found->second, stored)) {
      steps[account_file::with_room(steps, step, count)] += count;
    }
  }
  return {steps.begin(), steps.end()};
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

bool Account::fits(const Share& share) const {
  const Sums charge = sum_of(share);
  const auto checks = checks_of(&share);
  return std::all_of(checks.begin(), checks.end(), [&](const Pair& check) {
    Sums sums = sum_of(check);
    sums.add(charge);
    return clearly_fits(sums);
  });
}

Account::Cell& Account::cell(const CellName& name) {
  Cell& found = cells_[name];
  found.sums.quantities.resize(quantities());
  return found;
}

void Account::add(const Share& share, const StepsOf& stored) {
  const std::int64_t runs = sum_of(share).runs;
  std::int64_t charges = 1;
  for (const CellName& name : cells_of(share)) {
    changed_.insert(name);
    Cell& at = cell(name);
    at.sums.charges += charges;
    charges = 0;
    at.sums.runs = account_file::saturated_sum(at.sums.runs, runs);
    // No step is counted more often than all of them.
    const bool may_be_full = at.sums.runs == account_file::most_runs;
    const auto counts = may_be_full ? counts_of(name, at, stored) : std::map<std::string, std::int64_t>();
    for (std::size_t i = 0; i < share.steps->size(); ++i) {
      const std::int64_t count = share.count * (*share.steps)[i].count;
      at.sums.add(*(*share.costs)[i], count);
      const std::string text = account_file::with_room(counts, (*share.steps)[i].text, count);
      at.changed[text] += count;
      if (!at.kinds) continue;
      Kind& kind = (*at.kinds)[text];
      kind = {kind.count + count, (*share.costs)[i]};
    }
  }
}

std::vector<std::string> Account::prepare_to_subtract(const Share& share, const StepsOf& stored, const CostOf& known) {
  std::vector<std::string> missing;
  for (const CellName& name : cells_of(share)) {
    Cell& at = cell(name);
    if (at.kinds) continue;
    std::map<std::string, Kind> kinds;
    for (const auto& [step, count] : counts_of(name, at, stored)) {
      Cost cost = known(without_blanks(step));
      if (!cost) missing.push_back(without_blanks(step));
      kinds[step] = {count, std::move(cost)};
    }
    if (!missing.empty()) continue;
    at.kinds = std::move(kinds);
    with_kinds_.push_back(name);
  }
  return missing;
}

void Account::subtract(const Share& share) {
  std::int64_t charges = 1;
  for (const CellName& name : cells_of(share)) {
    changed_.insert(name);
    Cell& cell = this->cell(name);
    for (const ChargedStep& step : *share.steps) {
      // The entries of a step that needs several are full up to the last one, which is taken from first.
      std::vector<std::string> texts{step.text};
      while (cell.kinds->contains(' ' + texts.back())) texts.push_back(' ' + texts.back());
      std::int64_t left = share.count * step.count;
      for (; left > 0 && !texts.empty(); texts.pop_back()) {
        const auto kind = cell.kinds->find(texts.back());
        if (kind == cell.kinds->end()) break;
        const std::int64_t taken = std::min(left, kind->second.count);
        kind->second.count -= taken;
        cell.changed[kind->first] -= taken;
        left -= taken;
        if (kind->second.count == 0) cell.kinds->erase(kind);
      }
    }
    cell.sums.charges = std::max<std::int64_t>(0, cell.sums.charges - charges);
    stale_.push_back(name);
    charges = 0;
  }
}

void Account::settle() {
  std::sort(stale_.begin(), stale_.end());
  stale_.erase(std::unique(stale_.begin(), stale_.end()), stale_.end());
  for (const CellName& name : stale_) {
    Cell& cell = cells_[name];
    Sums left = nothing();
    left.charges = cell.sums.charges;
    for (const auto& [step, kind] : *cell.kinds) {
      left.add(*kind.cost, kind.count);
      left.runs = account_file::saturated_sum(left.runs, kind.count);
    }
    cell.sums = std::move(left);
  }
  stale_.clear();
}

std::vector<Balance> Account::balances_by(const Sums& sums) const {
  std::vector<Balance> balances;
  for (std::size_t q = 0; q < limits_.size(); ++q) balances.push_back(limits_[q].balance(sums.quantities[q]));
  const double mass = sums.infinite_mass.upper(), limit = budget_.infinite_mass;
  if (limit > 0) {
    balances.push_back({.name = "infinite mass", .spent = mass, .limit = limit, .left = filter::left_of(limit, mass)});
  }
  return balances;
}

Standing Account::standing(const StepsOf& stored, const Share* share) const {
  Standing standing{.budget = budget_, .terms = terms_};
  const bool has_steps = share != nullptr && share->steps != nullptr;
  const Sums charge = has_steps ? sum_of(*share) : nothing();
  const auto checks = checks_of(share);
  for (const Pair& check : checks) {
    Sums sums = sum_of(check);
    const bool fits_now = clearly_fits(sums);
    if (fits_now) take_larger(standing.largest, balances_by(sums));
    sums.add(charge);
    if (fits_now && clearly_fits(sums)) continue;
    standing.open.push_back({check.block, steps_of(check, stored), !fits_now});
  }
  return standing;
}

StepCounts Account::beside(const Share& share, const StepsOf& stored) const {
  return steps_of(checks_of(&share).back(), stored);
}

std::int64_t Account::charges() const {
  std::int64_t total = 0;
  for (const auto& [name, cell] : cells_) total += cell.sums.charges;
  return total;
}

std::vector<Account::Change> Account::changes() const {
  std::vector<Change> changes;
  for (const CellName& name : changed_) {
    const Cell& cell = cells_.at(name);
    changes.push_back({name, &cell.sums, cell.changed});
  }
  return changes;
}

void Account::forget_changes() {
  for (const CellName& name : changed_) cells_[name].changed.clear();
  changed_.clear();
  for (const CellName& name : with_kinds_) cells_[name].kinds.reset();
  with_kinds_.clear();
}

}  // namespace renyi::ledger
