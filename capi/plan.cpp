// Plans as handles, the questions about them, and the direct calls for DP-SGD.
#include "renyi/plan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "api/document.h"
#include "api/run.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "renyi/c.h"
#include "renyi/calibrate.h"
#include "renyi/cost.h"
#include "renyi/rdp.h"
#include "renyi/run.h"

namespace renyi::capi {

namespace plan_file {
namespace {

using api::Document;

constexpr std::string_view step_path = "steps[0]";

// The parameters that renyi_plan_add receives.
struct NamedValues {
  const char* const* names = nullptr;
  const double* values = nullptr;
  std::size_t size = 0;
};

// Plans built from C calls are read as plan files are, so that both allow the same values and report errors with the
// same messages.
Document plan_file(const char* neighbors, std::int64_t unit, Document steps) {
  Document file;
  file.set("renyi", 1).set("neighbors", neighbors).set("unit", unit).set("steps", std::move(steps));
  return file;
}

// JSON cannot represent numbers that are not finite.
double finite(const std::string& name, double value) {
  if (std::isnan(value)) throw InvalidArgument(name, "nan", "a finite number");
  if (std::isinf(value)) throw InvalidArgument(name, value > 0 ? "inf" : "-inf", "a finite number");
  return value;
}

Document step_of(const char* mechanism, const NamedValues& parameters, std::int64_t count) {
  Document step;
  step.set("mechanism", mechanism).set("count", count);
  for (std::size_t i = 0; i < parameters.size; ++i) {
    require(parameters.names[i], "names", "the name of a parameter");
    const std::string name = parameters.names[i];
    if (step.has(name)) throw InvalidArgument("names", name, "each parameter once, without mechanism and count");
    step.set(name, finite(name, parameters.values[i]));
  }
  return step;
}

// C callers add one step at a time: its parameters are named without the path to the step.
std::string without_step(std::string_view path) {
  if (path.starts_with(step_path)) path.remove_prefix(step_path.size());
  if (path.starts_with('.')) path.remove_prefix(1);
  return std::string(path);
}

Plan read_step(const Document& file) {
  try {
    return read_plan(file.text());
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(without_step(error.path()), error.value(), error.allowed());
  } catch (const Unsupported& error) {
    throw Unsupported(without_step(error.path()), error.why(), error.instead());
  }
}

// Returns a plan without steps; `neighbors` may be NULL. Throws InvalidArgument.
Plan empty_plan(const char* neighbors) {
  if (neighbors == nullptr) return Plan();
  return read_plan(plan_file(neighbors, 1, Document::list()).text());
}

// Adds one mechanism. Throws InvalidArgument or Unsupported with the name of the parameter, and
// leaves the plan as it was.
void add_step(Plan& plan, const char* mechanism, const NamedValues& parameters, std::int64_t count) {
  require(mechanism, "mechanism", "the kind of a mechanism");
  if (parameters.size > 0) {
    require(parameters.names, "names", "an array of names");
    require(parameters.values, "values", "an array of values");
  }
  const std::string neighbors(to_string(plan.neighbors()));
  Document steps = Document::list({step_of(mechanism, parameters, count)});
  const Plan read = read_step(plan_file(neighbors.c_str(), plan.unit(), std::move(steps)));
  const Step& step = read.steps().front();
  plan.add(std::get<Mechanism>(step.what), step.count);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

// As in the answers to requests, a NaN is a defect and not a result.
double number(double value) {
  if (std::isnan(value)) throw std::logic_error("a result that is not a number");
  return value;
}

renyi_status status_of(ErrorKind kind) { return capi::status_of(kind); }

// Returns the Renyi bound, and the exact interval if there is one; otherwise the bound alone.
renyi_result result_of(const Cost& cost) {
  const double bound = number(cost.renyi->upper);
  renyi_result result{bound, number(cost.renyi->order), 0, bound, RENYI_OK};
  if (cost.exact) {
    result.exact_lower = number(cost.exact->worst.lower);
    result.exact_upper = number(cost.exact->worst.upper);
    if (!cost.contradiction.empty()) result.exact_status = RENYI_INTERNAL;
  } else {
    result.exact_status = status_of(cost.obstacle->kind);
  }
  return result;
}

// The result after a failure, which is true for every plan.
constinit const renyi_result worst_epsilon{infinity, infinity, 0, infinity, RENYI_INTERNAL};
constinit const renyi_result worst_delta{1, infinity, 0, 1, RENYI_INTERNAL};

renyi_standing standing_of(Standing standing) {
  switch (standing) {
    case Standing::attained: return RENYI_ATTAINED;
    case Standing::promised: return RENYI_PROMISED;
    case Standing::dominated: return RENYI_DOMINATED;
  }
  return RENYI_DOMINATED;
}

// A request for divergences: where they are written, and at which orders. Both may be the same array.
struct RdpQuestion {
  const double* orders = nullptr;
  std::size_t size = 0;
  double* out = nullptr;
};

// Writes upper bounds to out[0..size).
void write_rdp(const Plan& plan, const RdpQuestion& question) {
  if (question.size == 0) return;
  require(question.orders, "orders", "an array of orders");
  require(question.out, "out", "a place for the divergences");
  const auto bounds = rdp(plan, std::span(question.orders, question.size));
  std::transform(bounds.begin(), bounds.end(), question.out,
                 [](const Bounded& bound) { return number(bound.upper()); });
}

// Writes infinity to out[0..size) after a failure.
void write_infinite_rdp(const RdpQuestion& question) noexcept {
  if (question.out != nullptr) std::fill_n(question.out, question.size, infinity);
}

// Computes the divergences of the plan that `plan` returns.
template <class MakePlan>
renyi_status answer_rdp(const MakePlan& plan, const RdpQuestion& question, renyi_error* error) noexcept {
  const renyi_status status = guarded(error, [&] { write_rdp(plan(), question); });
  if (status != RENYI_OK) write_infinite_rdp(question);
  return status;
}

Plan run_of(double sampling_rate, double noise_multiplier, std::int64_t steps) {
  if (steps < 1) throw InvalidArgument("steps", std::to_string(steps), "an integer from 1 to 2^63-1");
  return Plan().add(SampledGaussian{sampling_rate, noise_multiplier}, steps);
}

// The caller gives a noise multiplier, not a standard deviation.
Plan training_of(const RunSizes& sizes, double noise_multiplier) {
  const ResolvedRun parts = resolved_run(sizes);
  return run_of(parts.sampling()->rate, noise_multiplier, *parts.count);
}

double noise_for(double sampling_rate, std::int64_t steps, const Target& target) {
  constexpr double placeholder = 1;  // calibrate ignores the value of the number it solves for
  const Plan plan = run_of(sampling_rate, placeholder, steps);
  return calibrate(plan, Unknown{{0}, "noise_multiplier"}, target).value;
}

// Returns *plan, or throws InvalidArgument if it is NULL.
template <class Handle>
auto& opened(Handle* plan) {
  return capi::opened(plan, "plan", "a plan");
}

}  // namespace
}  // namespace plan_file
}  // namespace renyi::capi

namespace capi = renyi::capi;
namespace plan_file = renyi::capi::plan_file;

renyi_plan* renyi_plan_new(const char* neighbors, renyi_error* error) {
  return capi::made(error, [&] { return new renyi_plan{plan_file::empty_plan(neighbors)}; });
}

renyi_plan* renyi_plan_from_json(const char* json, renyi_error* error) {
  return capi::made(error, [&] {
    capi::require(json, "json", "the text of a plan file");
    return new renyi_plan{renyi::read_plan(json)};
  });
}

renyi_plan* renyi_plan_from_run(const char* run, const char* neighbors, renyi_error* error) {
  return capi::made(error, [&] {
    capi::require(run, "run", "the text of a run, an object");
    return new renyi_plan{renyi::api::plan_from_run(run, neighbors)};
  });
}

char* renyi_plan_to_json(const renyi_plan* plan, renyi_error* error) {
  return capi::made(error, [&] { return capi::c_text(renyi::write_plan(plan_file::opened(plan))); });
}

renyi_status renyi_plan_add(renyi_plan* plan, const char* mechanism, const char* const* names, const double* values,
                            size_t size, int64_t count, renyi_error* error) {
  return capi::guarded(error, [&] {
    plan_file::add_step(plan_file::opened(plan), mechanism, {names, values, size}, count);
  });
}

void renyi_plan_free(renyi_plan* plan) { delete plan; }

renyi_status renyi_plan_epsilon(const renyi_plan* plan, double delta, renyi_result* out, renyi_error* error) {
  return capi::answered(out, plan_file::worst_epsilon, error,
                        [&] { return plan_file::result_of(renyi::epsilon(plan_file::opened(plan), delta)); });
}

renyi_status renyi_plan_delta(const renyi_plan* plan, double epsilon, renyi_result* out, renyi_error* error) {
  return capi::answered(out, plan_file::worst_delta, error,
                        [&] { return plan_file::result_of(renyi::delta(plan_file::opened(plan), epsilon)); });
}

renyi_status renyi_plan_standing(const renyi_plan* plan, renyi_standing* out, renyi_error* error) {
  return capi::answered(out, RENYI_DOMINATED, error,
                        [&] { return plan_file::standing_of(renyi::Analysis(plan_file::opened(plan)).standing()); });
}

renyi_status renyi_plan_rdp(const renyi_plan* plan, const double* orders, size_t size, double* out,
                            renyi_error* error) {
  return plan_file::answer_rdp([&]() -> const renyi::Plan& { return plan_file::opened(plan); }, {orders, size, out},
                               error);
}

renyi_status renyi_sampled_gaussian_epsilon(double sampling_rate, double noise_multiplier, int64_t steps, double delta,
                                            renyi_result* out, renyi_error* error) {
  return capi::answered(out, plan_file::worst_epsilon, error, [&] {
    return plan_file::result_of(renyi::epsilon(plan_file::run_of(sampling_rate, noise_multiplier, steps), delta));
  });
}

renyi_status renyi_training_epsilon(int64_t dataset_size, int64_t batch_size, double epochs, double noise_multiplier,
                                    double delta, renyi_result* out, renyi_error* error) {
  return capi::answered(out, plan_file::worst_epsilon, error, [&] {
    const renyi::RunSizes sizes{.dataset_size = dataset_size, .batch_size = batch_size, .epochs = epochs};
    return plan_file::result_of(renyi::epsilon(plan_file::training_of(sizes, noise_multiplier), delta));
  });
}

renyi_status renyi_sampled_gaussian_delta(double sampling_rate, double noise_multiplier, int64_t steps, double epsilon,
                                          renyi_result* out, renyi_error* error) {
  return capi::answered(out, plan_file::worst_delta, error, [&] {
    return plan_file::result_of(renyi::delta(plan_file::run_of(sampling_rate, noise_multiplier, steps), epsilon));
  });
}

renyi_status renyi_sampled_gaussian_rdp(double sampling_rate, double noise_multiplier, int64_t steps,
                                        const double* orders, size_t size, double* out, renyi_error* error) {
  return plan_file::answer_rdp([&] { return plan_file::run_of(sampling_rate, noise_multiplier, steps); },
                               {orders, size, out}, error);
}

renyi_status renyi_sampled_gaussian_noise(double sampling_rate, int64_t steps, double epsilon, double delta,
                                          double* out, renyi_error* error) {
  return capi::answered(out, std::numeric_limits<double>::infinity(), error, [&] {
    return plan_file::noise_for(sampling_rate, steps, {.epsilon = epsilon, .delta = delta});
  });
}
