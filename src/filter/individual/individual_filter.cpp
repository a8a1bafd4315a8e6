// Individual accounts: the balances of all records, and who may take part in the next step.
#include "renyi/individual_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "filter/individual/individual_state.h"
#include "filter/individual/norm_costs.h"
#include "filter/individual/row_kernel.h"
#include "filter/tally.h"
#include "renyi/error.h"

namespace renyi {

namespace individual_filter_file {
namespace {

using filter::NormCosts;
namespace lanes = filter::lanes;

void check_budget(const Budget& budget) {
  const std::string kind(to_string(budget.kind));
  const std::string instead = "use a budget of the kind zcdp, gdp, order, curve or shares";
  if (budget.kind == BudgetKind::pure || budget.kind == BudgetKind::approx)
    throw Unsupported("budget", "sums with Gaussian noise have no cost of the kind " + kind, instead);
  if (budget.kind == BudgetKind::tcdp)
    throw Unsupported("budget",
                      "on samples, the smallest rho up to omega is found by a search over the orders for each norm",
                      instead);
  if (budget.infinite_mass > 0)
    throw Unsupported("budget.infinite_mass", "sums with Gaussian noise have no infinite loss", "leave it out");
  if (!budget.limits.empty() && std::isinf(budget.limits.back().order))
    throw Unsupported("budget", "the loss of Gaussian noise is unbounded, so no step fits a limit of order inf",
                      "use finite orders");
}

void check_relation(Neighbors neighbors) {
  if (neighbors != Neighbors::replace_one) return;
  throw Unsupported("neighbors",
                    "under replace-one the cost of a record depends on the norm of the record that replaces it, "
                    "which is not known",
                    "use add-or-remove-one or zero-out");
}

void check_length(const std::string& field, std::size_t length, std::size_t expected, const std::string& what) {
  if (length == expected) return;
  throw InvalidArgument(field, fmt::format("{} elements", length), fmt::format("{}, one for each {}", expected, what));
}

void check_clip(double clip) {
  if (clip >= 1e-50 && clip <= 1e50) return;
  throw InvalidArgument("clip", fmt::format("{}", clip), "a number in [1e-50, 1e+50]");
}

bool is_norm(double norm, double clip) { return (norm >= 0) & (norm <= clip); }

// Without a branch for each norm; the record is looked for only if there is one.
template <class RecordOf>
void check_norms(std::span<const double> norms, double clip, const RecordOf& record_of) {
  bool valid = true;
  for (const double norm : norms) valid &= is_norm(norm, clip);
  if (valid) return;
  const auto bad = std::find_if(norms.begin(), norms.end(), [=](double norm) { return !is_norm(norm, clip); });
  const auto place = static_cast<std::size_t>(bad - norms.begin());
  throw InvalidArgument(fmt::format("norms[{}]", place), fmt::format("{} (record {})", *bad, record_of(place)),
                        fmt::format("the norm of a clipped contribution, a number in [0, {}], the clip", clip));
}

// Charges of single records. charge() charges a record if it stays within its limits, and returns whether it does.
// charge_unknown() charges one whose norm is not known: if it would take part, its cost is at most that of the clip,
// and at most what it has left.

// With one quantity, there is no loop and no branch.
class ChargesOfOne {
 public:
  ChargesOfOne(const NormCosts& costs, double limit) : costs_(costs), limit_(limit), at_clip_(*costs.at_clip()) {}

  bool charge(double* spent, double share) const {
    const double cost =
        costs_.is_square() ? lanes::product_up(at_clip_, lanes::product_up(share, share)) : *costs_.at(share);
    const double after = lanes::sum_up(*spent, cost);
    const bool within = after <= limit_;
    *spent = within ? after : *spent;
    return within;
  }
  void charge_unknown(double* spent) const {
    const double after = lanes::sum_up(*spent, at_clip_);
    *spent = after <= limit_ ? after : std::max(*spent, limit_);
  }

