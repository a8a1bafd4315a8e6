// Corner settings of every mechanism, derived from its table of parameters: a new
// mechanism is covered by every law without an entry here.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

#include "renyi/error.h"
#include "renyi/mechanism.h"
#include "support/corner_values.h"
#include "support/expect.h"

namespace renyi::test {

inline std::string describe(const Mechanism& m) { return fmt::format("{}({})", m.kind(), fmt::join(m.values(), ", ")); }

// Those whose curve is finite at orders next to 1 at least: infinite costs hide all others.
inline bool has_finite_orders(const Curve& curve) { return curve.last_order() > 1; }

// Nothing where the values do not go together.
inline std::optional<Mechanism> with_values(const Mechanism& m, const std::vector<double>& values) {
  std::vector<NamedNumber> numbers;
  for (std::size_t i = 0; i < values.size(); ++i) numbers.emplace_back(m.parameters()[i].name, values[i]);
  try {
    return m.with(numbers, {});
  } catch (const InvalidArgument&) {
    return std::nullopt;
  }
}

inline std::optional<Mechanism> with_value(const Mechanism& m, const Parameter& p, double value) {
  auto values = m.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (m.parameters()[i].name == p.name) values[i] = value;
  }
  return with_values(m, values);
}

// The values of a mechanism, and those with up to `changes` of them at a corner.
inline std::vector<std::vector<double>> corner_settings(const Mechanism& m, std::size_t changes) {
  const auto usual = m.values();
  std::vector<std::vector<double>> settings{usual};
  std::vector<std::size_t> changed{0};
  for (std::size_t i = 0; i < usual.size(); ++i) {
    for (std::size_t k = settings.size(); k-- > 0;) {
      if (changed[k] == changes) continue;
      for (const double corner : corner_values(m.parameters()[i], usual[i])) {
        if (corner == usual[i]) continue;
        settings.push_back(settings[k]);
        settings.back()[i] = corner;
        changed.push_back(changed[k] + 1);
      }
    }
  }
  return settings;
}

// Every combination of corner values of any two of one mechanism's parameters, where they go together. Its tables are
// the usual ones.
inline std::vector<Mechanism> corners_of(const Mechanism& mechanism, std::size_t changes = 2) {
  std::vector<Mechanism> result;
  for (const auto& values : corner_settings(mechanism, changes)) {
    if (const auto m = with_values(mechanism, values)) result.push_back(*m);
  }
  return result;
}

// The loss is infinite with some probability, in one direction or the other: so are all divergences.
inline bool may_be_infinite(const Curve& curve) {
  return std::any_of(std::begin(both_directions), std::end(both_directions),
                     [&](Direction direction) { return curve.infinite_mass(direction).upper() > 0; });
}

inline std::vector<Mechanism> all_corners() {
  std::vector<Mechanism> result;
  for (const Mechanism& m : all_mechanisms()) {
    const auto corners = corners_of(m);
    result.insert(result.end(), corners.begin(), corners.end());
  }
  return result;
}

// An exception is the failure of one case, not the end of the test.
template <class Law>
void expect_no_throw(const Law& law) {
  try {
    law();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "threw: " << error.what();
  }
}

// Calls law(curve, direction) for every corner of every mechanism.
template <class Law>
void for_each_corner(const Law& law) {
  for (const Mechanism& m : all_corners()) {
    for (const Direction direction : both_directions) {
      SCOPED_TRACE(describe(m) + " " + name_of(direction));
      expect_no_throw([&] { law(*m.curve(), direction); });
    }
  }
}

// Not where only bounds at real orders are known, nor where the loss may be infinite, and K with it.
inline bool has_complex_points(const Curve& curve) {
  return curve.knowledge() != Knowledge::orders && !curve.finite_part();
}

// Plans without a stated relation are for add-or-remove-one, which some mechanisms refuse.
inline bool is_replacement_only(const Mechanism& m) { return !m.replacement_only().empty(); }

// Returns a relation under which the mechanism may run.
inline Neighbors relation_of(const Mechanism& m) {
  return is_replacement_only(m) ? Neighbors::replace_one : Neighbors::add_or_remove_one;
}

// Everyday settings of every mechanism that any relation allows, for laws that need no extremes.
inline std::vector<Mechanism> everyday_settings() {
  std::vector<Mechanism> result(all_mechanisms().begin(), all_mechanisms().end());
  std::erase_if(result, is_replacement_only);
  for (const Mechanism& m : {Mechanism(SampledGaussian{0.1, 0.7}), Mechanism(SampledGaussian{1e-4, 5}),
                             Mechanism(RandomizedResponse{0.9, 10}), Mechanism(Laplace{20}), Mechanism(Gaussian{10})}) {
    result.push_back(m);
  }
  return result;
}

inline const std::vector<double>& some_orders() {
  static const std::vector<double> orders{1, 1 + 1e-12, 1 + 1e-6, 1.001, 1.1, 1.5, 2,  2.5,
                                          3, 8,         32.5,     256,   1e3, 1e4, 1e5};
  return orders;
}

// Those of them where the curve is finite.
inline std::vector<double> some_orders_of(const Curve& curve) {
  std::vector<double> orders = some_orders();
  std::erase_if(orders, [&](double order) { return order > curve.last_order(); });
  return orders;
}

}  // namespace renyi::test
