#include "certify/exact/atoms.h"

#include <algorithm>
#include <numeric>

#include "certify/exact/trinomial.h"

namespace renyi::certify {
namespace {

constexpr long list_bits = 256;
constexpr std::int64_t most_atoms = 20'000;

Atoms atoms_of_one(const CountedResponse& counted) {
  const TwoSided response = counted.law();
  Atoms atoms;
  std::vector<Ball> masses = trinomial_masses(response, counted.count);
  for (std::size_t m = 0; m < masses.size(); ++m) {
    if (arb_is_zero(masses[m].raw())) continue;
    atoms.loss.push_back((Ball(static_cast<std::int64_t>(m)) - Ball(counted.count)) * response.loss);
    atoms.mass.push_back(std::move(masses[m]));
  }
  return atoms;
}

Atoms product(const Atoms& a, const Atoms& b) {
  Atoms result;
  for (std::size_t i = 0; i < a.loss.size(); ++i) {
    for (std::size_t j = 0; j < b.loss.size(); ++j) {
      result.loss.push_back(a.loss[i] + b.loss[j]);
      result.mass.push_back(a.mass[i] * b.mass[j]);
    }
  }
  return result;
}

Atoms heaviest_first(const Atoms& atoms) {
  std::vector<std::size_t> order(atoms.loss.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) {
    return arf_cmp(arb_midref(atoms.mass[i].raw()), arb_midref(atoms.mass[j].raw())) > 0;
  });
  Atoms sorted;
  for (const std::size_t i : order) {
    sorted.loss.push_back(atoms.loss[i]);
    sorted.mass.push_back(atoms.mass[i]);
  }
  return sorted;
}

class AtomsLaw final : public Law {
 public:
  AtomsLaw(Atoms atoms, std::unique_ptr<Law> rest, double negligible)
      : atoms_(std::move(atoms)), rest_(std::move(rest)), negligible_(negligible) {
    const Precision bits(list_bits);
    left_.resize(atoms_.mass.size() + 1);
    for (std::size_t i = atoms_.mass.size(); i-- > 0;) left_[i] = left_[i + 1] + atoms_.mass[i];
  }
  std::string method() const override { return rest_->method() + " with listed responses"; }
  std::int64_t precision() const override { return std::max<std::int64_t>(list_bits, rest_->precision()); }

  // Lemma L7; an atom left out costs between 0 and its mass, as 0 <= rest <= 1.
  Ball delta(const Ball& epsilon) const override {
    const Precision bits(list_bits);
    Ball sum;
    for (std::size_t i = 0; i < atoms_.mass.size(); ++i) {
      if (surely_less(left_[i], sum * negligible_)) return sum + Ball::hull(Ball(0), left_[i].upper());
      sum += atoms_.mass[i] * rest_->delta(epsilon - atoms_.loss[i]);
    }
    return sum;
  }

 private:
  Atoms atoms_;
  std::unique_ptr<Law> rest_;
  Ball negligible_;
  std::vector<Ball> left_;  // mass from the i-th on
};

}  // namespace

std::optional<Atoms> atoms_of(const std::vector<CountedResponse>& responses) {
  const Precision bits(list_bits);
  Atoms all{{Ball(0)}, {Ball(1)}};
  for (const CountedResponse& response : responses) {
    const std::int64_t losses = response.has_two_losses() ? 1 : 2;
    if (response.count > most_atoms) return std::nullopt;
    if ((response.count * losses + 1) * static_cast<std::int64_t>(all.loss.size()) > most_atoms) return std::nullopt;
    all = product(all, atoms_of_one(response));
  }
  return heaviest_first(all);
}

std::unique_ptr<Law> with_responses(const std::vector<CountedResponse>& responses, std::unique_ptr<Law> rest,
                                    double negligible) {
  std::optional<Atoms> atoms = atoms_of(responses);
  if (!atoms) return nullptr;
  return std::make_unique<AtomsLaw>(std::move(*atoms), std::move(rest), negligible);
}

}  // namespace renyi::certify
