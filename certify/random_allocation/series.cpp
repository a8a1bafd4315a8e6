#include "certify/random_allocation/series.h"

#include <bit>

#include "certify/random_allocation/moment.h"

namespace renyi::certify {
namespace allocation_series_file {
namespace {

// The coefficients of a power series. They are positive, and products are computed term by term, so that each
// coefficient keeps its relative accuracy, however different their sizes are.
class Series {
 public:
  explicit Series(std::size_t length) : length_(static_cast<slong>(length)), balls_(_arb_vec_init(length_)) {}
  ~Series() {
    if (balls_ != nullptr) _arb_vec_clear(balls_, length_);
  }
  Series(Series&& other) noexcept : length_(other.length_), balls_(other.balls_) { other.balls_ = nullptr; }
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;
  Series& operator=(Series&&) = delete;

  arb_ptr at(std::size_t i) { return balls_ + i; }

  void multiply(const Series& other) {
    arb_ptr product = _arb_vec_init(length_);
    _arb_poly_mullow_classical(product, balls_, length_, other.balls_, length_, length_, Precision::bits());
    _arb_vec_clear(balls_, length_);
    balls_ = product;
  }

 private:
  slong length_;
  arb_ptr balls_;
};

Series power(const std::vector<Ball>& terms, std::int64_t t) {
  Series base(terms.size());
  Series result(terms.size());
  for (std::size_t k = 0; k < terms.size(); ++k) {
    arb_set(base.at(k), terms[k].raw());
    arb_set(result.at(k), terms[k].raw());
  }
  const auto exponent = static_cast<std::uint64_t>(t);
  for (int bit = static_cast<int>(std::bit_width(exponent)) - 2; bit >= 0; --bit) {
    result.multiply(result);
    if ((exponent >> static_cast<unsigned>(bit) & 1U) != 0) result.multiply(base);
  }
  return result;
}

Ball taken(Series& series, std::size_t i) {
  Ball value;
  arb_set(value.raw(), series.at(i));
  return value;
}

}  // namespace
}  // namespace allocation_series_file

std::vector<Ball> scaled_moments(const Ball& variance, std::size_t length) {
  std::vector<Ball> moments;
  Ball factorial = 1;
  for (std::size_t i = 0; i < length; ++i) {
    const auto k = static_cast<std::int64_t>(i);
    if (k > 1) factorial *= Ball(k);
    moments.push_back(exp(Ball(k * k - k) * variance / 2) / factorial);
  }
  return moments;
}

Ball last_coefficient(const std::vector<Ball>& terms, std::int64_t t) {
  auto series = allocation_series_file::power(terms, t);
  return allocation_series_file::taken(series, terms.size() - 1);
}

Ball moment_scale(std::int64_t n, std::int64_t t) {
  Ball scale = 1;
  for (std::int64_t k = 1; k <= n; ++k) scale *= Ball(k) / Ball(t);
  return scale;
}

std::vector<Ball> whole_moments(const Ball& variance, std::int64_t t, std::size_t length) {
  auto series = allocation_series_file::power(scaled_moments(variance, length), t);
  std::vector<Ball> moments;
  Ball scale = 1;
  for (std::size_t k = 0; k < length; ++k) {
    if (k > 0) scale *= Ball(static_cast<std::int64_t>(k)) / Ball(t);
    moments.push_back(scale * allocation_series_file::taken(series, k));
  }
  return moments;
}

// Lemma A7.
Ball finite_sum_log_moment(const AllocatedGaussian& epoch, std::int64_t order) {
  const Precision guarded(Precision::bits() + 64 +
                          4 * static_cast<long>(std::bit_width(static_cast<std::uint64_t>(order))));
  const Ball variance = square(Ball(epoch.sensitivity) / epoch.stddev);
  return log(whole_moments(variance, epoch.steps, static_cast<std::size_t>(order) + 1).back());
}

}  // namespace renyi::certify
