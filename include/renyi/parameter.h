// One number of a mechanism or of a sampling scheme: its name in plans, its range, its default.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace renyi {

// What a larger value of a parameter does to the privacy cost.
enum class Effect { raises_cost, lowers_cost, not_monotone };

// One parameter of a mechanism: its name in plans, its range, its default.
struct Parameter {
  std::string_view name;
  std::string_view meaning;
  double lowest = 0;
  double highest = 0;
  bool lowest_allowed = true;   // is `lowest` itself allowed?
  bool highest_allowed = true;  // is `highest` itself allowed?
  bool zero_allowed = false;    // is 0 allowed although below `lowest`?
  bool whole = false;           // integers only
  std::optional<double> fallback{};
  Effect effect = Effect::not_monotone;

  bool allows(double value) const noexcept;
  std::string allowed() const;  // in words, for error messages and help
};

}  // namespace renyi
