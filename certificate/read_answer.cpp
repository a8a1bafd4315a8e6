#include <array>

#include "certificate/read_claim.h"

namespace renyi::certificate {
namespace {

using json::Field;

ExactFigure read_exact(const Field& field) {
  using enum Engine;
  static constexpr std::array engines{closed_form, contour, lattice, bounds};
  field.allow_only(std::array<std::string_view, 3>{"lower", "upper", "engine"});
  ExactFigure figure;
  figure.lower = read_figure(field, "lower");
  figure.upper = read_figure(field, "upper");
  if (!(figure.lower <= figure.upper)) field.require("lower", "an end").refuse("at most the upper end");
  figure.engine = field.require("engine", "its name").choose<Engine>(engines);
  return figure;
}

void read_rdp(Answer& answer, const Field& field) {
  field.allow_only(std::array<std::string_view, 3>{"order", "remove", "add"});
  answer.order = read_figure(field, "order");
  answer.rdp_remove = read_figure(field, "remove");
  answer.rdp_add = read_figure(field, "add");
}

void read_renyi(Answer& answer, const Field& field, const CertificateQuestion& question) {
  const std::string_view figure = question.delta ? "epsilon" : "delta";
  field.allow_only(std::array<std::string_view, 3>{figure, "order", "conversion"});
  answer.renyi = read_figure(field, figure);
  if (read_figure(field, "order") != answer.order) field.require("order", "").refuse("the order of rdp");
  // At delta 0 and 1 there is but one answer, whatever the order asked for.
  const bool any_order = !question.order || (question.delta && (*question.delta == 0 || *question.delta == 1));
  if (!any_order && answer.order != *question.order) field.require("order", "").refuse("the order asked for");
  answer.conversion = read_conversion(field.require("conversion", "its name"));
}

}  // namespace

Direction read_direction(const Field& field) {
  static constexpr std::array directions{Direction::remove, Direction::add};
  return field.choose<Direction>(directions);
}

Conversion read_conversion(const Field& field) {
  using enum Conversion;
  static constexpr std::array conversions{tight, classical, pure, total_variation};
  return field.choose<Conversion>(conversions);
}

double read_figure(const Field& object, std::string_view key) {
  constexpr std::string_view allowed = "a number of at least 0, or \"inf\"";
  const Field field = object.require(key, allowed);
  const double value = field.number_or_infinity();
  if (!(value >= 0)) field.refuse(allowed);
  return value;
}

Answer read_answer(const Field& field, const CertificateQuestion& question) {
  field.allow_only(std::array<std::string_view, 3>{"rdp", "renyi", "exact"});
  Answer answer;
  read_rdp(answer, field.require("rdp", "divergences"));
  read_renyi(answer, field.require("renyi", "the Renyi bound"), question);
  const Field exact = field.require("exact", "exact figures");
  if (const auto why = exact.find("unavailable")) {
    exact.allow_only(std::array<std::string_view, 1>{"unavailable"});
    answer.unavailable = why->text();
    return answer;
  }
  exact.allow_only(std::array<std::string_view, 2>{"remove", "add"});
  answer.exact = {read_exact(exact.require("remove", "an interval")), read_exact(exact.require("add", "an interval"))};
  return answer;
}

}  // namespace renyi::certificate
