// {"op":"report","steps":[...],"delta":1e-5,"formats":["markdown"]} -> the facts of a privacy statement, and its text:
//   {"renyi","delta","dataset_size"?,"plan","epsilon":{...},"relatives","promises","tradeoff",...,"markdown"?,"html"?}
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/ops.h"
#include "api/json/options.h"
#include "api/statement/statement.h"
#include "json/parse.h"
#include "json/write.h"
#include "renyi/error.h"
#include "renyi/notes.h"
#include "renyi/plan.h"
#include "renyi/plan_json.h"
#include "renyi/select.h"
#include "renyi/version.h"

namespace renyi::api {

namespace report_file {
namespace {

using json::Field;
using json::Json;

// How often a record may contribute to the rounds of one step, as the step's figures assume.
struct Contributions {
  std::string mechanism{};
  double participations = 1;  // rounds, at most
  double min_separation = 1;  // rounds from one to the next, at least
  bool fixed_order = false;   // exactly so many apart

  bool operator==(const Contributions&) const = default;
};

// What a plan consists of.
struct Inventory {
  std::vector<Mechanism> mechanisms{};         // each kind once, without its sampling, in order of first use
  std::vector<Scheme> schemes{};               // each once
  bool on_all_records = false;                 // some step is not sampled
  std::vector<Contributions> contributions{};  // each once
  bool parallel = false;
  bool selection = false;
  std::optional<double> dataset_size{};  // where a sampling knows it, and all that do agree
  std::vector<Reference> references{};   // each once
};

// Mechanisms of one's own share a kind, and are told apart by their names.
bool is_same_kind(const Mechanism& left, const Mechanism& right) {
  return left.kind() == right.kind() && left.summary() == right.summary();
}

// The value of a parameter, defaults included; nothing where the mechanism has no such parameter.
std::optional<double> value_of(const Mechanism& mechanism, std::string_view name) {
  const auto parameters = mechanism.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == name) return mechanism.values()[i];
  }
  return std::nullopt;
}

std::optional<Contributions> contributions_of(const Mechanism& mechanism) {
  const auto participations = value_of(mechanism, "participations");
  if (!participations) return std::nullopt;
  return Contributions{.mechanism = std::string(mechanism.kind()),
                       .participations = *participations,
                       .min_separation = value_of(mechanism, "min_separation").value_or(1),
                       .fixed_order = value_of(mechanism, "fixed_order").value_or(0) != 0};
}

class Collector {
 public:
  void add(const Steps& steps) {
    for (const Step& step : steps) {
      if (const auto* mechanism = std::get_if<Mechanism>(&step.what)) {
        add(*mechanism);
      } else {
        add(std::get<Steps>(step.what));
      }
    }
  }

  Inventory found() && {
    if (sizes_agree_) found_.dataset_size = size_;
    return std::move(found_);
  }

 private:
  void add(const Mechanism& mechanism) {
    if (const auto* parallel = mechanism.get_if<Parallel>()) {
      found_.parallel = true;
      for (const Steps& part : parallel->parts()) add(part);
    } else if (const auto* select = mechanism.get_if<Select>()) {
      found_.selection = true;
      add_references(Select::notes());
      add(select->steps());
    } else {
      add_kind(mechanism.unsampled());
      add_contributions(mechanism.unsampled());
      add_sampling(mechanism);
    }
  }

  void add_kind(const Mechanism& mechanism) {
    auto& all = found_.mechanisms;
    const auto same = [&](const Mechanism& known) { return is_same_kind(known, mechanism); };
    if (std::any_of(all.begin(), all.end(), same)) return;
    all.push_back(mechanism);
    add_references(mechanism.notes());
  }

  void add_contributions(const Mechanism& mechanism) {
    const auto rule = contributions_of(mechanism);
    auto& all = found_.contributions;
    if (rule && std::find(all.begin(), all.end(), *rule) == all.end()) all.push_back(*rule);
  }

