// One piece of an integral: its value by Gauss-Kronrod, and all that could be wrong with it.
#pragma once

#include "divergence/density/quadrature.h"

namespace renyi::divergence_detail {

struct Piece {
  double low = 0, high = 0;
  double value = 0;
  double gap = 0;          // between the two rules: far more than the error of the better one where f is smooth
  double spread = 0;       // a bound on the error where f is of bounded variation, by the variation seen
  double ends = 0;         // what may hide between the outer nodes and the ends
  double mismatch = 0;     // between the value of the piece this one is half of and the sum of its halves
  double noise = 0;        // what no refinement removes
  bool confirmed = false;  // the gap fell as it does for smooth f when the piece was halved
  bool infinite = false;
};

Piece measured(const Integrand& f, double low, double high);

// Nodes of a piece this short fall together: its value is a guess of the right size.
bool is_too_short(const Piece& piece);

// The halves of a piece, told what halving says about each.
struct Halves {
  Piece left, right;
};
Halves halved(const Integrand& f, const Piece& whole);

// The error of the value, noise apart.
double estimate_of(const Piece& piece);

}  // namespace renyi::divergence_detail
