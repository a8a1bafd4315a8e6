#include "certify/method.h"

#include <cmath>
#include <string>

#include "certify/mechanism/guarantee.h"
#include "certify/mechanism/moment.h"
#include "certify/mechanism/proof.h"
#include "renyi/certify.h"

namespace renyi::certify {
namespace {

constexpr double largest_summed_order = 1e5;

bool is_summed(double order) { return order >= 2 && order <= largest_summed_order && order == std::floor(order); }

// A verifier integrates, which shares nothing with the sum or the rule.
Method sampled_gaussian_method(Direction direction, double order, Route route) {
  if (std::isinf(order)) return Method::closed_form;
  if (route == Route::second) return Method::integration;
  return direction == Direction::remove && is_summed(order) ? Method::finite_sum : Method::trapezoid;
}

}  // namespace

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
  if (has_closed_moment(mechanism) || proof_of(mechanism) != nullptr) return Method::closed_form;
  if (guarantee_of(mechanism)) return Method::stated_bound;
  if (mechanism.get_if<SampledGaussian>() != nullptr) return sampled_gaussian_method(direction, order, route);
  throw no_certified_method(mechanism);
}

}  // namespace renyi::certify

namespace renyi {

bool has_certified_method(const Mechanism& mechanism) {
  try {
    certify::method_of(analysed(mechanism, {}), Direction::remove, 2, Route::first);
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

}  // namespace renyi