  void add_references(const Notes& notes) {
    for (const Reference& reference : notes.references) {
      auto& all = found_.references;
      const auto same = [&](const Reference& known) { return known.key == reference.key; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(reference);
    }
  }

  void add_sampling(const Mechanism& mechanism) {
    if (const Sampling* sampling = mechanism.sampling()) {
      add_scheme(sampling->scheme);
      if (sampling->dataset_size > 0) add_size(sampling->dataset_size);
    } else if (mechanism.get_if<SampledGaussian>() != nullptr) {
      add_scheme(Scheme::poisson);
    } else {
      found_.on_all_records = true;
    }
  }

  void add_scheme(Scheme scheme) {
    auto& all = found_.schemes;
    if (std::find(all.begin(), all.end(), scheme) == all.end()) all.push_back(scheme);
  }

  void add_size(double records) {
    sizes_agree_ = sizes_agree_ && (!size_ || *size_ == records);
    size_ = records;
  }

  Inventory found_;
  std::optional<double> size_;
  bool sizes_agree_ = true;
};

// Groups, parallel parts and selections included.
Inventory inventory_of(const Plan& plan) {
  Collector collector;
  collector.add(plan.steps());
  return std::move(collector).found();
}

struct StatementAsked {
  Json exact_options = Json::object();  // "delta", "tolerance" and "memory", as the operations take them
  std::string title{};                  // empty: the usual one
  std::vector<std::string> remarks{};   // on what was run, by whoever asks
  std::optional<std::int64_t> dataset_size{};
};

// What is shown of the promises: a rare bad outcome, the orders of the curve, factors that would be noticed.
const Json usual_promises = Json::parse(R"({"baseline":[0.01],"orders":[2,4,8,16,32,64],"factors":[10,100]})");
const Json usual_errors = Json::parse(R"({"type_1_errors":[0.001,0.01,0.1]})");

Json unavailable(const std::string& why) { return Json::object({{"unavailable", why}}); }

// The answer of another operation, or why there is none.
Json part_by(const Op& op, const Json& members, const Plan& plan) {
  try {
    return op.run(Request(members, &plan));
  } catch (const Unsupported& error) {
    return unavailable(error.why());
  } catch (const NotConverged& error) {
    return unavailable(error.what());
  }
}

Json relative(const Plan& plan, const char* notion) {
  const Json found = part_by(relate_op, Json::object({{"to", notion}}), plan);
  return found.contains(notion) ? found.at(notion) : found;
}

Json relatives_of(const Plan& plan) {
  Json all = Json::object();
  for (const char* notion : {"pure", "zcdp", "gdp"}) all[notion] = relative(plan, notion);
  return all;
}

Json errors_asked(const Json& exact_options) {
  Json members = usual_errors;
  for (const char* key : {"tolerance", "memory"}) {
    if (exact_options.contains(key)) members[key] = exact_options.at(key);
  }
  return members;
}

// Mechanisms of one's own have no form in plan files.
Json document_of(const Plan& plan) {
  try {
    return json::parse(write_plan(plan));
  } catch (const Unsupported& error) {
    return unavailable(error.why());
  }
}

Json mechanisms_in(const Inventory& found) {
  Json all = Json::array();
  for (const Mechanism& mechanism : found.mechanisms) {
    all.push_back(
        Json::object({{"kind", std::string(mechanism.kind())}, {"summary", std::string(mechanism.summary())}}));
  }
  return all;
}

Json references_in(const Inventory& found) {
  Json all = Json::array();
  for (const Reference& reference : found.references) {
    all.push_back(Json::object({{"key", std::string(reference.key)},
                                {"text", std::string(reference.text)},
                                {"bibtex", std::string(reference.bibtex)}}));
  }
  return all;
}

Json sampling_in(const Inventory& found) {
  Json schemes = Json::array();
  for (const Scheme scheme : found.schemes) schemes.push_back(std::string(to_string(scheme)));
  return Json::object({{"schemes", schemes}, {"on_all_records", found.on_all_records}});
}

Json contributions_in(const Inventory& found) {
  Json all = Json::array();
  for (const Contributions& rule : found.contributions) {
    all.push_back(Json::object({{"mechanism", rule.mechanism},
                                {"participations", static_cast<std::int64_t>(rule.participations)},
                                {"min_separation", static_cast<std::int64_t>(rule.min_separation)},
                                {"fixed_order", rule.fixed_order}}));
  }
  return all;
}

Json forms_in(const Inventory& found) {
  Json forms = Json::array();
  if (found.parallel) forms.push_back("parallel");
  if (found.selection) forms.push_back("select");
  return forms;
}

void describe_plan(Json& facts, const Plan& plan, const Inventory& found) {
  facts["plan"] = document_of(plan);
  facts["neighbors"] = std::string(to_string(plan.neighbors()));
  facts["unit"] = plan.unit();
  if (std::string text = assumption(plan); !text.empty()) facts["assumes"] = std::move(text);
  facts["mechanisms"] = mechanisms_in(found);
  facts["forms"] = forms_in(found);
  facts["sampling"] = sampling_in(found);
  if (!found.contributions.empty()) facts["contributions"] = contributions_in(found);
}

// Samplings in parallel parts know the size of their part.
void check_size(std::int64_t records, const Inventory& found) {
  if (found.parallel || !found.dataset_size || static_cast<double>(records) == *found.dataset_size) return;
  throw InvalidArgument("dataset_size", std::to_string(records),
                        fmt::format("{}, as the sampling of the plan says", *found.dataset_size));
}

// As whoever asks says, or as the samplings know.
std::optional<std::int64_t> records_in(const StatementAsked& asked, const Inventory& found) {
  if (asked.dataset_size || !found.dataset_size) return asked.dataset_size;
  return static_cast<std::int64_t>(*found.dataset_size);
}

// All that a statement says of the plan, as one document: the answers of the other operations, and what the plan
// consists of. The words are made of it alone (statement.h).
// Throws what "epsilon" throws; any other part that cannot be given is {"unavailable": why}.
Json facts_of(const Plan& plan, const StatementAsked& asked) {
  const Inventory found = inventory_of(plan);
  if (asked.dataset_size) check_size(*asked.dataset_size, found);
  Json facts = Json::object();
  facts["renyi"] = std::string(version);
  if (!asked.title.empty()) facts["title"] = asked.title;
  facts["delta"] = asked.exact_options.at("delta");
  if (const auto records = records_in(asked, found)) facts["dataset_size"] = *records;
  describe_plan(facts, plan, found);
  facts["remarks"] = asked.remarks;
  facts["epsilon"] = epsilon_op.run(Request(asked.exact_options, &plan));
  facts["relatives"] = relatives_of(plan);
  facts["promises"] = part_by(explain_op, usual_promises, plan);
  facts["tradeoff"] = part_by(tradeoff_op, errors_asked(asked.exact_options), plan);
  facts["references"] = references_in(found);
  return facts;
}

constexpr std::array<std::string_view, 7> keys{"delta",   "dataset_size", "title", "remarks",
                                               "formats", "tolerance",    "memory"};
constexpr std::size_t longest_line = 1000;

struct Format {
  std::string_view name;
  std::string (*write)(const Page& document);
};
constexpr std::array<Format, 2> all_formats{{{"markdown", markdown}, {"html", html}}};

const Format& read_format(const Field& name) {
  for (const Format& format : all_formats) {
    if (format.name == name.value()) return format;
  }
  name.refuse("one of markdown, html");
}

std::vector<Format> read_formats(const Field& request) {
  const auto field = request.find("formats");
  if (!field) return {};
  if (!field->value().is_array()) field->refuse("an array of markdown, html");
  std::vector<Format> formats;
  for (const Field& name : field->items()) formats.push_back(read_format(name));
  return formats;
}

std::string read_line(const Field& field) {
  constexpr std::string_view allowed = "a text of 1 to 1000 bytes on one line";
  if (!field.value().is_string()) field.refuse(allowed);
  const std::string& line = field.text();
  if (line.empty() || line.size() > longest_line || line != on_one_line(line)) field.refuse(allowed);
  return line;
}

std::vector<std::string> read_remarks(const Field& request) {
  const auto field = request.find("remarks");
  if (!field) return {};
  if (!field->value().is_array()) field->refuse("an array of texts");
  std::vector<std::string> remarks;
  for (const Field& remark : field->items()) remarks.push_back(read_line(remark));
  return remarks;
}

StatementAsked read_asked(const Field& request) {
  StatementAsked asked;
  asked.exact_options["delta"] = read_delta(request);
  for (const char* key : {"tolerance", "memory"}) {
    if (const auto field = request.find(key)) asked.exact_options[key] = field->value();
  }
  if (const auto field = request.find("title")) asked.title = read_line(*field);
  if (const auto field = request.find("dataset_size")) {
    asked.dataset_size = field->integer(1, std::numeric_limits<std::int64_t>::max());
  }
  asked.remarks = read_remarks(request);
  return asked;
}

Json run(const Request& request) {
  const Plan plan = request.plan();
  const StatementAsked asked = read_asked(request);
  const auto formats = read_formats(request);
  Json answer = facts_of(plan, asked);
  if (formats.empty()) return answer;
  const Page document = statement_of(answer);
  for (const Format& format : formats) answer[std::string(format.name)] = format.write(document);
  return answer;
}

}  // namespace
}  // namespace report_file

constinit const Op report_op{"report", report_file::keys, report_file::run};

}  // namespace renyi::api
