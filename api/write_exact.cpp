#include "api/write_exact.h"

#include <fmt/format.h>

#include <string>

#include "json/write.h"

namespace renyi::api {
namespace {

using json::Json;

void write_ends(Json& json, const ExactFigure& figure) {
  json["lower"] = json::number(figure.lower);
  json["upper"] = json::number(figure.upper);
  json["engine"] = std::string(to_string(figure.engine));
}

Json write_figure(const ExactFigure& figure) {
  Json json = Json::object();
  write_ends(json, figure);
  return json;
}

// Of epsilon, or of delta relative to itself, as ExactOptions has it.
double width_of(const ExactFigure& figure, Figure what) {
  if (figure.upper == figure.lower) return 0;
  const double width = figure.upper - figure.lower;
  return what == Figure::epsilon ? width : width / figure.upper;
}

std::string note_on(const ExactAnswer& answer, Figure what, const Wanted& wanted) {
  if (answer.worst.engine == Engine::bounds) {
    return "no engine serves this run here: the ends are bounds, the upper one that of Renyi";
  }
  if (answer.remove.limited || answer.add.limited) {
    return "the lattice stopped at its cap of work or memory, wider than asked";
  }
  const double width = width_of(answer.worst, what);
  if (!wanted.tolerance_given || width <= wanted.options.tolerance) return {};
  return fmt::format("wider than the tolerance {}: the {}width is {:.2g}", json::decimal(wanted.options.tolerance),
                     what == Figure::epsilon ? "" : "relative ", width);
}

}  // namespace

Json write_exact(const ExactAnswer& answer, Figure figure, const Wanted& wanted) {
  Json json = Json::object();
  write_ends(json, answer.worst);
  json["direction"] = std::string(to_string(answer.direction));
  json["remove"] = write_figure(answer.remove);
  json["add"] = write_figure(answer.add);
  if (std::string note = note_on(answer, figure, wanted); !note.empty()) json["note"] = std::move(note);
  return json;
}

Json exact_part(const Wanted& wanted, Figure figure, const std::function<ExactAnswer()>& ask) {
  Json json = Json::object();
  try {
    return write_exact(ask(), figure, wanted);
  } catch (const Unsupported& error) {
    // What to do instead is idle where the Renyi bound stands beside it.
    json["unavailable"] = wanted.renyi ? error.why() : fmt::format("{}; {}", error.why(), error.instead());
  } catch (const NotConverged& error) {
    json["unavailable"] = error.what();
  }
  return json;
}

}  // namespace renyi::api