 private:
  const NormCosts& costs_;
  double limit_, at_clip_;
};

class ChargesOfMany {
 public:
  ChargesOfMany(const NormCosts& costs, const std::vector<double>& limits, std::size_t needed, double* after)
      : costs_(costs), row_{nullptr, costs.at_clip(), 1, limits.data(), after, limits.size(), needed} {}

  bool charge(double* spent, double share) const {
    filter::Row row = row_;
    row.spent = spent;
    if (costs_.is_square()) {
      row.factor = lanes::product_up(share, share);
    } else {
      row.cost = costs_.at(share);
    }
    return filter::charge_row(row, false);
  }
  void charge_unknown(double* spent) const {
    filter::Row row = row_;
    row.spent = spent;
    filter::charge_row(row, true);
  }

 private:
  const NormCosts& costs_;
  filter::Row row_;
};

// Calls work with the charges of a step.
template <class Work>
void with_charges(const NormCosts& costs, const std::vector<double>& limits, std::size_t needed,
                  std::vector<double>& after, const Work& work) {
  if (limits.size() == 1) {
    work(ChargesOfOne(costs, limits[0]));
  } else {
    work(ChargesOfMany(costs, limits, needed, after.data()));
  }
}

}  // namespace
}  // namespace individual_filter_file

// ---- The state.

IndividualFilter::State::State(std::size_t record_count, Budget given, Neighbors relation)
    : budget(std::move(given)), neighbors(relation), records(record_count) {
  check(budget);
  individual_filter_file::check_budget(budget);
  individual_filter_file::check_relation(neighbors);
  constexpr std::uint64_t most = std::uint64_t{1} << 40U;
  if (records < 1 || std::uint64_t{records} > most)
    throw InvalidArgument("records", fmt::format("{}", records), fmt::format("a number in [1, {}]", most));
  for (std::size_t k = 0; k < filter::Limit::count(budget); ++k) {
    budget_limits.emplace_back(budget, k);
    limits.push_back(budget_limits.back().sum_limit());
  }
  needed = budget.kind == BudgetKind::shares ? 1 : limits.size();
  spent.assign(records * limits.size(), 0);
  is_drawn.assign(records, 0);
}

std::shared_ptr<const filter::NormCosts> IndividualFilter::State::costs(const IndividualStep& step) {
  const IndividualStep key{step.noise_multiplier, step.sampling_rate};
  for (const auto& [known, costs] : kept) {
    if (known == key) return costs;
  }
  auto costs = std::make_shared<const filter::NormCosts>(key, budget, neighbors);
  constexpr std::size_t most_kept = 16;
  if (kept.size() >= most_kept) kept.erase(kept.begin());
  kept.emplace_back(key, costs);
  return costs;
}

// ---- Charges.

void IndividualFilter::charge(const IndividualStep& step, std::span<const double> norms, std::span<std::uint8_t> mask) {
  namespace here = individual_filter_file;
  State& state = *state_;
  here::check_clip(step.clip);
  here::check_length("norms", norms.size(), state.records, "record");
  here::check_length("mask", mask.size(), state.records, "record");
  here::check_norms(norms, step.clip, [](std::size_t place) { return place; });
  const auto costs = state.costs(step);
  std::vector<double> after(state.limits.size());
  // Nothing throws from here on.
  here::with_charges(*costs, state.limits, state.needed, after, [&](const auto& charges) {
    double* spent = state.spent.data();
    for (std::size_t i = 0; i < norms.size(); ++i, spent += after.size()) {
      mask[i] = static_cast<std::uint8_t>(charges.charge(spent, here::lanes::share_up(norms[i], step.clip)));
    }
  });
  ++state.steps;
}

// Marks the records drawn. Returns the place of the first index that is too large or occurs twice.
std::optional<std::size_t> IndividualFilter::State::mark(std::span<const std::uint64_t> drawn) noexcept {
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i] >= records || is_drawn[static_cast<std::size_t>(drawn[i])] != 0) {
      unmark(drawn.first(i));
      return i;
    }
    is_drawn[static_cast<std::size_t>(drawn[i])] = 1;
  }
  return {};
}

