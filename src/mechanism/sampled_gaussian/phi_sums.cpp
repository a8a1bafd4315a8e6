#include "mechanism/sampled_gaussian/phi_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/exponentials.h"
#include "numerics/rounding.h"

namespace renyi::sampled_gaussian {

namespace phi_sums_file {
namespace {

// Sums by parity, in rows whose roundings do not add up over all atoms.
template <class Term>
PhaseSums by_parity(const Atoms& atoms, const Term& term) {
  constexpr std::size_t row = 32;
  PhaseSums sums;
  for (std::size_t i = 0; i < atoms.count;) {
    std::complex<double> part[2];
    for (const std::size_t end = std::min(atoms.count, i + row); i < end; ++i) {
      part[i & 1] += atoms.weight[i] * term(atoms.loss[i]);
    }
    for (std::size_t p = 0; p < 2; ++p) {
      sums.re[p] += part[p].real();
      sums.im[p] += part[p].imag();
    }
  }
  return sums;
}

}  // namespace
}  // namespace phi_sums_file

double size_bound(const double (&moment)[3], double y) {
  return std::min(0.5 * y * y * moment[2], 2 * moment[0] + y * moment[1]);
}

PhaseSums centred_sums(const Atoms& atoms, double largest, double y) {
  if (y * largest <= most_phase) return phase_sums(atoms, y);
  return phi_sums_file::by_parity(
      atoms, [y](double loss) { return numerics::exp_remainder(std::complex<double>(0, y * loss)); });
}

void turned_centred_sums(const Atoms& atoms, double first, double step, std::span<PhaseSums> sums) {
  turned_phase_sums(atoms, first, step, sums);
  const PhaseSums still = phi_sums_file::by_parity(atoms, [](double loss) { return std::complex<double>(1, loss); });
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const double y = first + static_cast<double>(j) * step;
    for (std::size_t p = 0; p < 2; ++p) {
      sums[j].re[p] -= still.re[p];
      sums[j].im[p] -= y * still.im[p];
    }
  }
}

double turned_roundings(const double (&moment)[3], std::size_t atoms, double y, double last) {
  const double added = additions(atoms);
  return (turning_error + 3 * added + 2) * moment[0] + (6 * last + added * y) * moment[1];
}

// ln(phi + i y m) = ln phi + i y m/phi.
ComplexLogMoment log_of_phi(const std::complex<double>& less_one, double error, double shift) {
  const double size = std::abs(less_one), modulus = std::abs(1.0 + less_one);
  error += shift * size;
  if (!(error < 0.5 * modulus)) {
    const double bound = std::log(modulus + error);  // NaN and infinity give no bound
    return {{bound < 0 ? bound : 0, 0}, std::numeric_limits<double>::infinity()};
  }
  const double rounding = 4 * numerics::unit_roundoff * size * (1 + size) / modulus;
  return {numerics::log1p(less_one), rounding - std::log1p(-error / modulus)};
}

}  // namespace renyi::sampled_gaussian
