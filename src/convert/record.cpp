#include "convert/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "convert/recorded_steps.h"
#include "json/parse.h"

namespace renyi {
namespace convert {

using json::Field;

namespace record_file {
namespace {

// Histories of Opacus accountants have one row for each run of equal steps.
constexpr std::string_view row_allowed = "[noise_multiplier, sample_rate, steps]";

// The accountants whose rows have this meaning. "renyi" is the name of renyi's accountant in Opacus.
constexpr std::array<std::string_view, 4> accountants{"rdp", "gdp", "prv", "renyi"};

void check_accountant(const Field& name) {
  if (std::find(accountants.begin(), accountants.end(), name.text()) != accountants.end()) return;
  name.refuse_name(accountants);
}

Field history_of(const Field& record) {
  if (!record.value().is_object()) return record;
  record.allow_only(std::array<std::string_view, 2>{"history", "mechanism"});
  if (const auto accountant = record.find("mechanism")) check_accountant(*accountant);
  return record.require("history", fmt::format("an array of rows {}", row_allowed));
}

std::int64_t read_steps(const Field& steps) { return steps.integer(0, std::numeric_limits<std::int64_t>::max()); }

// One step is Gaussian noise on a Poisson sample, for all of these accountants. Without noise the sampled records are
// revealed.
Mechanism mechanism_of(const Field& noise_field, double noise, double rate, Neighbors neighbors) {
  if (rate == 1) return gaussian_of(noise, neighbors);
  if (noise == 0) return non_private().sampled_by(Sampling::poisson(rate));
  read_parameter(noise_field, "noise_multiplier", parameter_of(SampledGaussian::kind, "noise_multiplier"));
  return SampledGaussian{rate, noise};
}

void add_row(RecordedSteps& parts, const Field& row, Neighbors neighbors) {
  if (!row.value().is_array() || row.value().size() != 3) row.refuse(row_allowed);
  const auto items = row.items();
  const double noise = read_noise(items[0], "noise_multiplier", parameter_of(Gaussian::kind, "stddev"));
  const double rate = read_parameter(items[1], "sample_rate", parameter_of(SampledGaussian::kind, "sampling_rate"));
  const std::int64_t steps = read_steps(items[2]);
  if (steps == 0 || rate == 0) return;
  parts.push_back({mechanism_of(items[0], noise, rate, neighbors), steps, row.path()});
}

}  // namespace
}  // namespace record_file

Plan from_opacus(const Field& record, Neighbors neighbors) {
  RecordedSteps parts;
  for (const Field& row : record_file::history_of(record).items()) record_file::add_row(parts, row, neighbors);
  return assemble(parts, neighbors, record.path());
}

namespace record_file {
namespace {

bool is_opacus(const json::Json& record) {
  if (record.is_object()) return record.contains("history");
  return record.is_array() && (record.empty() || record.front().is_array());
}

// A named tuple starts with its module's name; no entry of a history starts with a string.
bool is_dp_event(const json::Json& record) {
  if (record.is_object()) return record.contains("class_name");
  return record.is_array() && !record.empty() && record.front().is_string();
}

}  // namespace
}  // namespace record_file

std::string_view to_string(Tool tool) noexcept { return tool == Tool::opacus ? "opacus" : "dp_accounting"; }

Tool tool_of(const json::Field& record) {
  const bool opacus = record_file::is_opacus(record.value());
  if (opacus == record_file::is_dp_event(record.value())) {
    record.refuse(
        "the history or state of an Opacus accountant, or a dp_accounting event in its named-tuple form "
        "(docs/format/convert.md)");
  }
  return opacus ? Tool::opacus : Tool::dp_accounting;
}

Plan from(Tool tool, const json::Field& record, Neighbors neighbors) {
  return tool == Tool::opacus ? from_opacus(record, neighbors) : from_dp_events(record, neighbors);
}

}  // namespace convert

Plan convert_opacus(std::string_view text, Neighbors neighbors) {
  const json::Json document = json::parse(text);
  return convert::from_opacus(json::Field(document), neighbors);
}

Plan convert_dp_events(std::string_view text, Neighbors neighbors) {
  const json::Json document = json::parse(text);
  return convert::from_dp_events(json::Field(document), neighbors);
}

}  // namespace renyi
