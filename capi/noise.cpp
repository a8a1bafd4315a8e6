// Noise from C: buffers in, buffers out.
#include "renyi/noise.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "capi/guard.h"
#include "renyi/c.h"

// C programs were compiled with these sizes (docs/versioning.md): a change here requires a new ABI version.
static_assert(sizeof(renyi_release) == 328 && sizeof(renyi_on_grid) == 24 && sizeof(renyi_scores) == 24);

namespace renyi::capi {
namespace noise_file {
namespace {

// A step that was cut could not be accounted for, so that a text that is too long is a defect.
template <std::size_t size>
void copy_whole(char (&to)[size], const std::string& text) {
  if (text.size() >= size) throw std::logic_error("the text of a release is too long for renyi_release");
  std::memcpy(to, text.c_str(), text.size() + 1);
}

void write_release(renyi_release* to, const noise::Release& release) {
  if (to == nullptr) return;
  *to = {};
  to->draws = release.draws;
  to->timing_delta = release.timing_delta;
  to->grid = release.grid;
  to->range = release.range;
  to->effective_stddev = release.effective_stddev;
  copy_whole(to->mechanism, release.mechanism);
  copy_whole(to->step, release.step);
}

// Runs `work`, which draws and returns a Release.
template <class Work>
renyi_status drawn(renyi_release* release, renyi_error* error, const Work& work) noexcept {
  if (release != nullptr) *release = {};
  return guarded(error, [&] { write_release(release, work()); });
}

template <class Number>
std::span<const Number> input(const char* name, const Number* values, std::size_t size) {
  if (size > 0) require(values, name, "an array of numbers");
  return {values, size};
}

template <class Number>
std::span<Number> output(Number* out, std::size_t size) {
  if (size > 0) require(out, "out", "a place for the results");
  return {out, size};
}

std::optional<double> chosen(double value) { return value == 0 ? std::nullopt : std::optional(value); }

noise::OnGrid on_grid(const renyi_on_grid* options) {
  if (options == nullptr) return {};
  return {chosen(options->grid), chosen(options->range), chosen(options->sensitivity).value_or(1)};
}

noise::Scores scores_of(const renyi_scores* options) {
  if (options == nullptr) return {};
  const noise::Scores usual;
  return {chosen(options->sensitivity).value_or(usual.sensitivity), options->monotonic != 0,
          chosen(options->range).value_or(usual.range)};
}

// Runs `work`, which chooses one of the scores.
template <class Work>
renyi_status choice(std::size_t* out, renyi_release* release, renyi_error* error, const Work& work) noexcept {
  if (out != nullptr) *out = SIZE_MAX;
  return drawn(release, error, [&] {
    require(out, "out", "a place for the index");
    noise::Choice found = work();
    *out = found.index;
    return std::move(found.release);
  });
}

}  // namespace
}  // namespace noise_file
}  // namespace renyi::capi

namespace noise_file = renyi::capi::noise_file;
namespace noise = renyi::noise;
using noise_file::drawn;
using noise_file::input;
using noise_file::output;

renyi_status renyi_noise_gaussian(const double* values, size_t size, double* out, double stddev,
                                  const renyi_on_grid* options, renyi_release* release, renyi_error* error) {
  return drawn(release, error, [&] {
    return noise::gaussian(input("values", values, size), output(out, size), stddev, noise_file::on_grid(options));
  });
}

renyi_status renyi_noise_gaussian_float(const float* values, size_t size, float* out, double stddev,
                                        const renyi_on_grid* options, renyi_release* release, renyi_error* error) {
  return drawn(release, error, [&] {
    return noise::gaussian(input("values", values, size), output(out, size), stddev, noise_file::on_grid(options));
  });
}

renyi_status renyi_noise_laplace(const double* values, size_t size, double* out, double scale,
                                 const renyi_on_grid* options, renyi_release* release, renyi_error* error) {
  return drawn(release, error, [&] {
    return noise::laplace(input("values", values, size), output(out, size), scale, noise_file::on_grid(options));
  });
}

renyi_status renyi_noise_laplace_float(const float* values, size_t size, float* out, double scale,
                                       const renyi_on_grid* options, renyi_release* release, renyi_error* error) {
  return drawn(release, error, [&] {
    return noise::laplace(input("values", values, size), output(out, size), scale, noise_file::on_grid(options));
  });
}

