// Privacy odometers: the history of charged steps, and the bound on the loss that follows from their costs.
#include "renyi/odometer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "filter/all_time_bound.h"
#include "filter/tally.h"
#include "numerics/rounding.h"
#include "plan/merged_steps.h"
#include "renyi/error.h"
#include "renyi/limits.h"
#include "renyi/rdp.h"

namespace renyi {

std::string_view to_string(OdometerKind kind) noexcept {
  switch (kind) {
    case OdometerKind::renyi: return "renyi";
    case OdometerKind::zcdp: return "zcdp";
    case OdometerKind::gdp: return "gdp";
  }
  return "unknown";
}

namespace odometer_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_delta = 1e-290;

void check_delta(double delta, double infinite_mass) {
  if (!(delta >= least_delta && delta < 1)) {
    throw InvalidArgument("delta", fmt::format("{}", delta), fmt::format("a number in [{}, 1)", least_delta));
  }
  if (infinite_mass == 0 || (infinite_mass >= least_delta && numerics::sum_up(delta, infinite_mass) < 1)) return;
  throw InvalidArgument("infinite_mass", fmt::format("{}", infinite_mass),
                        fmt::format("0, or a number of at least {} whose sum with delta is below 1", least_delta));
}

std::vector<double> checked_orders(std::vector<double> orders) {
  if (orders.empty()) return default_filter_orders();
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i] > 1 && orders[i] <= largest_order) continue;
    throw InvalidArgument(fmt::format("orders[{}]", i), fmt::format("{}", orders[i]),
                          fmt::format("an order in (1, {}]", largest_order));
  }
  std::sort(orders.begin(), orders.end());
  const auto twice = std::adjacent_find(orders.begin(), orders.end());
  if (twice != orders.end()) throw InvalidArgument("orders", fmt::format("{} twice", *twice), "distinct orders");
  return orders;
}

// A budget whose quantities are what the odometer adds up. Its limits are not used.
Budget budget_of(OdometerKind kind, double delta, const std::vector<double>& orders, double infinite_mass) {
  switch (kind) {
    case OdometerKind::zcdp: return Budget::zcdp(0).with_infinite_mass(infinite_mass);
    case OdometerKind::gdp: return Budget::gdp(0).with_infinite_mass(infinite_mass);
    case OdometerKind::renyi: break;
  }
  std::vector<OrderShare> shares;
  for (const double order : orders) {
    shares.push_back({order, numerics::next_down(0.5 * delta / static_cast<double>(orders.size()))});
  }
  return Budget::shares(0, std::move(shares)).with_infinite_mass(infinite_mass);
}

filter::AllTimeBound bound_of(OdometerKind kind, double delta, const std::vector<double>& orders) {
  if (kind != OdometerKind::renyi) return filter::AllTimeBound::of_rho(delta);
  return {delta, orders};
}

// Adds n x, rounded up. In sums that are taken in the same order, more of one term never gives less in total.
void add_up(double& total, double x, std::int64_t count) {
  total = numerics::sum_up(total, numerics::product_up(numerics::count_up(count), x));
}

double total_mass(const std::vector<filter::Charge>& entries) {
  std::vector<numerics::CountedQuotient> written;
  double others = 0;
  for (const filter::Charge& entry : entries) {
    const filter::Term& mass = entry.cost->infinite_mass;
    if (mass.exact) {
      written.push_back({*mass.exact, entry.count});
    } else {
      add_up(others, mass.bound.upper(), entry.count);
    }
  }
  return written.empty() ? others : numerics::sum_up(others, numerics::decimal_sum_interval(written).upper());
}

// The sum of the largest losses in one direction, which bounds the loss with certainty.
double largest_loss(const std::vector<filter::Charge>& entries, Direction direction) {
  double total = 0;
  for (const filter::Charge& entry : entries) {
    add_up(total, std::max(0.0, entry.cost->curve->max_loss(direction).upper()), entry.count);
  }
  return total;
}

}  // namespace
}  // namespace odometer_file

class Odometer::State {
 public:
  State(OdometerKind kind, double delta, const Adjacency& relation, const std::vector<double>& orders,
        double infinite_mass)
      : kind_(kind),
        delta_(delta),
        infinite_mass_(infinite_mass),
        budget_(odometer_file::budget_of(kind, delta, orders, infinite_mass)),
        bound_(odometer_file::bound_of(kind, delta, orders)),
        nothing_(relation.neighbors, relation.unit) {}

  OdometerKind kind() const noexcept { return kind_; }
  double delta() const noexcept { return delta_; }
  double infinite_mass() const noexcept { return infinite_mass_; }
  const std::vector<double>& orders() const noexcept { return bound_.orders(); }
  const Plan& empty_plan() const noexcept { return nothing_; }
  const plan::MergedSteps& merged() const noexcept { return merged_; }

  OdometerReading reading() const { return reading_of(entries_); }
  // Returns the reading of a history with more steps. Throws if there is none.
  OdometerReading reading_after(const std::vector<CountedMechanism>& distinct) const {
    return reading_of(entries_after(distinct));
  }
  // Charges the steps. If it throws, nothing changes.
  void add(const std::vector<CountedMechanism>& distinct) {
    auto entries = entries_after(distinct);
    [[maybe_unused]] const OdometerReading possible = reading_of(entries);
    merged_.add(distinct);
    entries_ = std::move(entries);
  }

 private:
  std::shared_ptr<const filter::StepCost> cost(const Mechanism& step) const {
    const Mechanism analysed = Plan(nothing_).add(step).analysed().front().mechanism;
    return std::make_shared<const filter::StepCost>(filter::cost_of(analysed, budget_));
  }
  std::vector<filter::Charge> entries_after(const std::vector<CountedMechanism>& distinct) const;
  OdometerReading reading_of(const std::vector<filter::Charge>& entries) const;
  filter::AllTimeBound::Value loss_bound(const std::vector<filter::Charge>& entries, Direction direction) const;

