// Masses exp(-v) I_n(v) of the difference of two Poisson variables of mean v/2, and how they fall from each n to the
// next (docs/math/discrete-noise.md, "Skellam").
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace renyi::mechanism {

struct SkellamTable {
  std::vector<double> log_mass;  // at n = 0, 1, ...
  std::vector<double> fall;      // ln(I_{n-1}/I_n) > 0 for n >= 1, a few units relative error
};

// Grows as it is asked for more; may be asked from several threads at once.
class SkellamTables {
 public:
  explicit SkellamTables(double variance) : variance_(variance) {}

  // One that reaches to n at least.
  const SkellamTable& reaching(double n) const;

 private:
  double variance_;
  mutable std::mutex growing_;
  mutable std::atomic<const SkellamTable*> newest_ = nullptr;
  mutable std::vector<std::unique_ptr<const SkellamTable>> all_;
};

}  // namespace renyi::mechanism