void IndividualFilter::State::unmark(std::span<const std::uint64_t> drawn) noexcept {
  for (const std::uint64_t record : drawn) is_drawn[static_cast<std::size_t>(record)] = 0;
}

void IndividualFilter::charge(const IndividualStep& step, std::span<const std::uint64_t> drawn,
                              std::span<const double> norms, std::span<std::uint8_t> mask) {
  namespace here = individual_filter_file;
  State& state = *state_;
  here::check_clip(step.clip);
  here::check_length("norms", norms.size(), drawn.size(), "record drawn");
  here::check_length("mask", mask.size(), drawn.size(), "record drawn");
  here::check_norms(norms, step.clip, [=](std::size_t place) { return drawn[place]; });
  const auto costs = state.costs(step);
  std::vector<double> after(state.limits.size());
  if (const auto bad = state.mark(drawn)) {
    throw InvalidArgument(fmt::format("drawn[{}]", *bad), fmt::format("{}", drawn[*bad]),
                          fmt::format("the index of a record, below {}, that occurs once", state.records));
  }
  // Nothing throws from here on.
  here::with_charges(*costs, state.limits, state.needed, after, [&](const auto& charges) {
    double* spent = state.spent.data();
    for (std::size_t i = 0; i < state.records; ++i, spent += after.size()) {
      if (state.is_drawn[i] == 0) charges.charge_unknown(spent);
    }
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      double* own = state.spent.data() + drawn[i] * after.size();
      mask[i] = static_cast<std::uint8_t>(charges.charge(own, here::lanes::share_up(norms[i], step.clip)));
    }
  });
  state.unmark(drawn);
  ++state.steps;
}

// ---- The rest of the interface.

IndividualFilter::IndividualFilter(std::size_t records, Budget budget, Neighbors neighbors)
    : state_(std::make_unique<State>(records, std::move(budget), neighbors)) {}

IndividualFilter::IndividualFilter(const IndividualFilter& other) : state_(std::make_unique<State>(*other.state_)) {}
IndividualFilter& IndividualFilter::operator=(const IndividualFilter& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}
IndividualFilter::IndividualFilter(IndividualFilter&& other) noexcept = default;
IndividualFilter& IndividualFilter::operator=(IndividualFilter&& other) noexcept = default;
IndividualFilter::~IndividualFilter() = default;

std::size_t IndividualFilter::records() const noexcept { return state_->records; }
std::uint64_t IndividualFilter::steps() const noexcept { return state_->steps; }
const Budget& IndividualFilter::budget() const noexcept { return state_->budget; }
Neighbors IndividualFilter::neighbors() const noexcept { return state_->neighbors; }
Plan IndividualFilter::guarantee() const { return renyi::guarantee(budget(), neighbors()); }
const std::vector<double>& IndividualFilter::limits() const noexcept { return state_->limits; }
std::span<const double> IndividualFilter::spent() const noexcept { return state_->spent; }

std::vector<Balance> IndividualFilter::balances(std::size_t record) const {
  if (record >= records())
    throw InvalidArgument("record", fmt::format("{}", record), fmt::format("an index below {}", records()));
  std::vector<Balance> result;
  for (std::size_t k = 0; k < state_->limits.size(); ++k) {
    const Bounded total{state_->spent[record * state_->limits.size() + k], 0};
    result.push_back(state_->budget_limits[k].balance({total, total}));
  }
  return result;
}

void IndividualFilter::active(std::span<std::uint8_t> mask) const {
  individual_filter_file::check_length("mask", mask.size(), records(), "record");
  const double* spent = state_->spent.data();
  for (std::uint8_t& is_active : mask) {
    std::size_t open = 0;
    for (const double limit : state_->limits) open += static_cast<std::size_t>(*spent++ < limit);
    is_active = static_cast<std::uint8_t>(open >= state_->needed);
  }
}

}  // namespace renyi
