#include "renyi/mechanism.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "renyi/error.h"

namespace renyi {

namespace {

struct NamedNeighbors {
  Neighbors neighbors;
  std::string_view name;
};
constexpr std::array<NamedNeighbors, 3> neighbor_names{{
    {Neighbors::add_or_remove_one, "add-or-remove-one"},
    {Neighbors::replace_one, "replace-one"},
    {Neighbors::zero_out, "zero-out"},
}};

}  // namespace

std::string_view to_string(Neighbors neighbors) noexcept {
  for (const auto& row : neighbor_names) {
    if (row.neighbors == neighbors) return row.name;
  }
  return "unknown";
}

std::optional<Neighbors> neighbors_from(std::string_view text) noexcept {
  for (const auto& row : neighbor_names) {
    if (row.name == text) return row.neighbors;
  }
  return std::nullopt;
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
  return kind() == other.kind() && values() == other.values();
}

}  // namespace renyi
