#include "crosscheck/ask.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "certify/ball/ball.h"
#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "json/parse.h"
#include "json/write.h"
#include "renyi/error.h"
#include "renyi/rdp.h"

namespace renyi::crosscheck {

namespace ask_file {
namespace {

// The question for the certified code: the same question, with the order that the floating-point code chose.
struct Asked {
  const Question& question;
  RenyiBound bound{};
};

Fast exact_figure(const Question& question, Outcome& outcome) {
  const PrivacyProfile accountant(question.plan);
  const ExactAnswer both =
      question.figure == Figure::epsilon ? accountant.epsilon(question.at) : accountant.delta(question.at);
  const ExactInterval& figure = question.direction == Direction::remove ? both.remove : both.add;
  outcome.engine = figure.engine;
  if (!figure.contradiction.empty()) outcome.broken.push_back("two methods do not meet: " + figure.contradiction);
  return {figure.lower, figure.upper};
}

Fast fast_answer(Asked& asked, Outcome& outcome) {
  const Question& question = asked.question;
  switch (question.figure) {
    case Figure::divergence: {
      Bounded one = rdp(question.plan, {&question.at, 1}, {question.direction}).at(0);
      // The largest loss is exact for the decimals that the parameters stand for; the certified code takes their binary
      // values, less than two roundings away (docs/math/decimal-input.md).
      if (std::isinf(question.at) && std::isfinite(one.value)) one.error = std::max(one.error, 0x1p-52 * one.value);
      return {one.lower(), one.upper(), false, one};
    }
    case Figure::renyi_epsilon:
      asked.bound = renyi_epsilon(question.plan, question.at);
      return {0, asked.bound.upper, true};
    default: return exact_figure(question, outcome);
  }
}

Certified certified_answer(const Asked& asked, Route route) {
  const Question& q = asked.question;
  switch (q.figure) {
    case Figure::divergence: return certified::divergence(q.plan, q.at, q.direction, route);
    case Figure::renyi_epsilon:
      return certified::renyi_epsilon(q.plan, asked.bound.order, asked.bound.conversion, q.at, route);
    case Figure::epsilon: return certified::epsilon(q.plan, q.at, q.direction, route);
    default: return certified::delta(q.plan, q.at, q.direction, route);
  }
}

// Both hold the truth, so they overlap. Grids of the lattice are too different for more; elsewhere the first route's
// enclosure has room for the second's, which is what a verifier checks.
bool routes_agree(const Certified& first, const Certified& second) {
  using certify::ball_of;
  if (contains(first.value, second.value)) return true;
  const bool disjoint = surely_less(ball_of(first.value.upper), ball_of(second.value.lower)) ||
                        surely_less(ball_of(second.value.upper), ball_of(first.value.lower));
  return first.method == "lattice" && !disjoint;
}

void certify(const Asked& asked, Outcome& outcome) {
  outcome.certified = certified_answer(asked, Route::first);
  if (!asked.question.both_routes) return;
  const Certified second = certified_answer(asked, Route::second);
  if (!routes_agree(*outcome.certified, second)) outcome.broken.emplace_back("the routes disagree");
  outcome.certified = second;
}

void certify_or_say_why(const Asked& asked, Outcome& outcome) {
  const std::clock_t start = std::clock();
  try {
    certify(asked, outcome);
  } catch (const NotConverged& error) {
    outcome.not_certified = error.what();
  } catch (const Unsupported& error) {
    outcome.not_certified = error.what();
  } catch (const std::exception& error) {
    outcome.broken.push_back(std::string("certified code threw: ") + error.what());
  }
  outcome.certified_seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace
}  // namespace ask_file

double Outcome::relative_error() const {
  if (!certified) return 0;
  const Truth truth(certified->value);
  if (fast.bounded) return static_cast<double>(relative_distance(fast.bounded->value, truth));
  const long double below = fast.one_sided ? 0 : relative_distance(fast.lower, truth);
  return static_cast<double>(std::max(below, relative_distance(fast.upper, truth)));
}

Outcome ask(const Question& question) {
  Outcome outcome;
  ask_file::Asked asked{question};
  try {
    outcome.fast = ask_file::fast_answer(asked, outcome);
  } catch (const std::exception& error) {
    outcome.broken.push_back(std::string("fast code threw: ") + error.what());
    return outcome;
  }
  ask_file::certify_or_say_why(asked, outcome);
  if (!outcome.certified) return outcome;
  const auto broken = broken_laws(question, outcome.fast, Truth(outcome.certified->value));
  outcome.broken.insert(outcome.broken.end(), broken.begin(), broken.end());
  return outcome;
}

std::string report(const Question& question, const Outcome& outcome) {
  const auto number = [](double x) { return std::isnan(x) ? json::Json("nan") : json::number(x); };
  json::Json line = json::parse(write(question));
  if (!outcome.broken.empty()) line["broken"] = outcome.broken;
  line["fast"] = {number(outcome.fast.lower), number(outcome.fast.upper)};
  if (outcome.fast.bounded) {
    line["value"] = number(outcome.fast.bounded->value);
    line["error_estimate"] = number(outcome.fast.bounded->error);
  }
  if (outcome.engine) line["engine"] = to_string(*outcome.engine);
  if (outcome.certified) {
    const Certified& certified = *outcome.certified;
    line["certified"] = {decimal_below(certified.value.lower), decimal_above(certified.value.upper)};
    line["method"] = certified.method;
    line["precision"] = certified.precision;
  }
  if (!outcome.not_certified.empty()) line["not_certified"] = outcome.not_certified;
  line["seconds"] = outcome.certified_seconds;
  return json::write(line);
}

}  // namespace renyi::crosscheck
