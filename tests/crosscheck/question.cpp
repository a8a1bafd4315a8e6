#include "crosscheck/question.h"

#include <array>
#include <nlohmann/json.hpp>

#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "renyi/plan.h"

namespace renyi::crosscheck {

namespace question_file {
namespace {
constexpr std::array figures{Figure::divergence, Figure::renyi_epsilon, Figure::epsilon, Figure::delta};
constexpr std::array directions{Direction::remove, Direction::add};
}  // namespace
}  // namespace question_file

std::string_view to_string(Figure figure) noexcept {
  switch (figure) {
    case Figure::divergence: return "divergence";
    case Figure::renyi_epsilon: return "renyi-epsilon";
    case Figure::epsilon: return "epsilon";
    default: return "delta";
  }
}

std::string write(const Question& question) {
  json::Json line{{"figure", to_string(question.figure)},
                  {"at", json::number(question.at)},
                  {"direction", to_string(question.direction)}};
  if (question.limit) line["limit"] = json::number(*question.limit);
  if (question.both_routes) line["both_routes"] = true;
  line["plan"] = json::parse(write_plan(question.plan));
  return json::write(line);
}

Question read_question(std::string_view text) {
  const json::Json line = json::parse(text);
  const json::Field field(line);
  Question question;
  question.figure = field.require("figure", "a figure").choose<Figure>(question_file::figures);
  question.at = field.require("at", "a number or inf").number_or_infinity();
  question.direction = field.require("direction", "a direction").choose<Direction>(question_file::directions);
  if (const auto limit = field.find("limit")) question.limit = limit->number();
  question.both_routes = line.value("both_routes", false);
  question.plan = read_plan(json::write(field.require("plan", "a plan").value()));
  return question;
}

}  // namespace renyi::crosscheck
