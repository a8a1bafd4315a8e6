#include "certify/exact/decay.h"

#include "certify/mechanism/closed_form.h"

namespace renyi::certify {
namespace {

// The loss is N(rate, 2 rate), and so it is when tilted, but for its mean: |phi(y)| = exp(-rate y^2).
class GaussianDecay final : public Decay {
 public:
  explicit GaussianDecay(Ball rate) : rate_(std::move(rate)) {}
  Ball within(const Ball& y, const Ball&) const override { return beyond(y); }
  Ball beyond(const Ball& y) const override { return useful(-rate_ * square(y)); }

 private:
  Ball rate_;
};

}  // namespace

Ball useful(const Ball& bound) {
  const Ball above = bound.upper();
  return surely_less(above, 0) ? above : Ball(0);
}

std::unique_ptr<Decay> gaussian_decay(const Ball& rate) { return std::make_unique<GaussianDecay>(rate); }

std::unique_ptr<Decay> decay_of(const Mechanism& mechanism, Direction direction, const Ball& c) {
  if (is_trivial(mechanism)) return gaussian_decay(0);
  if (const auto rate = gaussian_rate(mechanism)) return gaussian_decay(*rate);
  if (const auto* sampled = mechanism.get_if<SampledGaussian>()) return sampled_gaussian_decay(*sampled, direction, c);
  return bounded_decay(mechanism, direction, c);
}

}  // namespace renyi::certify
