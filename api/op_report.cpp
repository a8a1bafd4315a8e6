// {"op":"report","steps":[...],"delta":1e-5,"formats":["markdown"]} -> the facts of a privacy statement, and its text:
//   {"renyi","delta","dataset_size"?,"plan","epsilon":{...},"relatives","promises","tradeoff",...,"markdown"?,"html"?}
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "api/ops.h"
#include "api/options.h"
#include "api/statement/facts.h"
#include "api/statement/statement.h"

namespace renyi::api {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 7> keys{"delta",   "dataset_size", "title", "remarks",
                                               "formats", "tolerance",    "memory"};
constexpr std::size_t longest_line = 1000;

struct Format {
  std::string_view name;
  std::string (*write)(const Document& document);
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
  const Document document = statement_of(answer);
  for (const Format& format : formats) answer[std::string(format.name)] = format.write(document);
  return answer;
}

}  // namespace

constinit const Op report_op{"report", keys, run};

}  // namespace renyi::api
