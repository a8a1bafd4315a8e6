// The Sampled Gaussian Mechanism as a value (Mironov, Talwar, Zhang 2019,
// arXiv:1908.10530v1; docs/math/sampled-gaussian.md).
#include <array>

#include "mechanism/gaussian.h"
#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/replacement_steps.h"
#include "mechanism/sampled_gaussian/curve.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace sampled_gaussian_file {
namespace {

constexpr Reference sampled_gaussian_paper{"mironovtalwarzhang2019",
                                           "Mironov, Talwar, Zhang 2019, Renyi differential privacy of the sampled "
                                           "Gaussian mechanism (arXiv:1908.10530v1), Theorems 4 and 5 and Section 3.3",
                                           R"(@misc{mironovtalwarzhang2019,
  author = {Mironov, Ilya and Talwar, Kunal and Zhang, Li},
  title = {R{\'e}nyi Differential Privacy of the Sampled Gaussian Mechanism},
  year = {2019},
  eprint = {1908.10530}
})"};

// Gaussian noise on a Poisson sample: each record enters with probability
// `sampling_rate`; the noise has `noise_multiplier` times the L2 sensitivity.
struct SampledGaussian {
  double sampling_rate = 0.01;
  double noise_multiplier = 1;

  static constexpr std::string_view kind = "sampled-gaussian";
  static constexpr std::string_view summary = "Gaussian noise on a Poisson sample of the records (one step of DP-SGD)";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&SampledGaussian::sampling_rate, &SampledGaussian::noise_multiplier};
  static Notes notes();
  static constexpr std::string_view sampling_obstacle = "it is sampled already";
  Mechanism as_sampled_mechanism() const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const SampledGaussian&) const = default;
};

std::span<const Parameter> SampledGaussian::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "sampling_rate",
       .meaning = "probability with which each record enters the sample",
       .lowest = 1e-100,
       .highest = 1,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
      {.name = "noise_multiplier",
       .meaning = "standard deviation of the noise over the L2 sensitivity",
       .lowest = 0.01,
       .highest = 1e6,
       .effect = Effect::lowers_cost},
  }};
  return table;
}

Mechanism SampledGaussian::as_sampled_mechanism() const {
  return mechanism::gaussian_step(noise_multiplier, 1).sampled_by(Sampling::poisson(sampling_rate));
}

std::shared_ptr<const Curve> SampledGaussian::curve() const {
  if (sampling_rate == 0) return std::make_shared<mechanism::ZeroCurve>();
  if (sampling_rate == 1)
    return std::make_shared<mechanism::GaussianCurve>(mechanism::NormalShift{1, noise_multiplier});
  return std::make_shared<sampled_gaussian::SampledGaussianCurve>(sampling_rate, noise_multiplier);
}

Notes SampledGaussian::notes() {
  return {.relation = "any; the noise is stated beside the presence of one record",
          .exact = "everything under add-or-remove-one and zero-out; under replace-one the pair of two records",
          .bound = "",
          .references = {reference::mironov2017, sampled_gaussian_file::sampled_gaussian_paper}};
}

}  // namespace
}  // namespace sampled_gaussian_file

std::optional<Mechanism> mechanism::sampled_gaussian_step(double rate, double noise_multiplier) {
  using sampled_gaussian_file::SampledGaussian;
  if (!SampledGaussian::parameters()[1].allows(noise_multiplier)) return std::nullopt;
  return made(SampledGaussian{rate, noise_multiplier});
}

Mechanism table::sampled_gaussian() { return mechanism::made(sampled_gaussian_file::SampledGaussian{}); }

}  // namespace renyi
