#include "exact/lattice/atoms.h"

#include <cmath>

namespace renyi::exact::lattice {

namespace {

constexpr std::size_t most_atoms = 12'000'000;  // before negligible ones are dropped
constexpr std::size_t most_kept = 5'000'000;

}  // namespace

std::optional<Atoms> convolved(const Atoms& atoms, const Composed& law, double negligible) {
  if (atoms.s.size() > most_atoms / law.w.size() + 1) return std::nullopt;
  Atoms sum = atoms;
  sum.s.clear();
  sum.w.clear();
  for (std::size_t i = 0; i < atoms.s.size(); ++i) {
    for (std::size_t k = 0; k < law.w.size(); ++k) {
      const double w = atoms.w[i] * law.w[k];
      if (w < negligible) {
        sum.unsure += w;
        continue;
      }
      if (sum.s.size() == most_kept) return std::nullopt;
      sum.s.push_back(atoms.s[i] + (law.origin + static_cast<double>(k) * law.h));
      sum.w.push_back(w);
    }
  }
  sum.log_scale += law.log_scale;
  sum.slack += law.slack;
  sum.relative += law.relative + 1e-15;
  sum.infinite += law.infinite;
  // |w| in l1 is at most sqrt(n) times its Euclidean norm.
  sum.unsure += law.outside + law.error * std::sqrt(static_cast<double>(law.w.size()));
  return sum;
}

}  // namespace renyi::exact::lattice
