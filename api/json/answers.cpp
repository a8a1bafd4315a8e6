#include "api/json/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "json/show.h"
#include "json/write.h"
#include "renyi/error.h"
#include "renyi/select.h"

namespace renyi::api {

using json::Json;

namespace answers_file {
namespace {

Json write_with_order(std::string_view name, double value, double order, Conversion conversion) {
  Json bound = Json::object();
  bound[std::string(name)] = json::number(value);
  bound["order"] = json::number(order);
  bound["conversion"] = std::string(to_string(conversion));
  return bound;
}

// The part of delta that no order can do without, if there is one.
Json with_delta_apart(Json bound, double delta_apart) {
  if (delta_apart > 0) bound["delta_apart"] = json::number(delta_apart);
  return bound;
}

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

Json write_exact(const ExactAnswer& answer, Figure figure, const Wanted& wanted) {
  Json json = Json::object();
  write_ends(json, answer.worst);
  json["direction"] = std::string(to_string(answer.direction));
  json["remove"] = write_figure(answer.remove);
  json["add"] = write_figure(answer.add);
  if (std::string note = note_on(answer, figure, wanted); !note.empty()) json["note"] = std::move(note);
  return json;
}

// Its exact figures are those of another pair.
bool is_dominated(const Curve& curve) { return curve.dominating() != nullptr; }

// Known by what it promises; any other step without a law of its own loss is sampled.
bool is_promise(const CountedMechanism& step) {
  const Mechanism inner = step.mechanism.unsampled();
  if (inner.get_if<Parallel>() != nullptr) return false;
  return inner.identity() != nullptr || inner.curve()->knowledge() == Knowledge::profile ||
         is_dominated(*inner.curve());
}

bool is_bounded(const Plan& plan);

// Which batch a record lies in is hidden; of parallel parts each is a plan of its own.
bool is_bounded(const CountedMechanism& step, const Adjacency& adjacency) {
  const Sampling* sampling = step.mechanism.sampling();
  if (sampling != nullptr && sampling->scheme == Scheme::shuffled) return true;
  const auto* parallel = step.mechanism.get_if<Parallel>();
  if (parallel == nullptr) return false;
  return std::any_of(parallel->parts().begin(), parallel->parts().end(), [&](const Steps& part) {
    return is_bounded(Plan(adjacency.neighbors, adjacency.unit).add(part));
  });
}

// Exact for a pair of laws that the run may not attain.
bool is_bounded(const Plan& plan) {
  const auto dominated = [](const CountedMechanism& step) { return is_dominated(*step.mechanism.curve()); };
  const auto analysed = plan.analysed();
  if (compose(analysed)->knowledge() == Knowledge::profile) return true;
  if (std::any_of(analysed.begin(), analysed.end(), dominated)) return true;
  const auto steps = plan.merged();
  return std::any_of(steps.begin(), steps.end(),
                     [&](const CountedMechanism& step) { return is_bounded(step, plan.adjacency()); });
}

double best_of(const Accounts& accounts, const Plan& plan) {
  if (accounts.exact) {
    try {
      return accounts.exact(plan);
    } catch (const Unsupported&) {  // then by the other
    } catch (const NotConverged&) {
    }
  }
  return accounts.renyi(plan);
}

}  // namespace
}  // namespace answers_file

Json write_bound(const EpsilonBound& bound) {
  return answers_file::with_delta_apart(
      answers_file::write_with_order("epsilon", bound.epsilon, bound.order, bound.conversion), bound.delta_apart);
}

Json write_bound(const DeltaBound& bound) {
  return answers_file::with_delta_apart(
      answers_file::write_with_order("delta", bound.delta, bound.order, bound.conversion), bound.delta_apart);
}

Json exact_part(const Wanted& wanted, Figure figure, const std::function<ExactAnswer()>& ask) {
  Json json = Json::object();
  try {
    return answers_file::write_exact(ask(), figure, wanted);
  } catch (const Unsupported& error) {
    // What to do instead is idle where the Renyi bound stands beside it.
    json["unavailable"] = wanted.renyi ? error.why() : fmt::format("{}; {}", error.why(), error.instead());
  } catch (const NotConverged& error) {
    json["unavailable"] = error.what();
  }
  return json;
}

void note_promises(Json& answer, const Json& exact, const Plan& plan) {
  if (!exact.contains("lower")) return;
  if (!answers_file::is_bounded(plan)) return;
  const auto steps = plan.merged();
  const bool promised = std::any_of(steps.begin(), steps.end(), answers_file::is_promise);
  answer["note"] = promised ? "exact for the worst step with that promise; what was run may cost less"
                            : "exact for a pair of laws that dominates the steps; what was run may cost less";
}

void write_overflows(Json& answer, const std::vector<Overflow>& overflows) {
  if (overflows.empty()) return;
  Json& rows = answer["sampling"] = Json::array();
  for (const Overflow& overflow : overflows) {
    rows.push_back({{"path", overflow.path}, {"overflow_probability", json::number(overflow.probability)}});
  }
}

void note_overflow(Json& answer, const Plan& plan) { write_overflows(answer, overflows(plan)); }

void note_under_poisson(Json& answer, const Plan& plan, const std::string& figure, const Accounts& accounts) {
  Json part = Json::object();
  try {
    const auto redrawn = under_poisson(plan);
    if (!redrawn) return;
    part[figure + "_estimate"] = json::number(answers_file::best_of(accounts, *redrawn));
  } catch (const Error& error) {
    part["unavailable"] = error.what();
  }
  answer["under_poisson"] = std::move(part);
}

}  // namespace renyi::api
