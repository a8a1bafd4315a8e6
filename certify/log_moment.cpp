#include "certify/log_moment.h"

#include <cmath>
#include <string>

#include "certify/mechanism/closed_form.h"
#include "certify/mechanism/guarantee.h"
#include "certify/mechanism/proof.h"
#include "certify/random_allocation/moment.h"
#include "certify/sampled_gaussian/curve.h"
#include "renyi/error.h"

namespace renyi::certify {
namespace log_moment_file {
namespace {

constexpr double largest_summed_order = 1e5;

bool is_summed(double order) { return order >= 2 && order <= largest_summed_order && order == std::floor(order); }

// A verifier integrates, which is independent of the finite sum and of the trapezoidal rule.
Method sampled_gaussian_method(Direction direction, double order, Route route) {
  if (std::isinf(order)) return Method::closed_form;
  if (route == Route::second) return Method::integration;
  return direction == Direction::remove && is_summed(order) ? Method::finite_sum : Method::trapezoid;
}

// The trapezoidal rule of a verifier is that of another integral.
Method allocation_method(Direction direction, double order, Route route) {
  if (std::isinf(order)) return Method::closed_form;
  const bool summed = is_summed(order) && order <= static_cast<double>(largest_allocated_sum);
  return route == Route::first && direction == Direction::remove && summed ? Method::finite_sum : Method::trapezoid;
}

}  // namespace
}  // namespace log_moment_file

std::string_view to_string(Method method) noexcept {
  switch (method) {
    case Method::closed_form: return "closed form";
    case Method::stated_bound: return "stated bound";
    case Method::finite_sum: return "finite sum";
    case Method::trapezoid: return "trapezoidal rule";
    case Method::integration: return "integration";
  }
  return "unknown";
}

Unsupported no_certified_method(const Mechanism& step) {
  return {"steps", "there is no certified method for '" + std::string(step.summary()) + "' yet",
          "ask for its figures without a certificate"};
}

Method method_of(const Mechanism& mechanism, Direction direction, double order, Route route) {
  if (allocated_gaussian(mechanism)) return log_moment_file::allocation_method(direction, order, route);
  if (has_closed_moment(mechanism) || proof_of(mechanism) != nullptr) return Method::closed_form;
  if (guarantee_of(mechanism)) return Method::stated_bound;
  if (mechanism.get_if<SampledGaussian>().has_value())
    return log_moment_file::sampled_gaussian_method(direction, order, route);
  throw no_certified_method(mechanism);
}

namespace log_moment_file {
namespace {

// The order as a double selects a method, and never enters a value; whole orders are recognized exactly.
double order_about(const Ball& z) {
  const bool whole = arb_is_int(z.raw()) != 0;
  const double order = z.about() + 1;
  return whole == (order == std::floor(order)) ? order : std::nextafter(order, 0);
}

Ball sampled_log_moment(const SampledGaussian& mechanism, Direction direction, const Ball& z, Method method) {
  constexpr double farthest = 1e9;
  if (!(z.about() <= farthest)) throw NotConverged("the curve of a sampled Gaussian beyond order 1e9");
  switch (method) {
    case Method::finite_sum: return finite_sum_log_moment(mechanism, static_cast<std::int64_t>(z.about()) + 1);
    case Method::integration: return integral_log_moment(mechanism, direction, z);
    default: return trapezoid_log_moment(mechanism, direction, z);
  }
}

Ball allocated_log_moment(const AllocatedGaussian& epoch, Direction direction, const Ball& z, Route route) {
  const Method method = allocation_method(direction, order_about(z), route);
  if (method == Method::finite_sum) return finite_sum_log_moment(epoch, static_cast<std::int64_t>(z.about()) + 1);
  return trapezoid_log_moment(epoch, direction, z, route);
}

Ball mean_loss(const Mechanism& mechanism, Direction direction, Route route) {
  if (const auto epoch = allocated_gaussian(mechanism)) return trapezoid_mean_loss(*epoch, direction, route);
  if (auto closed = closed_mean_loss(mechanism)) return *closed;
  if (const Proof* proof = proof_of(mechanism)) return proof->mean_loss(mechanism.values());
  if (const auto bound = guarantee_of(mechanism)) return bound->at_one;
  const Method method = method_of(mechanism, direction, 1, route);
  const auto sampled = *mechanism.get_if<SampledGaussian>();
  return method == Method::integration ? integral_mean_loss(sampled, direction)
                                       : trapezoid_mean_loss(sampled, direction);
}

Ball supremum(const Mechanism& mechanism, Direction direction) {
  if (allocated_gaussian(mechanism)) return Ball::infinity();
  if (auto closed = closed_max_loss(mechanism)) return *closed;
  if (const Proof* proof = proof_of(mechanism)) return proof->max_loss(mechanism.values());
  if (const auto bound = guarantee_of(mechanism)) return bound->max_loss();
  method_of(mechanism, direction, HUGE_VAL, Route::first);
  return max_loss(*mechanism.get_if<SampledGaussian>(), direction);
}

}  // namespace
}  // namespace log_moment_file

Ball log_moment(const Mechanism& mechanism, Direction direction, const Ball& z, Route route) {
  if (const auto epoch = allocated_gaussian(mechanism))
    return log_moment_file::allocated_log_moment(*epoch, direction, z, route);
  if (auto closed = closed_log_moment(mechanism, z)) return *closed;
  if (const Proof* proof = proof_of(mechanism)) return proof->log_moment(mechanism.values(), z);
  if (const auto bound = guarantee_of(mechanism)) {
    const Ball divergence = bound->divergence(z);
    return divergence.is_finite() ? z * divergence : divergence;  // infinite, or unknown
  }
  const Method method = method_of(mechanism, direction, log_moment_file::order_about(z), route);
  return log_moment_file::sampled_log_moment(*mechanism.get_if<SampledGaussian>(), direction, z, method);
}

Ball divergence(const Mechanism& mechanism, Direction direction, double order, Route route) {
  if (order == 1) return log_moment_file::mean_loss(mechanism, direction, route);
  if (std::isinf(order)) return log_moment_file::supremum(mechanism, direction);
  const Ball z = Ball(order) - 1;
  if (const auto bound = guarantee_of(mechanism)) return bound->divergence(z);
  return log_moment(mechanism, direction, z, route) / z;
}

}  // namespace renyi::certify

namespace renyi {

bool has_certified_method(const Mechanism& mechanism) {
  try {
    const Mechanism step = certify::steps_to_certify(Plan().add(mechanism)).front().mechanism;
    certify::method_of(step, Direction::remove, 2, Route::first);
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

}  // namespace renyi
