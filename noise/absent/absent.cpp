// The interface of a build without Arb: no noise is drawn, and every function throws an error that says how to get it.
#include "renyi/clipped_sum.h"
#include "renyi/error.h"
#include "renyi/exact_number.h"
#include "renyi/exact_sum.h"
#include "renyi/noise.h"

namespace renyi::noise {
namespace absent_file {
namespace {

[[noreturn]] void refuse() {
  throw Unsupported(
      "noise", "this build of renyi is without exact noise",
      "build it with -DRENYI_CERTIFY=ON, which needs Arb and libcrypto (Debian: libflint-arb-dev and libssl-dev)");
}

using Doubles = std::span<const double>;
using Floats = std::span<const float>;
using Whole = std::span<const std::int64_t>;

}  // namespace
}  // namespace absent_file

using absent_file::refuse;

Release gaussian(absent_file::Doubles, std::span<double>, double, const OnGrid&) { refuse(); }
Release gaussian(absent_file::Floats, std::span<float>, double, const OnGrid&) { refuse(); }
Release laplace(absent_file::Doubles, std::span<double>, double, const OnGrid&) { refuse(); }
Release laplace(absent_file::Floats, std::span<float>, double, const OnGrid&) { refuse(); }
Release discrete_gaussian(absent_file::Whole, std::span<std::int64_t>, double, double) { refuse(); }
Release discrete_laplace(absent_file::Whole, std::span<std::int64_t>, double, double) { refuse(); }
Release skellam(absent_file::Whole, std::span<std::int64_t>, double, double) { refuse(); }
Release geometric(std::span<std::int64_t>, double) { refuse(); }
Release bernoulli(std::span<std::uint8_t>, double) { refuse(); }
Release bernoulli_exp(std::span<std::uint8_t>, double) { refuse(); }
Release randomized_response(absent_file::Whole, std::span<std::int64_t>, double, std::int64_t) { refuse(); }
Choice exponential(absent_file::Doubles, double, const Scores&) { refuse(); }
Choice permute_and_flip(absent_file::Doubles, double, const Scores&) { refuse(); }
Choice report_noisy_max(absent_file::Doubles, double, const Scores&) { refuse(); }
Release poisson_sample(std::span<std::uint8_t>, double) { refuse(); }
Release fixed_size_sample(std::span<std::uint8_t>, std::uint64_t) { refuse(); }
Release random_allocation(std::span<std::uint64_t>, std::uint64_t) { refuse(); }
Release shuffle(std::span<std::uint64_t>) { refuse(); }
std::vector<std::uint64_t> poisson_records(std::uint64_t, double) { refuse(); }
std::vector<std::uint64_t> fixed_size_records(std::uint64_t, std::uint64_t) { refuse(); }

ClippedSum::ClippedSum(std::size_t, double, std::optional<double>) { refuse(); }
void ClippedSum::add(absent_file::Floats) { refuse(); }
void ClippedSum::add(absent_file::Doubles) { refuse(); }
void ClippedSum::add(std::span<const absent_file::Floats>) { refuse(); }
void ClippedSum::add(std::span<const absent_file::Doubles>) { refuse(); }
void ClippedSum::merge(const ClippedSum&) { refuse(); }
void ClippedSum::clear() { refuse(); }
Release noise_like(const ClippedSum&, std::span<double>, double) { refuse(); }
Release noise_like(const ClippedSum&, std::span<float>, double) { refuse(); }
double float_sum_sensitivity(double, std::uint64_t, std::uint64_t) { refuse(); }
double effective_noise_multiplier(double, double) { refuse(); }

ExactSum::ExactSum(double bound) : bound_(bound) { refuse(); }
void ExactSum::add(double) { refuse(); }
void ExactSum::add(absent_file::Doubles) { refuse(); }
void ExactSum::merge(const ExactSum&) { refuse(); }
double ExactSum::rounded() const { refuse(); }
ExactSum::Digits ExactSum::digits() const { refuse(); }
Release gaussian(std::span<const ExactSum>, std::span<double>, double, const OnGrid&) { refuse(); }
Release laplace(std::span<const ExactSum>, std::span<double>, double, const OnGrid&) { refuse(); }

std::int64_t nearest_whole(const ExactNumber&) { refuse(); }
Release gaussian(std::span<const ExactNumber>, std::span<double>, double, const OnGrid&) { refuse(); }
Release laplace(std::span<const ExactNumber>, std::span<double>, double, const OnGrid&) { refuse(); }

}  // namespace renyi::noise
