#include "certify/exact/binomial.h"
#include "certify/exact/closed_form.h"
#include "certify/exact/trinomial.h"

namespace renyi::certify {
namespace {

// Some twenty standard deviations of terms are added: about half a second.
constexpr double largest_variance = 1e10;
constexpr std::int64_t most_copies = std::int64_t{1} << 62;
// All terms are kept.
constexpr std::int64_t most_listed = 200'000;

class BinomialLaw final : public FormulaLaw {
 public:
  explicit BinomialLaw(CountedResponse response) : response_(std::move(response)) {}
  std::string method() const override { return "binomial sum"; }

 private:
  Ball at(const Ball& epsilon) const override { return binomial_delta(response_.law(), response_.count, epsilon); }

  CountedResponse response_;
};

class TrinomialLaw final : public FormulaLaw {
 public:
  explicit TrinomialLaw(CountedResponse response) : response_(std::move(response)) {}
  std::string method() const override { return "trinomial sum"; }

 private:
  // The sums of the last precision are kept: a search for epsilon asks many times.
  Ball at(const Ball& epsilon) const override {
    if (!sums_ || bits_ != Precision::bits()) {
      sums_ = std::make_unique<TrinomialSums>(response_.law(), response_.count);
      bits_ = Precision::bits();
    }
    return sums_->delta(epsilon);
  }

  CountedResponse response_;
  mutable std::unique_ptr<TrinomialSums> sums_;
  mutable long bits_ = 0;
};

}  // namespace

std::unique_ptr<Law> response_law(const CountedResponse& response) {
  if (!response.has_two_losses()) {
    if (response.count > most_listed) return nullptr;
    return std::make_unique<TrinomialLaw>(response);
  }
  const TwoSided masses = response.law();
  const double variance = static_cast<double>(response.count) * masses.high.about() * masses.low.about();
  return variance <= largest_variance && response.count <= most_copies ? std::make_unique<BinomialLaw>(response)
                                                                       : nullptr;
}

}  // namespace renyi::certify
