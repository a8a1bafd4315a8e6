// The sampled Gaussian: buckets where y is moderate, integration by parts far out.
#include <memory>

#include "certify/exact/buckets.h"
#include "certify/exact/decay.h"

namespace renyi::certify {
namespace {

class SampledGaussianDecay final : public Decay {
 public:
  SampledGaussianDecay(const SampledGaussian& mechanism, Direction direction, const Ball& c)
      : law_(mechanism, direction, c), variation_(total_variation_by_parts(law_)) {}

  // 1 - |phi|^2 >= lost.
  Ball within(const Ball& y, const Ball& ratio) const override {
    const double end = (y * ratio).about();
    if (!buckets_ || buckets_->finest() < end) buckets_ = std::make_unique<Buckets>(law_, 3 * end);
    return useful(min(log1p(-buckets_->lost(y, ratio)) / 2, beyond(y)));
  }

  // Lemma K8.
  Ball beyond(const Ball& y) const override { return useful(log(variation_ / y)); }

 private:
  Tilted law_;
  Ball variation_;
  mutable std::unique_ptr<Buckets> buckets_;  // used by one thread: a decay lives while a law is made
};

}  // namespace

std::unique_ptr<Decay> sampled_gaussian_decay(const SampledGaussian& mechanism, Direction direction, const Ball& c) {
  return std::make_unique<SampledGaussianDecay>(mechanism, direction, c);
}

}  // namespace renyi::certify
