#include "exact/lattice/atoms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/extended.h"
#include "numerics/rounding.h"
#include "renyi/limits.h"

namespace renyi::exact::lattice {

namespace atoms_file {
namespace {

constexpr std::size_t most_atoms = 12'000'000;  // before negligible ones are dropped
constexpr std::size_t most_kept = 5'000'000;
constexpr double bytes_an_atom = 48;  // loss and mass, in vectors that grow, and their copies

}  // namespace
}  // namespace atoms_file

std::optional<Atoms> convolved(const Atoms& atoms, const Composed& law, double negligible) {
  if (atoms.s.size() > atoms_file::most_atoms / law.w.size() + 1) return std::nullopt;
  Atoms sum = atoms;
  sum.s.clear();
  sum.w.clear();
  for (std::size_t i = 0; i < atoms.s.size(); ++i) {
    stop_if_asked();
    check_memory(atoms_file::bytes_an_atom * static_cast<double>(sum.s.size()), "the sums of atoms");
    for (std::size_t k = 0; k < law.w.size(); ++k) {
      const double w = atoms.w[i] * law.w[k];
      if (w < negligible) {
        sum.unsure += w;
        continue;
      }
      if (sum.s.size() == atoms_file::most_kept) return std::nullopt;
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

using numerics::unit_roundoff;

namespace atoms_file {
namespace {

// Atoms of one step, tilted by exp(c l - K): the logarithms of their masses.
struct Tilted {
  std::vector<double> loss;
  std::vector<double> log_w;
  double largest = 0;  // the largest |ln w| or |ln p|
};

Tilted tilted(const std::vector<mechanism::LossAtom>& atoms, double c, double k) {
  Tilted step;
  for (const auto& atom : atoms) {
    step.loss.push_back(atom.loss);
    step.log_w.push_back(atom.p.log + (c * atom.loss - k));
    step.largest = std::max({step.largest, std::abs(atom.p.log), std::abs(step.log_w.back())});
  }
  return step;
}

// n!/(n_1! ... n_k!) w_1^n_1 ... w_k^n_k for all n_1 + ... + n_k = n.
class Multisets {
 public:
  Multisets(const Tilted& step, std::int64_t n) : step_(step) {
    for (std::int64_t i = 1; i <= n; ++i) {
      log_factorial_.push_back(log_factorial_.back() + std::log(static_cast<long double>(i)));
    }
    add(0, static_cast<std::size_t>(n), 0, log_factorial_.back());
  }

  const std::vector<double>& sums() const { return sums_; }
  const std::vector<double>& masses() const { return masses_; }
  // The error of ln n! and of the sum of n values ln mass, which round.
  double error() const {
    const auto n = static_cast<long double>(log_factorial_.size());
    return static_cast<double>(4 * n * log_factorial_.back() * numerics::extended_epsilon);
  }

 private:
  // Chooses the next atom that occurs, and how often: the recursion is no deeper than the number of copies.
  void add(std::size_t first, std::size_t left, long double sum, long double log_mass) {
    if (left == 0) {
      sums_.push_back(static_cast<double>(sum));
      masses_.push_back(std::exp(static_cast<double>(log_mass)));
      return;
    }
    for (std::size_t atom = first; atom < step_.loss.size(); ++atom) {
      const bool last = atom + 1 == step_.loss.size();
      for (std::size_t n = last ? left : 1; n <= left; ++n) {
        const auto times = static_cast<long double>(n);
        add(atom + 1, left - n, sum + times * step_.loss[atom],
            log_mass + times * step_.log_w[atom] - log_factorial_[n]);
      }
    }
  }

  const Tilted& step_;
  std::vector<long double> log_factorial_{0};
  std::vector<double> sums_;
  std::vector<double> masses_;
};

}  // namespace
}  // namespace atoms_file

double outcomes(const Listed& step) {
  const auto n = static_cast<double>(step.count), k = static_cast<double>(step.curve->atoms(step.direction).size());
  double product = 1;
  for (double i = 1; i < k && product < 1e15; ++i) product *= (n + i) / i;
  return product;
}

// The P-mass is exp(log_scale - c s) times the tilted mass for any value of K, so that the error of K does not enter.
Atoms convolved(const Atoms& atoms, const Listed& step, double c, double negligible) {
  const auto& own = step.curve->atoms(step.direction);
  const double k = step.curve->log_moment(c, step.direction).value;
  const atoms_file::Tilted one = atoms_file::tilted(own, c, k);
  const atoms_file::Multisets all(one, step.count);
  Atoms sum = atoms;
  sum.s.clear();
  sum.w.clear();
  for (std::size_t i = 0; i < atoms.s.size(); ++i) {
    stop_if_asked();
    check_memory(atoms_file::bytes_an_atom * static_cast<double>(sum.s.size()), "the sums of atoms");
    for (std::size_t j = 0; j < all.sums().size(); ++j) {
      const double w = atoms.w[i] * all.masses()[j];
      if (w < negligible) {
        sum.unsure += w;
        continue;
      }
      sum.s.push_back(atoms.s[i] + all.sums()[j]);
      sum.w.push_back(w);
    }
  }
  const auto n = static_cast<double>(step.count);
  double loss_error = 0, reach = 0;
  for (const auto& atom : own) {
    loss_error = std::max(loss_error, atom.loss_error);
    reach = std::max(reach, std::abs(atom.loss));
  }
  sum.log_scale += n * k;
  sum.slack += n * (loss_error + 4 * unit_roundoff * reach);
  sum.relative += 4 * unit_roundoff * (n * (8 + one.largest + c * reach + std::abs(k)) + 8) + all.error();
  return sum;
}

}  // namespace renyi::exact::lattice
