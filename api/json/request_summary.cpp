#include "api/request_summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "api/json/content.h"
#include "api/json/request_summary.h"
#include "api/number_text.h"
#include "json/parse.h"
#include "json/write.h"
#include "renyi/error.h"
#include "renyi/mechanism.h"
#include "renyi/plan.h"

namespace renyi::api {

using json::Json;

namespace request_summary_file {
namespace {

constexpr const char* deeper = "> ";

std::string shown(const Json& value) {
  if (value.is_null()) return "?";  // the unknown number
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) return fmt::format("{} row{}", value.size(), value.size() == 1 ? "" : "s");
  return value.is_number_float() ? rounded(value.get<double>()) : value.dump();
}

// "poisson rate=0.01"
std::string sampling_words(const Json& sampling) {
  std::string words = sampling.at("scheme").get<std::string>();
  for (const auto& member : sampling.items()) {
    if (member.key() != "scheme") words += fmt::format(" {}={}", member.key(), shown(member.value()));
  }
  return words;
}

// The keys of a step that are no parameters of its mechanism.
constexpr std::array<std::string_view, 5> other_keys{"mechanism", "sampling", "count", "name", "comment"};

std::string describe_mechanism(const Json& step) {
  std::vector<std::string> words{step.at("mechanism").get<std::string>()};
  for (const auto& member : step.items()) {
    if (std::find(other_keys.begin(), other_keys.end(), member.key()) != other_keys.end()) continue;
    words.push_back(fmt::format("{}={}", member.key(), shown(member.value())));
  }
  if (step.contains("sampling")) words.push_back(sampling_words(step.at("sampling")));
  return fmt::format("{}", fmt::join(words, ", "));
}

// "the best of K runs, K geometric, mean=10"
std::string describe_selection(const Json& runs) {
  std::string words = fmt::format("the best of K runs, K {}", runs.at("law").get<std::string>());
  for (const auto& member : runs.items()) {
    if (member.key() != "law") words += fmt::format(", {}={}", member.key(), shown(member.value()));
  }
  return words;
}

std::string what_in_words(const Json& step) {
  if (step.contains("plan")) return "the group";
  if (step.contains("select")) return describe_selection(step.at("runs"));
  return step.contains("parallel") ? "disjoint parts, of which the costliest counts" : describe_mechanism(step);
}

std::string headline_of(const Json& step) {
  std::string words = what_in_words(step);
  if (step.contains("mechanism")) return words;
  return words + (step.contains("select") ? ", of:" : ":");
}

// "\"ages\": " before the step that is called so.
std::string name_of(const Json& step) {
  const auto name = step.find("name");
  if (name == step.end() || !name->is_string()) return "";
  return fmt::format("\"{}\": ", name->get<std::string>());
}

void list_mechanisms(const Json& steps, std::vector<std::string>& words) {
  for (const Json& step : steps) {
    words.push_back(what_in_words(step));
    if (step.contains("plan")) list_mechanisms(step.at("plan"), words);
  }
}

void list_steps(const Json& steps, const std::string& indent, std::vector<std::string>& lines) {
  for (const Json& step : steps) {
    const std::string count = step.contains("count") ? shown(step.at("count")) : "1";
    lines.push_back(fmt::format("{}{}{} x {}", indent, name_of(step), count, headline_of(step)));
    if (step.contains("plan")) list_steps(step.at("plan"), indent + deeper, lines);
    if (step.contains("select")) list_steps(step.at("select"), indent + deeper, lines);
    if (!step.contains("parallel")) continue;
    std::size_t number = 0;
    for (const Json& part : step.at("parallel")) {
      lines.push_back(fmt::format("{}{}part {}:", indent, deeper, ++number));
      list_steps(part, indent + deeper + deeper, lines);
    }
  }
}

// Calls `visit` for every step that names a mechanism, including those in groups, parallel parts and selections.
void for_each_mechanism(const Json& steps, const std::function<void(const Json& step)>& visit) {
  for (const Json& step : steps) {
    if (step.contains("mechanism")) visit(step);
    if (step.contains("plan")) for_each_mechanism(step.at("plan"), visit);
    if (step.contains("select")) for_each_mechanism(step.at("select"), visit);
    if (!step.contains("parallel")) continue;
    for (const Json& part : step.at("parallel")) for_each_mechanism(part, visit);
  }
}

// Returns the sampling scheme of a step, or std::nullopt for a step on all records.
std::optional<std::string> scheme_in(const Json& step) {
  if (step.contains("sampling")) return step.at("sampling").at("scheme").get<std::string>();
  if (step.contains("sampling_rate")) return std::string(to_string(Scheme::poisson));
  return std::nullopt;
}

// Returns true if the step's noise is stated relative to the contribution of one record.
bool is_additive_noise(const Json& step) {
  const auto kind = step.at("mechanism").get<std::string>();
  return kind == SampledGaussian::kind || find_mechanism(kind)->is_additive_noise();
}

// Returns true if one record may be replaced by another in the sample.
bool exchanges(const Json& step, std::string_view relation) {
  const auto scheme = scheme_in(step);
  if (!scheme || !is_additive_noise(step)) return false;
  return relation == to_string(Neighbors::replace_one) || *scheme == to_string(Scheme::fixed_size) ||
         *scheme == to_string(Scheme::with_replacement);
}

std::vector<Scheme> schemes_in(const Json& steps) {
  std::vector<Scheme> found;
  for (const Scheme scheme : all_schemes) {
    bool used = false;
    for_each_mechanism(steps, [&](const Json& step) { used = used || scheme_in(step) == to_string(scheme); });
    if (used) found.push_back(scheme);
  }
  return found;
}

// Returns what answers about shuffled epochs of the mechanism assume.
std::string assumed_if_shuffled(const Mechanism& mechanism) {
  if (!mechanism.sampling_obstacle().empty()) return {};
  try {
    return assumption(Plan(Neighbors::replace_one).add(mechanism.sampled_by(Sampling::shuffled(1))));
  } catch (const Unsupported&) {
    return {};
  }
}

}  // namespace
}  // namespace request_summary_file

