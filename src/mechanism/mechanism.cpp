#include "renyi/mechanism.h"

#include <fmt/format.h>

#include <cmath>

#include "renyi/error.h"

namespace renyi {

std::string_view to_string(Neighbors neighbors) noexcept {
  switch (neighbors) {
    case Neighbors::add_or_remove_one: return "add-or-remove-one";
    case Neighbors::replace_one: return "replace-one";
    case Neighbors::zero_out: return "zero-out";
  }
  return "unknown";
}

bool Parameter::allows(double value) const noexcept {
  if (zero_allowed && value == 0) return true;
  const bool above = lowest_allowed ? value >= lowest : value > lowest;
  const bool below = highest_allowed ? value <= highest : value < highest;
  return above && below && (!whole || value == std::floor(value));
}

std::string Parameter::allowed() const {
  return fmt::format("{}{} in {}{}, {}{}", zero_allowed ? "0, or " : "", whole ? "a whole number" : "a number",
                     lowest_allowed ? "[" : "(", lowest, highest, highest_allowed ? "]" : ")");
}

Mechanism Mechanism::with(std::string_view parameter, double value) const {
  const auto table = parameters();
  std::vector<double> changed = values();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name != parameter) continue;
    changed[i] = value;
    Mechanism result(self_->with(changed));
    result.check();
    return result;
  }
  throw InvalidArgument(std::string(parameter), fmt::format("{}", value), fmt::format("the parameters of {}", kind()));
}

void Mechanism::check() const {
  const auto table = parameters();
  const auto held = values();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!table[i].allows(held[i])) {
      throw InvalidArgument(std::string(table[i].name), fmt::format("{}", held[i]), table[i].allowed());
    }
  }
}

bool Mechanism::operator==(const Mechanism& other) const {
  return kind() == other.kind() && identity() == other.identity() && values() == other.values();
}

}  // namespace renyi
