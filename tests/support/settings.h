// Corner settings of every mechanism, derived from its table of parameters: a new
// mechanism is covered by every law without an entry here.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "renyi/mechanism.h"
#include "support/corner_values.h"
#include "support/expect.h"

namespace renyi::test {

inline std::string describe(const Mechanism& m) { return fmt::format("{}({})", m.kind(), fmt::join(m.values(), ", ")); }

inline std::vector<Mechanism> with_each(const std::vector<Mechanism>& settings, const Parameter& p) {
  std::vector<Mechanism> result;
  for (const Mechanism& m : settings) {
    const auto table = m.parameters();
    const auto which = std::find_if(table.begin(), table.end(), [&](const Parameter& x) { return x.name == p.name; });
    const double usual = m.values().at(static_cast<std::size_t>(which - table.begin()));
    for (const double v : corner_values(p, usual)) result.push_back(m.with(p.name, v));
  }
  return result;
}

// Every combination of corner values of one mechanism's parameters.
inline std::vector<Mechanism> corners_of(const Mechanism& mechanism) {
  std::vector<Mechanism> settings{mechanism};
  for (const Parameter& p : mechanism.parameters()) settings = with_each(settings, p);
  return settings;
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

// Everyday settings of every mechanism, for laws that need no extremes.
inline std::vector<Mechanism> everyday_settings() {
  std::vector<Mechanism> result(all_mechanisms().begin(), all_mechanisms().end());
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
