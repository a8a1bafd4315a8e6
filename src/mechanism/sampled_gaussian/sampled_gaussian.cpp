// The Sampled Gaussian Mechanism as a value (Mironov, Talwar, Zhang 2019,
// arXiv:1908.10530v1; docs/math/sampled-gaussian.md).
#include <array>

#include "mechanism/gaussian.h"
#include "mechanism/references.h"
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

}  // namespace
}  // namespace sampled_gaussian_file

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

Mechanism SampledGaussian::on_a_sample() const {
  return Mechanism(Gaussian{noise_multiplier, 1}).sampled_by(Sampling::poisson(sampling_rate));
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

Mechanism table::sampled_gaussian() { return SampledGaussian{}; }

}  // namespace renyi
