// Histories of Opacus accountants: one row [noise_multiplier, sample_rate, steps] for each run of equal steps.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "convert/noise.h"
#include "convert/record.h"

namespace renyi::convert {
namespace {

using json::Field;

constexpr std::string_view row_allowed = "[noise_multiplier, sample_rate, steps]";

// Whose rows mean this. "renyi" is ours in Opacus.
constexpr std::array<std::string_view, 4> accountants{"rdp", "gdp", "prv", "renyi"};

void check_accountant(const Field& name) {
  if (std::find(accountants.begin(), accountants.end(), name.text()) != accountants.end()) return;
  name.refuse(Field::one_of(accountants));
}

Field history_of(const Field& record) {
  if (!record.value().is_object()) return record;
  record.allow_only(std::array<std::string_view, 2>{"history", "mechanism"});
  if (const auto accountant = record.find("mechanism")) check_accountant(*accountant);
  return record.require("history", fmt::format("an array of rows {}", row_allowed));
}

std::int64_t read_steps(const Field& steps) { return steps.integer(0, std::numeric_limits<std::int64_t>::max()); }

// One step is Gaussian noise on a Poisson sample, whichever accountant kept the history.
std::optional<Mechanism> mechanism_of(const Field& noise_field, double noise, double rate, Neighbors neighbors) {
  if (noise == 0) return std::nullopt;
  if (rate == 1) return gaussian_of(noise, neighbors);
  read_parameter(noise_field, "noise_multiplier", SampledGaussian::parameters()[1]);
  return SampledGaussian{rate, noise};
}

void add_row(Parts& parts, const Field& row, Neighbors neighbors) {
  if (!row.value().is_array() || row.value().size() != 3) row.refuse(row_allowed);
  const auto items = row.items();
  const double noise = read_noise(items[0], "noise_multiplier", Gaussian::parameters()[0]);
  const double rate = read_parameter(items[1], "sample_rate", SampledGaussian::parameters()[0]);
  const std::int64_t steps = read_steps(items[2]);
  if (steps == 0 || rate == 0) return;
  parts.push_back({mechanism_of(items[0], noise, rate, neighbors), steps, row.path()});
}

}  // namespace

Converted from_opacus(const Field& record, Neighbors neighbors) {
  Parts parts;
  for (const Field& row : history_of(record).items()) add_row(parts, row, neighbors);
  return assemble(parts, neighbors, record.path());
}

}  // namespace renyi::convert
