// Pairs of distributions and their divergences.
#include "renyi/extras/divergence.h"

#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "gil.h"

namespace renyi::python {
namespace divergence_file {
namespace {

DistributionPair densities(py::function log_p, py::function log_q, double lower, double upper,
                           std::vector<double> points) {
  LogDensities both{callback(std::move(log_p)), callback(std::move(log_q)), lower, upper, std::move(points)};
  const WithoutGil unlocked;
  return DistributionPair::densities(std::move(both));
}

// Returns the lower and the upper bound at each argument, as columns.
template <class Ask>
py::tuple intervals(const std::vector<double>& arguments, const Ask& ask) {
  std::vector<double> lower, upper;
  {
    const WithoutGil unlocked;
    for (const double argument : arguments) {
      const Bounded found = ask(argument);
      lower.push_back(found.lower());
      upper.push_back(found.upper());
    }
  }
  return py::make_tuple(write_column(lower), write_column(upper));
}

}  // namespace
}  // namespace divergence_file

void bind_divergence(py::module_& module) {
  using Vector = std::vector<double>;
  py::class_<DistributionPair>(module, "Pair")
      .def_static("normal",
                  [](double p_mean, double p_stddev, double q_mean, double q_stddev) {
                    return DistributionPair::normal({p_mean, p_stddev}, {q_mean, q_stddev});
                  })
      .def_static("laplace",
                  [](double p_location, double p_scale, double q_location, double q_scale) {
                    return DistributionPair::laplace({p_location, p_scale}, {q_location, q_scale});
                  })
      .def_static("multivariate_normal", &DistributionPair::multivariate_normal)
      .def_static("bernoulli", &DistributionPair::bernoulli)
      .def_static("discrete",
                  [](const Vector& p, const Vector& q, bool normalize) {
                    return DistributionPair::discrete(p, q, normalize ? Normalize::yes : Normalize::no);
                  })
      .def_static("densities", &divergence_file::densities)
      .def("swapped", &DistributionPair::swapped)
      .def("renyi",
           [](const DistributionPair& pair, const Vector& orders) {
             return divergence_file::intervals(orders, [&](double order) { return renyi_divergence(pair, order); });
           })
      .def("hockey_stick", [](const DistributionPair& pair, const Vector& epsilons) {
        return divergence_file::intervals(epsilons, [&](double epsilon) { return hockey_stick(pair, epsilon); });
      });
}

}  // namespace renyi::python