// Uses only the names of the mechanisms, because a step may have an unknown number.
std::string assumption_in(const Json& steps, std::string_view relation) {
  std::vector<std::string> texts;
  const bool kept = relation != to_string(Neighbors::add_or_remove_one);
  request_summary_file::for_each_mechanism(steps, [&](const Json& step) {
    const Mechanism* known = find_mechanism(step.at("mechanism").get<std::string>());
    if (known == nullptr) return;
    const bool shuffled = request_summary_file::scheme_in(step) == to_string(Scheme::shuffled);
    const std::string text = shuffled ? request_summary_file::assumed_if_shuffled(*known)
                                      : std::string(kept ? std::string_view{} : known->notes().assumes);
    if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  });
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::vector<std::string> steps_in_words(const Json& steps) {
  std::vector<std::string> lines;
  request_summary_file::list_steps(steps, "", lines);
  return lines;
}

RequestSummary summary_of_request(const Document& request) {
  const Json& members = opened(request);
  const Json none = Json::array();
  const Json& steps = members.contains("steps") ? members.at("steps") : none;
  RequestSummary summary{.neighbors = members.value("neighbors", std::string(to_string(Neighbors::add_or_remove_one))),
                         .unit = members.contains("unit") && members.at("unit").is_number_integer()
                                     ? members.at("unit").get<std::int64_t>()
                                     : 1};
  summary.steps = steps_in_words(steps);
  request_summary_file::list_mechanisms(steps, summary.mechanisms);
  summary.schemes = request_summary_file::schemes_in(steps);
  request_summary_file::for_each_mechanism(steps, [&](const Json& step) {
    summary.exchanges = summary.exchanges || request_summary_file::exchanges(step, summary.neighbors);
  });
  summary.assumes = assumption_in(steps, summary.neighbors);
  if (members.contains("delta") && members.at("delta").is_number()) summary.delta = members.at("delta").get<double>();
  return summary;
}

std::string plan_in_lines(std::string_view plan_file) {
  const Json plan = json::parse(plan_file);
  std::string head, steps;
  for (const auto& member : plan.items()) {
    if (member.key() != "steps") head += fmt::format("{}:{},", Json(member.key()).dump(), json::write(member.value()));
  }
  for (const Json& step : plan.at("steps")) steps += (steps.empty() ? "\n  " : ",\n  ") + json::write(step);
  return fmt::format("{{{}\"steps\":[{}]}}", head, steps);
}

}  // namespace renyi::api
