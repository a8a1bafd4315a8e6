// {"op":"figure","kind":"profile","steps":[...]} or
// {"op":"figure","kind":"profile","runs":[{"label","steps":[...]},...]}
//   -> {"figure":{"kind","title","subtitle","x","y","series":[...],"marks":[...]}} (docs/format/figure.md)
#include "api/figure.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "api/json/content.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "api/json/run.h"
#include "api/request_summary.h"
#include "json/write.h"
#include "plan/plan_reader.h"

namespace renyi::api {

namespace figure_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 17> keys{"kind",    "runs",      "label",     "delta",  "epsilon", "range",
                                                "x_scale", "y_scale",   "quality",   "want",   "orders",  "conversion",
                                                "method",  "direction", "tolerance", "memory", "baseline"};
constexpr std::array<std::string_view, 5> run_keys{"label", "steps", "run", "neighbors", "unit"};

// "10000 × sampled-gaussian, ..., and 2 more".
std::string words_of(const Json& members) {
  const RequestSummary summary = summary_of_request(document_of(members));
  std::string words = summary.steps.empty() ? "no steps" : summary.steps.front();
  if (const auto times = words.find(" x "); times != std::string::npos) words.replace(times, 3, " × ");
  if (summary.steps.size() > 1) words += fmt::format(", and {} more", summary.steps.size() - 1);
  return words;
}

std::string relation_of(const Json& members) {
  const RequestSummary summary = summary_of_request(document_of(members));
  std::string words;
  if (summary.neighbors != to_string(Neighbors::add_or_remove_one)) words += fmt::format(", {}", summary.neighbors);
  if (summary.unit != 1) words += fmt::format(", {} records a person", summary.unit);
  return words;
}

FigureRun run_in_words(Plan plan, const Json& members, std::string label) {
  std::string relation = relation_of(members);
  std::string words = (label.empty() ? words_of(members) : label) + relation;
  return {
      .plan = std::move(plan), .words = std::move(words), .relation = std::move(relation), .label = std::move(label)};
}

std::string label_of(const Field& run) {
  const auto field = run.find("label");
  return field ? field->text() : "";
}

// A run with steps, or with sizes, which become steps.
FigureRun read_run(const Field& members) {
  if (const auto told = members.find("run")) {
    const ReadRun run(*told);
    const Json in_steps = written_out(members, run, false);
    try {
      FigureRun read = run_in_words(plan::read_plan(Field(in_steps, members.path())), in_steps, label_of(members));
      read.sizes = run.parts();
      return read;
    } catch (const InvalidArgument& error) {
      throw run.renamed(error);
    } catch (const Unsupported& error) {
      throw run.renamed(error);
    }
  }
  return run_in_words(plan::read_plan(members), members.value(), label_of(members));
}

std::vector<FigureRun> read_runs(const Request& request) {
  const auto several = request.find("runs");
  if (!several) {
    FigureRun run = request.has_plan() ? FigureRun{.plan = request.plan(), .words = label_of(request)}
                                       : run_in_words(request.plan(), request.value(), label_of(request));
    if (request.run() != nullptr) run.sizes = *request.run();
    return {std::move(run)};
  }
  for (const std::string_view key : {"steps", "run", "neighbors", "unit", "label"}) {
    if (const auto field = request.find(key)) field->refuse("nothing together with \"runs\"");
  }
  static_assert(most_runs == 8);
  if (!several->value().is_array() || several->value().empty() || several->value().size() > most_runs) {
    several->refuse("an array of 1 to 8 runs");
  }
  std::vector<FigureRun> runs;
  for (const Field& item : several->items()) {
    item.allow_only(run_keys);
    runs.push_back(read_run(item));
    if (runs.back().label.empty()) runs.back().label = runs.back().words;
  }
  return runs;
}

std::optional<bool> read_scale(const Field& request, std::string_view key) {
  const auto field = request.find(key);
  if (!field) return std::nullopt;
  if (field->value() == "log") return true;
  if (field->value() == "linear") return false;
  field->refuse_name(std::array<std::string_view, 2>{"linear", "log"});
}

std::optional<Range> read_range(const Field& request) {
  const auto field = request.find("range");
  if (!field) return std::nullopt;
  constexpr std::string_view allowed = "an array of two numbers, the smaller one first";
  if (!field->value().is_array() || field->value().size() != 2) field->refuse(allowed);
  for (const Json& end : field->value()) {
    if (!end.is_number()) field->refuse(allowed);
  }
  const Range range{field->value()[0].get<double>(), field->value()[1].get<double>()};
  if (!(range.first < range.second)) field->refuse(allowed);
  return range;
}

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  for (const FigureKind& kind : figure_kinds()) names.push_back(kind.name);
  return names;
}

std::string read_kind(const Field& request) {
  const auto names = kind_names();
  const Field field = request.require("kind", Field::one_of(names));
  for (const std::string_view name : names) {
    if (field.value() == name) return std::string(name);
  }
  field.refuse_name(names);
}

