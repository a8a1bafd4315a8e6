// Reads private selection: the best of a random number of runs.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "convert/event.h"
#include "plan/select/runs.h"
#include "renyi/error.h"
#include "renyi/extras/select.h"

namespace renyi::convert {
namespace event_selection_file {
namespace {

// Reads a number from 0 to the largest eta, or "inf".
double read_shape(const json::Field& field) {
  const double most = parameters(RunsLaw::negative_binomial)[0].highest;
  const double shape = field.value() == "inf" || field.value().is_number() ? field.number_or_infinity() : -1;
  if (!(shape >= 0 && (shape <= most || std::isinf(shape)))) {
    field.refuse(fmt::format("as shape: a number in [0, {}], or \"inf\" for a Poisson law", most));
  }
  return shape;
}

// Shape inf is a Poisson distribution and shape 1 a geometric one. The others are given by the gamma that has this
// mean, rounded so that there are no fewer runs.
Runs read_runs(const Event& event) {
  const double shape = read_shape(event.at("shape"));
  const json::Field field = event.at("mean");
  const RunsLaw law = std::isinf(shape) ? RunsLaw::poisson : RunsLaw::geometric;
  const double mean = read_parameter(field, "mean", parameters(law)[0]);
  if (std::isinf(shape)) return Runs::poisson(mean);
  if (shape == 1) return Runs::geometric(mean);
  const double gamma = plan::gamma_of_mean(shape, mean);
  if (gamma == 0) field.refuse("as mean: no more runs than a gamma of 1e-15 gives");
  return shape == 0 ? Runs::logarithmic(gamma) : Runs::negative_binomial(shape, gamma);
}

}  // namespace
}  // namespace event_selection_file

// The analysis is that of Papernot, Steinke 2022 (docs/math/selection.md).
RecordedSteps read_repeat_and_select(const Event& event, Neighbors neighbors) {
  const Runs runs = event_selection_file::read_runs(event);
  Steps steps;
  for (const RecordedStep& part : read_event(event.at("event"), neighbors)) {
    check_analysed(part, neighbors);
    steps.push_back({part.mechanism, part.count});
  }
  if (steps.empty()) return {};
  try {
    return {{Select(std::move(steps), runs), 1, event.path()}};
  } catch (const InvalidArgument& error) {
    throw Unsupported(event.path(), error.value(), error.allowed());
  }
}

}  // namespace renyi::convert
