// {"op":"report","steps":[...],"delta":1e-5,"formats":["markdown"]} -> the facts of a privacy statement, and its text:
//   {"renyi","delta","dataset_size"?,"plan","epsilon":{...},"shares","relatives","promises","tradeoff",...,"markdown"?,"html"?}
#include "api/report.h"

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "api/json/shared_writers.h"
#include "api/relate.h"
#include "api/statement/document.h"
#include "json/parse.h"
#include "json/write.h"
#include "renyi/version.h"

namespace renyi::api {

namespace report_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 7> keys{"delta",   "dataset_size", "title", "remarks",
                                               "formats", "tolerance",    "memory"};
constexpr std::size_t longest_line = 1000;

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

std::vector<StatementFormat> read_formats(const Field& request) {
  const auto field = request.find("formats");
  if (!field) return {};
  if (!field->value().is_array()) field->refuse("an array of markdown, html");
  std::vector<StatementFormat> formats;
  for (const Field& name : field->items()) formats.push_back(name.choose<StatementFormat>(all_statement_formats));
  return formats;
}

ReportRequest read(const Request& request) {
  ReportRequest asked{.plan = request.plan(), .delta = read_delta(request)};
  if (const auto field = request.find("title")) asked.title = read_line(*field);
  if (const auto field = request.find("dataset_size")) {
    asked.dataset_size = field->integer(1, std::numeric_limits<std::int64_t>::max());
  }
  asked.remarks = read_remarks(request);
  asked.formats = read_formats(request);
  asked.options = as_cost_options(read_want(request));
  return asked;
}

Json unavailable(const std::string& why) { return Json::object({{"unavailable", why}}); }

// Writes the value with `write`, or the reason why there is none.
template <class Value, class Write>
Json write_part(const Part<Value>& part, const Write& write) {
  return part ? write(*part) : unavailable(part.unavailable);
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

// Writes the answer that "relate" gives for this notion.
template <class Parameters>
Json relative_in(const Part<NotionAnswer<Parameters>>& part,
                 std::optional<NotionAnswer<Parameters>> RelateAnswer::*notion) {
  return write_part(part, [&](const NotionAnswer<Parameters>& relation) {
    RelateAnswer alone;
    alone.*notion = relation;
    return write_relation(by_name(alone).front().relations.front());
  });
}

Json relatives_in(const Relatives& relatives) {
  Json all = Json::object();
  all["pure"] = relative_in(relatives.pure, &RelateAnswer::pure);
  all["zcdp"] = relative_in(relatives.zcdp, &RelateAnswer::zcdp);
  all["gdp"] = relative_in(relatives.gdp, &RelateAnswer::gdp);
  return all;
}

void describe_plan(Json& json, const Facts& facts) {
  const Inventory& found = facts.inventory;
  json["plan"] = write_part(facts.plan_file, [](const std::string& text) { return json::parse(text); });
  json["neighbors"] = std::string(to_string(facts.neighbors));
  json["unit"] = facts.unit;
  if (!facts.assumes.empty()) json["assumes"] = facts.assumes;
  json["mechanisms"] = mechanisms_in(found);
  json["forms"] = forms_in(found);
  json["sampling"] = sampling_in(found);
  if (!found.contributions.empty()) json["contributions"] = contributions_in(found);
}

Json write_answer(const ReportAnswer& answer) {
  const Facts& facts = answer.facts;
  Json json = Json::object();
  json["renyi"] = std::string(version);
  if (!facts.title.empty()) json["title"] = facts.title;
  json["delta"] = facts.delta;
  if (facts.dataset_size) json["dataset_size"] = *facts.dataset_size;
  describe_plan(json, facts);
  json["remarks"] = facts.remarks;
  json["epsilon"] = write_cost(facts.epsilon);
  json["shares"] = write_part(facts.shares, write_shares);
  json["relatives"] = relatives_in(facts.relatives);
  json["promises"] = write_part(facts.promises, write_promises);
  json["tradeoff"] = write_part(facts.tradeoff, write_tradeoff);
  json["references"] = references_in(facts.inventory);
  for (const StatementText& text : answer.texts) json[std::string(to_string(text.format))] = text.text;
  return json;
}

}  // namespace
}  // namespace report_file

constinit const Op report_op{"report", report_file::keys, run<report_file::read, report_file::write_answer>};

ReportRequest read_report(const Document& request) { return report_file::read(checked(report_op, request)); }

std::string write(const Document& request, const ReportAnswer& answer) {
  return written(report_op, request, report_file::write_answer(answer));
}

}  // namespace renyi::api