renyi_status renyi_noise_discrete_gaussian(const int64_t* values, size_t size, int64_t* out, double stddev,
                                           double sensitivity, renyi_release* release, renyi_error* error) {
  return drawn(release, error, [&] {
    return noise::discrete_gaussian(input("values", values, size), output(out, size), stddev, sensitivity);
  });
}

renyi_status renyi_noise_discrete_laplace(const int64_t* values, size_t size, int64_t* out, double scale,
                                          double sensitivity, renyi_release* release, renyi_error* error) {
  return drawn(release, error, [&] {
    return noise::discrete_laplace(input("values", values, size), output(out, size), scale, sensitivity);
  });
}

renyi_status renyi_noise_skellam(const int64_t* values, size_t size, int64_t* out, double variance, double sensitivity,
                                 renyi_release* release, renyi_error* error) {
  return drawn(release, error,
               [&] { return noise::skellam(input("values", values, size), output(out, size), variance, sensitivity); });
}

renyi_status renyi_noise_randomized_response(const int64_t* values, size_t size, int64_t* out, double truth_probability,
                                             int64_t categories, renyi_release* release, renyi_error* error) {
  return drawn(release, error, [&] {
    return noise::randomized_response(input("values", values, size), output(out, size), truth_probability, categories);
  });
}

renyi_status renyi_noise_geometric(int64_t* out, size_t size, double scale, renyi_release* release,
                                   renyi_error* error) {
  return drawn(release, error, [&] { return noise::geometric(output(out, size), scale); });
}

renyi_status renyi_noise_bernoulli(uint8_t* out, size_t size, double probability, renyi_release* release,
                                   renyi_error* error) {
  return drawn(release, error, [&] { return noise::bernoulli(output(out, size), probability); });
}

renyi_status renyi_noise_bernoulli_exp(uint8_t* out, size_t size, double exponent, renyi_release* release,
                                       renyi_error* error) {
  return drawn(release, error, [&] { return noise::bernoulli_exp(output(out, size), exponent); });
}

renyi_status renyi_noise_exponential(const double* scores, size_t size, double epsilon, const renyi_scores* options,
                                     size_t* out, renyi_release* release, renyi_error* error) {
  return noise_file::choice(out, release, error, [&] {
    return noise::exponential(input("scores", scores, size), epsilon, noise_file::scores_of(options));
  });
}

renyi_status renyi_noise_permute_and_flip(const double* scores, size_t size, double epsilon,
                                          const renyi_scores* options, size_t* out, renyi_release* release,
                                          renyi_error* error) {
  return noise_file::choice(out, release, error, [&] {
    return noise::permute_and_flip(input("scores", scores, size), epsilon, noise_file::scores_of(options));
  });
}

renyi_status renyi_noise_report_noisy_max(const double* scores, size_t size, double score_scale,
                                          const renyi_scores* options, size_t* out, renyi_release* release,
                                          renyi_error* error) {
  return noise_file::choice(out, release, error, [&] {
    return noise::report_noisy_max(input("scores", scores, size), score_scale, noise_file::scores_of(options));
  });
}

renyi_status renyi_noise_poisson_sample(uint8_t* out, size_t size, double sampling_rate, renyi_release* release,
                                        renyi_error* error) {
  return drawn(release, error, [&] { return noise::poisson_sample(output(out, size), sampling_rate); });
}

renyi_status renyi_noise_fixed_size_sample(uint8_t* out, size_t size, uint64_t sample_size, renyi_release* release,
                                           renyi_error* error) {
  return drawn(release, error, [&] { return noise::fixed_size_sample(output(out, size), sample_size); });
}

renyi_status renyi_noise_random_allocation(uint64_t* out, size_t size, uint64_t steps, renyi_release* release,
                                           renyi_error* error) {
  return drawn(release, error, [&] { return noise::random_allocation(output(out, size), steps); });
}

renyi_status renyi_noise_shuffle(uint64_t* out, size_t size, renyi_release* release, renyi_error* error) {
  return drawn(release, error, [&] { return noise::shuffle(output(out, size)); });
}
