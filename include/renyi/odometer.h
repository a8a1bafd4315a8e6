// Privacy odometers: an upper bound on the privacy loss so far that holds at all times at once, for steps that are
// chosen on the way and a run that may stop at any time (docs/math/odometers.md).
//
//     renyi::Odometer odometer = renyi::Odometer::renyi(1e-5);
//     odometer.charge(renyi::Gaussian{.stddev = 4});
//     odometer.reading().epsilon;  // with probability 1 - 1e-5, the loss has never exceeded any reading
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/filter.h"
#include "renyi/plan.h"

namespace renyi {

// The costs that an odometer adds up.
enum class OdometerKind {
  renyi,  // divergences at several orders
  zcdp,   // rho
  gdp,    // mu^2, for steps whose mu is known
};
inline constexpr std::array all_odometer_kinds{OdometerKind::renyi, OdometerKind::zcdp, OdometerKind::gdp};
// Returns "renyi", "zcdp" or "gdp".
[[nodiscard]] std::string_view to_string(OdometerKind kind) noexcept;

// What an odometer shows.
struct OdometerReading {
  double epsilon = 0;  // upper bound on the loss so far; it never falls
  double delta = 0;    // the probability that the loss exceeds a reading at any time, plus the infinite mass
  // The order that decides the reading; infinity if the losses of all steps are bounded and their sum is the reading.
  // Without steps there is none, and epsilon is 0.
  std::optional<double> order{};
};

// Adds up the cost of steps as they run. With probability at least 1 - delta, the privacy loss at every time, which is
// that of all results so far, is at most the reading of that time. This holds for each of two neighbouring datasets,
// and whatever earlier results the steps depend on. delta and the orders are fixed when the odometer is made.
//
// With an infinite mass m, the statement is about every time T at which the run may be stopped, also by a rule that
// looks at the results: for all events S, P(S) <= E_Q[exp(reading at T); S] + delta + m.
//
// Like a filter, an odometer is a value; copies are independent.
class Odometer {
 public:
  // `delta` is in [1e-290, 1). Orders are above 1; without them default_filter_orders are used. `infinite_mass` is the
  // probability of an infinite loss that all steps together may have; it is added to delta.
  [[nodiscard]] static Odometer renyi(double delta, const Adjacency& relation = {}, std::vector<double> orders = {},
                                      double infinite_mass = 0);
  [[nodiscard]] static Odometer zcdp(double delta, const Adjacency& relation = {}, double infinite_mass = 0);
  [[nodiscard]] static Odometer gdp(double delta, const Adjacency& relation = {}, double infinite_mass = 0);

  Odometer(const Odometer& other);
  Odometer& operator=(const Odometer& other);
  Odometer(Odometer&& other) noexcept;
  Odometer& operator=(Odometer&& other) noexcept;
  ~Odometer();

  // Adds steps. Throws InvalidArgument if a count or the relation of a plan is wrong, or the infinite mass is exceeded,
  // and Unsupported if a step has no cost of this kind; then nothing changes.
  void charge(const Mechanism& step, std::int64_t count = 1);
  void charge(const Plan& steps, std::int64_t count = 1);

  [[nodiscard]] OdometerReading reading() const;
  // Returns what the reading would be after more steps.
  [[nodiscard]] OdometerReading reading_after(const Mechanism& step, std::int64_t count = 1) const;

  [[nodiscard]] OdometerKind kind() const noexcept;
  // Return what was fixed when the odometer was made; delta is without the infinite mass. An odometer of rho or mu has
  // orders that follow from delta.
  [[nodiscard]] double delta() const noexcept;
  [[nodiscard]] double infinite_mass() const noexcept;
  [[nodiscard]] const std::vector<double>& orders() const noexcept;
  [[nodiscard]] const Adjacency& adjacency() const noexcept;
  // Returns the steps charged so far, merged.
  [[nodiscard]] Plan history() const;

 private:
  class State;
  explicit Odometer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Odometer files, format version 1 (docs/format/filter.md). Reading throws InvalidArgument, with the JSON path, if the
// text is not one or was changed after it was written; writing throws Unsupported if a step is a custom mechanism.
[[nodiscard]] Odometer read_odometer(std::string_view json);
[[nodiscard]] std::string write_odometer(const Odometer& odometer);

}  // namespace renyi
