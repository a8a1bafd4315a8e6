// Reads a "run": its sizes, and the numbers of one mechanism.
#include "api/json/run.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "api/json/content.h"
#include "api/run.h"
#include "json/parse.h"
#include "json/show.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/mechanism.h"

namespace renyi::api {

using json::Field;
using json::Json;

namespace run_file {
namespace {

constexpr std::string_view run_key = "run";
constexpr std::string_view mechanism_key = "mechanism";
constexpr std::string_view noise_key = "noise_multiplier";
constexpr std::string_view rate_key = "sampling_rate";
constexpr std::array<std::string_view, 8> size_keys{"dataset_size", "batch_size", "accumulation", "epochs",
                                                    "steps",        rate_key,     "sampling",     "batch_limit"};

bool is_size(std::string_view key) { return std::find(size_keys.begin(), size_keys.end(), key) != size_keys.end(); }

// Returns the mechanism that the run names; nullptr if the run gives its noise only, or if the name is unknown.
const Mechanism* named_in(const Field& run) {
  const auto name = run.find(mechanism_key);
  return name && name->value().is_string() ? find_mechanism(name->text()) : nullptr;
}

void check_keys(const Field& run) {
  std::vector<std::string_view> keys(size_keys.begin(), size_keys.end());
  keys.push_back(mechanism_key);
  const Mechanism* mechanism = named_in(run);
  if (mechanism == nullptr) {
    keys.push_back(noise_key);
  } else {
    for (const Parameter& parameter : mechanism->parameters()) keys.push_back(parameter.name);
    for (const Alias& alias : mechanism->aliases()) keys.push_back(alias.name);
    for (const TableParameter& table : mechanism->tables()) keys.push_back(table.name);
  }
  // A misspelt key is reported as such, and not as the absence of the noise.
  if (mechanism != nullptr || !run.find(mechanism_key)) run.allow_only(keys);
  if (!run.find(mechanism_key)) run.require(noise_key, "a number, or \"mechanism\" with the numbers of another one");
}

std::optional<std::int64_t> whole_in(const Field& run, std::string_view key) {
  const auto field = run.find(key);
  if (!field || field->is_null()) return std::nullopt;
  return field->integer(1, std::numeric_limits<std::int64_t>::max());
}

std::optional<double> number_in(const Field& run, std::string_view key) {
  const auto field = run.find(key);
  return field && !field->is_null() ? std::optional(field->number()) : std::nullopt;
}

RunSizes sizes_in(const Field& run) {
  for (const std::string_view key : {"accumulation", "sampling"}) {
    const auto field = run.find(key);
    if (field && field->is_null()) field->refuse("a value: it is not solved for");
  }
  RunSizes sizes{.dataset_size = whole_in(run, "dataset_size"),
                 .batch_size = whole_in(run, "batch_size"),
                 .accumulation = whole_in(run, "accumulation"),
                 .epochs = number_in(run, "epochs"),
                 .steps = whole_in(run, "steps"),
                 .sampling_rate = number_in(run, rate_key),
                 .sampling = {},
                 .batch_limit = whole_in(run, "batch_limit")};
  if (const auto name = run.find("sampling")) sizes.sampling = name->choose<Scheme>(all_schemes);
  return sizes;
}

// Returns the size that is null, if any. There is at most one null in the run.
std::optional<UnknownSize> open_in(const Field& run) {
  std::string open;
  for (const auto& member : run.value().items()) {
    if (!member.value().is_null()) continue;
    const Field field(member.value(), json::member_path(run.path(), member.key()));
    if (!open.empty()) {
      field.refuse("one null in a request, and " + json::member_path(run.path(), open) + " is null already");
    }
    open = member.key();
  }
  for (const UnknownSize size : all_unknown_sizes) {
    if (to_string(size) == open) return size;
  }
  return std::nullopt;
}

ResolvedRun parts_in(const Field& run) {
  try {
    return resolved_run(sizes_in(run), open_in(run));
  } catch (const InvalidArgument& error) {
    // Errors of the JSON reader have their path already.
    if (!is_size(error.path())) throw;
    throw InvalidArgument(json::member_path(run.path(), error.path()), error.value(), error.allowed());
  }
}

// Poisson sampling of noise that is given by its multiplier is a mechanism of its own, sampled-gaussian.
bool samples_by_itself(const Field& run, const ResolvedRun& parts) {
  if (parts.scheme != Scheme::poisson) return false;
  if (!run.find(mechanism_key)) return true;
  const Mechanism* mechanism = named_in(run);
  if (mechanism == nullptr) return false;
  const auto all = mechanism->parameters();
  return std::any_of(all.begin(), all.end(), [](const Parameter& parameter) { return parameter.name == rate_key; });
}

Json number_of(const SchemeNumber& number) {
  if (number.rate) return *number.rate;
  return number.whole ? Json(*number.whole) : Json(nullptr);
}

Json sampling_in(const ResolvedRun& parts) {
  Json sampling = Json::object();
  sampling["scheme"] = std::string(to_string(*parts.scheme));
  for (const SchemeNumber& number : parts.numbers) sampling[std::string(number.name)] = number_of(number);
  return sampling;
}

// An unknown batch size may determine the count too: only one of the two numbers is written as null.
Json count_in(const ResolvedRun& parts) {
  if (parts.count) return *parts.count;
  return parts.unknown == UnknownSize::batch_size ? Json(1) : Json(nullptr);
}

Json step_in(const Field& run, const ResolvedRun& parts) {
  const bool by_itself = samples_by_itself(run, parts);
  Json step = Json::object();
  if (!run.find(mechanism_key)) step[std::string(mechanism_key)] = by_itself ? "sampled-gaussian" : "gaussian";
  for (const auto& member : run.value().items()) {
    if (!is_size(member.key())) step[member.key()] = member.value();
  }
  if (by_itself) step[std::string(rate_key)] = number_of(parts.numbers.front());
  if (parts.scheme && !by_itself) step["sampling"] = sampling_in(parts);
  step["count"] = count_in(parts);
  return step;
}

std::optional<double> delta_in(const Field& request) {
  const auto delta = request.find("delta");
  return delta && delta->value().is_number() ? std::optional(delta->number()) : std::nullopt;
}

// Adds the dataset size of the run, and puts the rules of the run before the remarks of the request.
void add_to_report(Json& members, const ResolvedRun& parts) {
  if (parts.dataset_size && !members.contains("dataset_size")) members["dataset_size"] = *parts.dataset_size;
  Json remarks = parts.rules();
  if (members.contains("remarks")) {
    if (!members.at("remarks").is_array()) return;  // rejected when it is read
    for (const Json& remark : members.at("remarks")) remarks.push_back(remark);
  }
  members["remarks"] = std::move(remarks);
}

// Returns the name that a number of the step has in the run.
std::string name_in_run(std::string_view key, std::optional<UnknownSize> unknown) {
  constexpr std::string_view of_sampling = "sampling.";
  if (key.starts_with(of_sampling)) key.remove_prefix(of_sampling.size());
  if (key == "count") return unknown == UnknownSize::epochs ? "epochs" : "steps";
  const std::string name(size_behind(key));
  return unknown == UnknownSize::batch_size && name == rate_key ? "batch_size" : name;
}

// Translates a path in the steps to one in the run, which is at `run_path`.
std::string place_in_run(std::string_view path, const std::string& run_path, std::optional<UnknownSize> unknown) {
  constexpr std::string_view step_path = "steps[0]";
  if (path == "steps" || path == step_path) return run_path;
  if (!path.starts_with(step_path) || path[step_path.size()] != '.') return std::string(path);
  return json::member_path(run_path, name_in_run(path.substr(step_path.size() + 1), unknown));
}

void complete(Json& answer, const Field& request, const ResolvedRun& parts, const std::string& run_path) {
  if (const auto path = answer.find("path"); path != answer.end() && path->is_string()) {
    const auto place = path->get<std::string>();
    const std::string in_run = place_in_run(place, run_path, parts.unknown);
    if (in_run != place) {
      answer["path"] = in_run;
      answer["parameter"] = in_run.substr(run_path.size() + 1);
    }
  }
  if (const auto overflows = answer.find("sampling"); overflows != answer.end() && overflows->is_array()) {
    for (Json& overflow : *overflows) {
      overflow["path"] = place_in_run(overflow.at("path").get<std::string>(), run_path, parts.unknown);
    }
  }
  Json& run = answer[std::string(run_key)] = Json::object();
  if (parts.count) run["steps"] = *parts.count;
  if (parts.scheme) run["sampling"] = sampling_in(parts);
  run["rules"] = parts.rules();
  Json& warnings = answer["warnings"] = Json::array();
  for (const RunWarning& warning : warnings_of(parts, delta_in(request))) {
    warnings.push_back(Json::object({{"kind", std::string(to_string(warning.kind))}, {"message", warning.text}}));
  }
}

}  // namespace
}  // namespace run_file

ReadRun::ReadRun(const Field& run) : path_(run.path()) {
  run_file::check_keys(run);
  parts_ = run_file::parts_in(run);
  step_ = run_file::step_in(run, parts_);
}

std::string ReadRun::place_of(std::string_view path) const {
  return run_file::place_in_run(path, path_, parts_.unknown);
}

InvalidArgument ReadRun::renamed(const InvalidArgument& error) const {
  return {place_of(error.path()), error.value(), error.allowed()};
}

Unsupported ReadRun::renamed(const Unsupported& error) const {
  return {place_of(error.path()), error.why(), error.instead()};
}

void ReadRun::complete(Json& answer, const Field& request) const { run_file::complete(answer, request, parts_, path_); }

std::string with_run(std::string_view answer, const Document& request, const ResolvedRun& parts) {
  Json members = json::parse(answer);
  run_file::complete(members, Field(opened(request)), parts, std::string(run_file::run_key));
  // What is assumed comes last, as in the answers of the table of operations.
  if (const auto found = members.find("assumes"); found != members.end()) {
    Json assumed = *found;
    members.erase(found);
    members["assumes"] = std::move(assumed);
  }
  return json::write(members);
}

Json written_out(const Field& request, const ReadRun& run, bool is_report) {
  if (const auto steps = request.find("steps")) steps->refuse("nothing beside \"run\", which says the steps");
  Json members = request.value();
  members.erase(std::string(run_file::run_key));
  members["steps"] = Json::array({run.step()});
  if (is_report) run_file::add_to_report(members, run.parts());
  return members;
}

Document document_of(const SchemeNumber& number) { return document_of(run_file::number_of(number)); }

Document sampling_of(const ResolvedRun& parts) { return document_of(run_file::sampling_in(parts)); }

Document count_of(const ResolvedRun& parts) { return document_of(run_file::count_in(parts)); }

Plan plan_from_run(std::string_view text, const char* neighbors) {
  const Json told = json::parse(text);
  const ReadRun run{Field(told)};
  Json members = Json::object();
  if (neighbors != nullptr) members["neighbors"] = neighbors;
  members["steps"] = Json::array({run.step()});
  try {
    return plan::read_plan(Field(members));
  } catch (const InvalidArgument& error) {
    throw run.renamed(error);
  } catch (const Unsupported& error) {
    throw run.renamed(error);
  }
}

}  // namespace renyi::api
