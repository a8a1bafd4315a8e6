// Losses within [-e, e] whose moments have a closed form: Laplace, randomized response.
#include "certify/exact/decay.h"
#include "certify/mechanism/closed_form.h"
#include "certify/mechanism/moment.h"

namespace renyi::certify {
namespace {

constexpr int samples = 64;

// The extreme losses as atoms, tilted: their masses times E[exp(cL)].
struct Ends {
  Ball up;
  Ball down;
};

class BoundedDecay final : public Decay {
 public:
  BoundedDecay(const Mechanism& mechanism, Direction direction, const Ball& c)
      : mechanism_(mechanism), direction_(direction), c_(c), whole_(moment(mechanism, direction, Complex(c)).real()) {
    if (const auto* laplace = mechanism.get_if<Laplace>()) {
      is_laplace_ = true;
      largest_ = largest_loss(*laplace);
      ends_ = {exp(c * largest_) / 2, exp(-(c + 1) * largest_) / 2};
    } else if (const auto law = two_sided(mechanism)) {
      largest_ = law->loss;
      ends_ = {law->high * exp(c * law->loss), law->low * exp(-c * law->loss)};
    }
  }

  Ball within(const Ball& y, const Ball& ratio) const override {
    const Ball far = beyond(y);
    const Ball near = surely_at_most(2 * largest_ * ratio * y, Ball::pi()) ? by_ends(y) : by_samples(y, ratio);
    return useful(min(far, near));
  }

  // Lemma K6: with z = c + iy, |z+1|/|2z+1| falls and |z|/|2z+1| < 1/2.
  Ball beyond(const Ball& y) const override {
    if (!is_laplace_) return 0;
    const Ball up = sqrt((square(c_ + 1) + square(y)) / (square(2 * c_ + 1) + 4 * square(y)));
    return useful(log((2 * up * ends_.up + ends_.down) / whole_));
  }

 private:
  // Lemma K5, one bucket and its two ends.
  Ball by_ends(const Ball& y) const {
    const Ball gain = 16 * square(largest_ * y / Ball::pi()) * ends_.up * ends_.down / square(whole_);
    return useful(log1p(-gain) / 2);
  }

  // Lemma K7: |phi| changes by at most E|L| <= e per unit of y.
  Ball by_samples(const Ball& y, const Ball& ratio) const {
    const Ball half = (ratio - 1) * y / (2 * samples);
    Ball largest(0);
    for (int i = 0; i < samples; ++i) {
      const Complex z(c_, y + half * (2 * i + 1));
      largest = max(largest, abs(moment(mechanism_, direction_, z)));
    }
    return useful(log(largest / whole_ + half * largest_));
  }

  Mechanism mechanism_;
  Direction direction_;
  Ball c_;
  Ball whole_;
  Ball largest_;
  Ends ends_;
  bool is_laplace_ = false;
};

}  // namespace

std::unique_ptr<Decay> bounded_decay(const Mechanism& mechanism, Direction direction, const Ball& c) {
  return std::make_unique<BoundedDecay>(mechanism, direction, c);
}

}  // namespace renyi::certify
