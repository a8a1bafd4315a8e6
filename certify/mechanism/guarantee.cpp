#include "certify/mechanism/guarantee.h"

namespace renyi::certify {
namespace guarantee_file {
namespace {

bool is_zero(const Ball& x) { return arb_is_zero(x.raw()) != 0; }

std::optional<Guarantee> as_stated(const Mechanism& mechanism) {
  if (const auto step = mechanism.get_if<Zcdp>()) {
    return Guarantee{.at_one = Ball(step->xi) + step->rho, .growth = step->rho};
  }
  if (const auto step = mechanism.get_if<Tcdp>()) {
    return Guarantee{.at_one = step->rho, .growth = step->rho, .last = Ball(step->omega) - 1};
  }
  if (const auto step = mechanism.get_if<Cdp>()) {
    return Guarantee{.at_one = step->mu, .growth = square(Ball(step->tau)) / 2};
  }
  // K is convex and K(0) = 0, so K(z) <= z alpha/lambda for z up to lambda.
  if (const auto step = mechanism.get_if<Moments>()) {
    return Guarantee{.at_one = Ball(step->alpha) / step->lambda, .growth = 0, .last = step->lambda};
  }
  return std::nullopt;
}

}  // namespace
}  // namespace guarantee_file

Ball Guarantee::divergence(const Ball& z) const {
  if (surely_less(last, z)) return Ball::infinity();
  return surely_at_most(z, last) ? at_one + growth * z : Ball::unknown();
}

// A bound that holds at every order and does not grow with it bounds the loss.
Ball Guarantee::max_loss() const {
  return guarantee_file::is_zero(growth) && !last.is_finite() ? at_one : Ball::infinity();
}

std::optional<Guarantee> guarantee_of(const Mechanism& mechanism) {
  auto guarantee = guarantee_file::as_stated(mechanism);
  // If D_1 = 0, both distributions are equal, and the divergence of every order is 0.
  if (guarantee && guarantee_file::is_zero(guarantee->at_one)) return Guarantee{};
  return guarantee;
}

}  // namespace renyi::certify
