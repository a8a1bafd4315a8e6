#include "certify/exact/on_grid.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "certify/exact/convolution.h"
#include "certify/exact/grid_law.h"

namespace renyi::certify {
namespace {

// The plan's law between its two roundings.
class LatticeLaw final : public Law {
 public:
  LatticeLaw(const Rounded& above, const Rounded& below, const Ball& h, Ball largest, long bits)
      : above_(above, h), below_(below, h), infinite_(above.infinite), largest_(std::move(largest)), bits_(bits) {}
  std::string method() const override { return "lattice"; }
  std::int64_t precision() const override { return bits_; }

  Ball delta(const Ball& epsilon) const override {
    const Precision bits(bits_);
    if (surely_at_most(largest_, epsilon)) return 0;
    // delta(epsilon) >= 1 - exp(epsilon), and 0 <= delta <= 1.
    const Ball least = max(max(below_.delta(epsilon).lower(), (-expm1(epsilon)).lower()), 0);
    const Ball most = min((above_.delta(epsilon) + infinite_).upper(), 1);
    return Ball::hull(least, most);
  }

 private:
  GridProfile above_;
  GridProfile below_;
  Ball infinite_;
  Ball largest_;
  long bits_;
};

double distance_of(const Laplace& step) { return 2 * step.l1_sensitivity / step.scale; }

// The distance of the first pair of atoms is an even number of cells, as merging takes them in pairs; of the others
// nearly.
Spacing spacing_near(double h, std::vector<Laplace> atoms) {
  // Atoms too close for the grid to tell apart do not dictate it.
  std::erase_if(atoms, [&](const Laplace& step) { return distance_of(step) < 4 * h; });
  if (atoms.empty()) return {Ball(static_cast<double>(static_cast<float>(h))), 1};
  const Laplace& first = atoms.front();
  const double least = std::ceil(distance_of(first) / (2 * h));
  const auto misfit = [&](double pairs) {
    double sum = 0;
    for (const Laplace& step : atoms) {
      const double fits = distance_of(step) / distance_of(first) * pairs;
      sum += std::exp(-0.5 * distance_of(step)) * std::abs(fits - std::ceil(fits - 1e-9));
    }
    return sum / pairs;
  };
  const double most = atoms.size() > 1 ? least + std::min(std::ceil(0.3 * least), 500.0) : least;
  double best = least;
  for (double pairs = least; pairs <= most; ++pairs) {
    if (misfit(pairs) < misfit(best)) best = pairs;
  }
  return {Ball(first.l1_sensitivity), Ball(first.scale) * Ball(best)};
}

// The copies of one more step.
void add(std::optional<Rounded>& total, const Rounded& law, std::int64_t count, const Shortening& how) {
  Rounded copies = copies_of(law, count, how);
  total = total ? sum_of(*total, copies, how) : std::move(copies);
}

}  // namespace

Lattice::Lattice(std::vector<Kind> kinds, std::vector<Laplace> atoms, const Ball& largest_of_responses)
    : kinds_(std::move(kinds)), atoms_(std::move(atoms)), sum_of_tops_(largest_of_responses.about()) {
  for (const Kind& kind : kinds_) {
    copies_ += static_cast<double>(kind.count);
    sum_of_tops_ += static_cast<double>(kind.count) * kind.tails->top().about();
  }
}

double Lattice::longest(const Question& question) const {
  double result = 0;
  for (const Kind& kind : kinds_) result = std::max(result, span(kind, question).length());
  return result;
}

std::unique_ptr<Law> Lattice::law(double about_h, const Question& question) const {
  const Precision bits(question.bits);
  const Spacing spacing = spacing_near(about_h, atoms_);
  const Ball negligible = exp(Ball(log_negligible(question)));
  std::optional<Rounded> above;
  std::optional<Rounded> below;
  Ball largest;
  for (const Kind& kind : kinds_) {
    const Cut pieces = cut(*kind.tails, hang(*kind.tails, spacing, span(kind, question)));
    add(above, rounded_up(*kind.tails, pieces), kind.count, {Side::above, negligible, question.points_left});
    add(below, rounded_down(*kind.tails, pieces), kind.count, {Side::below, negligible, question.points_left});
    largest += Ball(kind.count) * kind.tails->top();
  }
  return std::make_unique<LatticeLaw>(*above, *below, spacing.h(), largest, question.bits);
}

// What is cut off is this small a share of delta, many times.
double Lattice::log_negligible(const Question& question) const {
  return question.log_delta + std::log(std::min(question.tolerance, 1e-3)) - std::log(1000 * copies_);
}

// Where all losses are bounded, a step whose loss is too low for the others to make up for it is out.
Span Lattice::span(const Kind& kind, const Question& question) const {
  Span span = span_of(*kind.tails, log_negligible(question));
  if (kind.tails->has_atoms() || !std::isfinite(sum_of_tops_)) return span;
  const double left = sum_of_tops_ - question.epsilon;
  if (left > 0) span.low = std::max(span.low, span.high - 1.5 * left);
  return span;
}

}  // namespace renyi::certify
