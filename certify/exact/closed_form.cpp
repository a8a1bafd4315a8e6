#include "certify/exact/closed_form.h"

#include "certify/exact/atoms.h"
#include "certify/exact/parts.h"
#include "renyi/error.h"

namespace renyi::certify {
namespace {

constexpr long first_bits = 128;
constexpr long most_bits = 1L << 14;
constexpr double sharp_enough = 0x1p-56;

class NoLossLaw final : public FormulaLaw {
  Ball at(const Ball& epsilon) const override { return max(Ball(0), -expm1(epsilon)); }
};

// The law of what is no response, or, if all are, of the one with the most copies.
std::unique_ptr<Law> law_of_rest(const Parts& parts, std::vector<CountedResponse>& responses, Direction direction) {
  if (parts.others.empty() && !parts.gaussians.empty()) return gaussian_law(parts.gaussians);
  if (parts.others.size() == 1 && parts.gaussians.empty() && parts.others.front().count == 1) {
    const Mechanism& step = parts.others.front().mechanism;
    if (const auto* laplace = step.get_if<Laplace>()) return one_laplace_law(*laplace);
    if (const auto* sampled = step.get_if<SampledGaussian>()) return one_sampled_gaussian_law(*sampled, direction);
  }
  if (!parts.others.empty()) return nullptr;
  if (responses.empty()) return no_loss_law();
  const CountedResponse longest = responses.back();
  responses.pop_back();
  return response_law(longest);
}

}  // namespace

Ball FormulaLaw::sharp(const Ball& epsilon) const {
  Ball best = Ball::infinity();
  for (long bits = first_bits; bits <= most_bits; bits *= 2) {
    const Precision precision(bits);
    sufficed_ = bits;
    Ball value = at(epsilon);
    if (value.relative_radius() <= sharp_enough) return min(max(value, Ball(0)), Ball(1));
    if (value.is_finite()) best = value;
  }
  if (!best.is_finite()) throw NotConverged("delta in closed form: no finite enclosure at 16384 bits");
  return best;
}

Ball FormulaLaw::delta(const Ball& epsilon) const {
  if (arb_is_exact(epsilon.raw())) return sharp(epsilon);
  if (!epsilon.is_finite()) throw NotConverged("delta at an unbounded epsilon");
  return Ball::hull(sharp(epsilon.upper()), sharp(epsilon.lower()));
}

std::unique_ptr<Law> no_loss_law() { return std::make_unique<NoLossLaw>(); }

// There is no second formula worth having: a verifier recomputes the first at another precision.
std::unique_ptr<Law> closed_form_law(const Steps& steps, Direction direction, Route) {
  const std::optional<Parts> parts = parts_of(steps);
  if (!parts) return nullptr;
  std::vector<CountedResponse> responses = parts->responses;
  std::unique_ptr<Law> rest = law_of_rest(*parts, responses, direction);
  if (!rest || responses.empty()) return rest;
  return with_responses(responses, std::move(rest));
}

}  // namespace renyi::certify