FigureRequest read_without_runs(const Request& request) {
  FigureRequest asked{.kind = read_kind(request)};
  if (request.find("delta")) asked.delta = read_delta(request);
  if (request.find("epsilon")) asked.epsilon = read_epsilon(request);
  asked.range = read_range(request);
  asked.x_log = read_scale(request, "x_scale");
  asked.y_log = read_scale(request, "y_scale");
  if (const auto quality = request.find("quality")) {
    if (quality->value() != "fine" && quality->value() != "coarse") {
      quality->refuse_name(std::array<std::string_view, 2>{"fine", "coarse"});
    }
    asked.coarse = quality->value() == "coarse";
  }
  if (const auto direction = request.find("direction")) asked.rdp.direction = read_direction(*direction);
  if (asked.kind == "rdp") {
    if (const auto orders = request.find("orders")) asked.orders = read_orders(*orders);
    if (const auto method = request.find("method")) asked.rdp.method = read_method(*method);
  } else {
    asked.cost = read_cost_options(request);
  }
  if (const auto baseline = request.find("baseline")) {
    asked.baselines = read_numbers(*baseline, "numbers between 0 and 1", [](double p) { return p > 0 && p < 1; });
  }
  return asked;
}

FigureRequest read(const Request& request) {
  FigureRequest asked = read_without_runs(request);
  asked.runs = read_runs(request);
  return asked;
}

// ---- The answer.

constexpr std::array<std::string_view, 5> roles{"exact", "renyi", "other", "reference", "highlight"};
constexpr std::array<std::string_view, 5> shapes{"line", "area", "points", "rows", "masses"};
constexpr std::array<std::string_view, 3> bounds{"upper", "lower", "estimate"};

template <class Option, std::size_t n>
std::string name_in(const std::array<std::string_view, n>& names, Option option) {
  return std::string(names.at(static_cast<std::size_t>(option)));
}

Json values(const std::vector<double>& list) {
  Json all = Json::array();
  for (const double value : list) all.push_back(std::isnan(value) ? Json(nullptr) : json::number(value));
  return all;
}

Json write_axis(const figure::Axis& axis) {
  Json json = Json::object();
  json["label"] = axis.label;
  json["scale"] = axis.log ? "log" : "linear";
  json["range"] = values({*axis.from, *axis.to});
  if (!axis.names.empty()) json["names"] = axis.names;
  return json;
}

void write_curve(Json& json, const figure::Curve& curve, bool with_rule) {
  json["x"] = values(curve.x);
  json["y"] = values(curve.y);
  if (with_rule) json["rule"] = std::string(to_string(curve.rule));
}

Json write_series(const figure::Series& series) {
  using figure::Shape;
  Json json = Json::object();
  json["name"] = series.name;
  json["role"] = name_in(roles, series.role);
  if (series.run) json["run"] = *series.run;
  if (series.dashed) json["dashed"] = true;
  json["shape"] = name_in(shapes, series.shape);
  if (series.on_masses) json["axis"] = "masses";
  json["bound"] = name_in(bounds, series.bound);
  write_curve(json, series.curve, series.shape == Shape::line || series.shape == Shape::area);
  if (series.lower) write_curve(json["lower"] = Json::object(), *series.lower, true);
  if (!series.labels.empty()) json["labels"] = series.labels;
  return json;
}

Json write_mark(const figure::Mark& mark) {
  Json json = Json::object();
  if (mark.x) json["x"] = json::number(*mark.x);
  if (mark.y) json["y"] = json::number(*mark.y);
  json["text"] = mark.text;
  json["role"] = name_in(roles, mark.role);
  if (mark.run) json["run"] = *mark.run;
  return json;
}

Json write_answer(const figure::Figure& found) {
  Json json = Json::object();
  json["kind"] = found.kind;
  json["title"] = found.title;
  json["subtitle"] = found.subtitle;
  if (!found.note.empty()) json["note"] = found.note;
  json["x"] = write_axis(found.x);
  json["y"] = write_axis(found.y);
  if (found.masses) json["masses"] = write_axis(*found.masses);
  if (!found.runs.empty()) json["runs"] = found.runs;
  json["series"] = Json::array();
  for (const figure::Series& series : found.series) json["series"].push_back(write_series(series));
  json["marks"] = Json::array();
  for (const figure::Mark& mark : found.marks) json["marks"].push_back(write_mark(mark));
  if (found.heat) json["heat"] = {{"label", found.heat->label}, {"values", values(found.heat->values)}};
  Json answer = Json::object();
  answer["figure"] = std::move(json);
  return answer;
}

}  // namespace
}  // namespace figure_file

constinit const Op figure_op{"figure", figure_file::keys, run<figure_file::read, figure_file::write_answer>};

FigureRequest read_figure(const Document& request) { return figure_file::read(checked(figure_op, request)); }

FigureRequest read_figure_without_runs(const Document& request) {
  return figure_file::read_without_runs(checked(figure_op, request));
}

FigureRun read_figure_run(const Document& request) {
  const json::Json& members = opened(request);
  return figure_file::read_run(json::Field(members));
}

std::string write(const Document& request, const figure::Figure& answer) {
  return written(figure_op, request, figure_file::write_answer(answer));
}

}  // namespace renyi::api
