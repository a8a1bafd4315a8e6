// {"op":"accuracy","steps":[...],"levels":[0.95],"bounds":[20],"grid":0.0009765625}
//   -> {"stddev":{"lower","upper"},"levels":[{"level","half_width":{...}},...],"bounds":[{"bound","probability":{...}},
//       ...],"method","rounded"?:{"grid","roundings","largest_shift","stddev","levels","bounds"}}
#include "api/accuracy.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"

namespace renyi::api {

namespace accuracy_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 3> keys{"levels", "bounds", "grid"};

// A noise multiplier states the noise relative to the sensitivity, which determines no error.
void refuse_multipliers(const Field& steps) {
  if (!steps.value().is_array()) return;
  for (const Field& step : steps.items()) {
    if (!step.value().is_object()) continue;
    if (const auto multiplier = step.find("noise_multiplier")) {
      multiplier->refuse("stddev instead, the noise itself: the noise multiplier times the sensitivity");
    }
    if (const auto group = step.find("plan")) refuse_multipliers(*group);
  }
}

AccuracyRequest read(const Request& request) {
  AccuracyRequest asked{.plan = request.plan()};
  if (const auto steps = request.find("steps"); steps && !request.has_plan()) refuse_multipliers(*steps);
  if (const auto field = request.find("levels")) {
    asked.options.levels =
        read_numbers(*field, "numbers in (0, 1)", [](double level) { return level > 0 && level < 1; });
  }
  if (const auto field = request.find("bounds")) {
    asked.options.bounds = read_numbers(*field, "finite numbers of at least 0", [](double t) { return t >= 0; });
  }
  if (const auto field = request.find("grid")) asked.options.grid = field->number();
  return asked;
}

Json write(const Interval& range) { return write_interval(range.lower, range.upper); }

Json write(const std::vector<HalfWidth>& half_widths) {
  Json rows = Json::array();
  for (const auto& [level, width] : half_widths) {
    Json row = Json::object();
    row["level"] = json::number(level);
    row["half_width"] = write(width);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json write(const std::vector<ErrorProbability>& probabilities) {
  Json rows = Json::array();
  for (const auto& [bound, probability] : probabilities) {
    Json row = Json::object();
    row["bound"] = json::number(bound);
    row["probability"] = write(probability);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json write(const RoundedError& error) {
  Json json = Json::object();
  json["grid"] = json::number(error.grid);
  json["roundings"] = error.roundings;
  json["largest_shift"] = json::number(error.largest_shift);
  json["stddev"] = write(error.stddev);
  json["levels"] = write(error.half_widths);
  json["bounds"] = write(error.probabilities);
  return json;
}

Json write_answer(const Accuracy& found) {
  Json answer = Json::object();
  answer["stddev"] = write(found.stddev);
  answer["levels"] = write(found.half_widths);
  answer["bounds"] = write(found.probabilities);
  answer["method"] = std::string(to_string(found.method));
  if (found.rounded) answer["rounded"] = write(*found.rounded);
  return answer;
}

}  // namespace
}  // namespace accuracy_file

constinit const Op accuracy_op{"accuracy", accuracy_file::keys, run<accuracy_file::read, accuracy_file::write_answer>};

AccuracyRequest read_accuracy(const Document& request) { return accuracy_file::read(checked(accuracy_op, request)); }

std::string write(const Document& request, const Accuracy& answer) {
  return written(accuracy_op, request, accuracy_file::write_answer(answer));
}

}  // namespace renyi::api
