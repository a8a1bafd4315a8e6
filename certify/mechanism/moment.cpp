#include "certify/mechanism/moment.h"

#include <optional>

#include "certify/mechanism/closed_form.h"
#include "renyi/error.h"

namespace renyi::certify {
namespace {

// exp(z (z+1) rate): the loss is N(rate, 2 rate).
Complex gaussian_moment(const Ball& rate, const Complex& z) { return exp(z * (z + Complex(1)) * Complex(rate)); }

Complex laplace_moment(const Ball& largest, const Complex& z) {
  const Complex up = (z + Complex(1)) * exp(z * Complex(largest));
  const Complex down = z * exp((z + Complex(1)) * Complex(-largest));
  return (up + down) / (z + z + Complex(1));
}

// Lemma C1: the loss is +-e or 0, with the weights of `law`.
Complex atoms_moment(const TwoSided& law, const Complex& z) {
  const Complex up = exp(z * Complex(law.loss));
  return Complex(law.high) * up + Complex(law.low) / up + Complex(law.rest);
}

std::optional<Complex> moment_if_closed(const Mechanism& mechanism, const Complex& z) {
  if (is_trivial(mechanism)) return Complex(1);
  if (const auto rate = gaussian_rate(mechanism)) return gaussian_moment(*rate, z);
  if (const auto* laplace = mechanism.get_if<Laplace>()) return laplace_moment(largest_loss(*laplace), z);
  if (const auto law = two_sided(mechanism)) return atoms_moment(*law, z);
  return std::nullopt;
}

}  // namespace

bool has_closed_moment(const Mechanism& mechanism) { return moment_if_closed(mechanism, Complex(1)).has_value(); }

Complex moment(const Mechanism& mechanism, Direction, const Complex& z) {
  if (auto closed = moment_if_closed(mechanism, z)) return *closed;
  throw Unsupported("mechanism", "complex moments of " + std::string(mechanism.kind()) + " have no closed form",
                    "use gaussian, laplace, randomized-response, pure-dp or gdp");
}

}  // namespace renyi::certify
