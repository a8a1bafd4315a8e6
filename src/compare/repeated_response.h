// k independent randomized responses: the worst case of k steps of epsilon-DP.
#pragma once

#include <cstdint>

namespace renyi::compare_detail {

// The inverse of delta(e*) = sup_S P(S) - e^e* Q(S) of the pair, rounded up.
class RepeatedResponse {
 public:
  // Sums go over about 5 sqrt(runs) terms; runs of up to 2^53 are counted exactly.
  RepeatedResponse(double epsilon, std::int64_t runs);

  double epsilon_upper(double delta) const;

 private:
  // On [(k - 2m - 2) e, (k - 2m) e] with g = (k - 2m) e - e* in [0, 2 e],
  // delta = at_edge + (1 - exp(-g)) rise.
  struct Piece {
    double at_edge = 0;
    double rise = 0;
  };
  Piece piece(std::int64_t m) const;

  double epsilon_;
  std::int64_t runs_;
};

}  // namespace renyi::compare_detail