  OdometerKind kind_;
  double delta_;
  double infinite_mass_;
  Budget budget_;  // says which costs steps have
  filter::AllTimeBound bound_;
  Plan nothing_;  // copies share the analysed steps
  plan::MergedSteps merged_;
  std::vector<filter::Charge> entries_;  // the costs of merged_.list()
};

std::vector<filter::Charge> Odometer::State::entries_after(const std::vector<CountedMechanism>& distinct) const {
  std::vector<filter::Charge> entries = entries_;
  merged_.check_total(distinct);
  for (const CountedMechanism& step : distinct) {
    if (const auto index = merged_.find(step.mechanism)) {
      entries[*index].count += step.count;
    } else {
      stop_if_overdue();
      entries.push_back({cost(step.mechanism), step.count});
    }
  }
  const double mass = odometer_file::total_mass(entries);
  if (mass > infinite_mass_) {
    throw InvalidArgument("steps", fmt::format("an infinite mass of {:.6g} in total", mass),
                          fmt::format("at most {:.6g}, which was fixed when the odometer was made", infinite_mass_));
  }
  return entries;
}

// The supermartingale bound at the divergences spent so far or, with certainty, the sum of the largest losses.
filter::AllTimeBound::Value Odometer::State::loss_bound(const std::vector<filter::Charge>& entries,
                                                        Direction direction) const {
  const std::size_t d = direction == Direction::remove ? 0 : 1;
  std::vector<double> sums(kind_ == OdometerKind::renyi ? orders().size() : 1);
  for (const filter::Charge& entry : entries) {
    for (std::size_t q = 0; q < sums.size(); ++q) {
      odometer_file::add_up(sums[q], entry.cost->quantities[q][d].bound.upper(), entry.count);
    }
  }
  std::vector<double> spent = sums;
  if (kind_ != OdometerKind::renyi) {
    // mu-GDP implies mu^2/2-zCDP, and the divergence of order a is at most a rho.
    const double rho = kind_ == OdometerKind::gdp ? 0.5 * sums[0] : sums[0];
    spent.clear();
    for (const double order : orders()) spent.push_back(numerics::product_up(order, rho));
  }
  const auto value = bound_.at(spent);
  const double largest = odometer_file::largest_loss(entries, direction);
  if (largest <= value.epsilon) return {largest, odometer_file::infinity};
  return value;
}

OdometerReading Odometer::State::reading_of(const std::vector<filter::Charge>& entries) const {
  OdometerReading reading{.delta = numerics::sum_up(delta_, infinite_mass_)};
  if (entries.empty()) return reading;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const auto value = loss_bound(entries, direction);
    if (reading.order && value.epsilon <= reading.epsilon) continue;
    reading.epsilon = value.epsilon;
    reading.order = value.order;
  }
  if (!std::isfinite(reading.epsilon)) {
    throw Unsupported("step", "the sum of all steps is finite at none of the odometer's orders",
                      "use orders at which the divergences of all steps are finite");
  }
  return reading;
}

Odometer::Odometer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Odometer::Odometer(const Odometer& other) : state_(std::make_unique<State>(*other.state_)) {}
Odometer& Odometer::operator=(const Odometer& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}
Odometer::Odometer(Odometer&& other) noexcept = default;
Odometer& Odometer::operator=(Odometer&& other) noexcept = default;
Odometer::~Odometer() = default;

Odometer Odometer::renyi(double delta, const Adjacency& relation, std::vector<double> orders, double infinite_mass) {
  odometer_file::check_delta(delta, infinite_mass);
  const auto checked = odometer_file::checked_orders(std::move(orders));
  return Odometer(std::make_unique<State>(OdometerKind::renyi, delta, relation, checked, infinite_mass));
}

Odometer Odometer::zcdp(double delta, const Adjacency& relation, double infinite_mass) {
  odometer_file::check_delta(delta, infinite_mass);
  return Odometer(std::make_unique<State>(OdometerKind::zcdp, delta, relation, std::vector<double>{}, infinite_mass));
}

Odometer Odometer::gdp(double delta, const Adjacency& relation, double infinite_mass) {
  odometer_file::check_delta(delta, infinite_mass);
  return Odometer(std::make_unique<State>(OdometerKind::gdp, delta, relation, std::vector<double>{}, infinite_mass));
}

void Odometer::charge(const Mechanism& step, std::int64_t count) {
  state_->add(Plan(state_->empty_plan()).add(step, count).merged());
}

void Odometer::charge(const Plan& steps, std::int64_t count) {
  [[maybe_unused]] const Plan checked = Plan(state_->empty_plan()).add(steps);  // throws unless the relations agree
  state_->add(plan::repeated(steps, count));
}

OdometerReading Odometer::reading() const { return state_->reading(); }

OdometerReading Odometer::reading_after(const Mechanism& step, std::int64_t count) const {
  return state_->reading_after(Plan(state_->empty_plan()).add(step, count).merged());
}

OdometerKind Odometer::kind() const noexcept { return state_->kind(); }
double Odometer::delta() const noexcept { return state_->delta(); }
double Odometer::infinite_mass() const noexcept { return state_->infinite_mass(); }
const std::vector<double>& Odometer::orders() const noexcept { return state_->orders(); }
const Adjacency& Odometer::adjacency() const noexcept { return state_->empty_plan().adjacency(); }

Plan Odometer::history() const {
  Plan plan = state_->empty_plan();
  for (const CountedMechanism& step : state_->merged().list()) plan.add(step.mechanism, step.count);
  return plan;
}

}  // namespace renyi
