// The privacy loss distribution of one step, cut into the cells of a grid (docs/math/lattice.md).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace renyi::exact::lattice {

// Points offset + j h. Masses are tilted: P-mass times exp(c l) at the loss l.
struct Grid {
  double h = 1;
  double c = 1;
  double log_negligible = -700;  // ln of the P-mass of a step that may be counted as infinite loss
};

// The mass beyond the first or the last cell, which is merged into that end point.
struct Bulk {
  double mass = 0;
  double moment = 0;  // the integral of |1 - exp(end - L)| for the last end, of exp(end - L) - 1 for the first
  double depth = 0;   // how far its losses reach beyond the end
};

// Cell i is [offset + (first + i) h, offset + (first + i + 1) h]. Everything is times
// exp(c l - log_scale), where l is the lower end of the cell, or the point an atom or a bulk is at.
struct Cells {
  struct Atom {
    std::int64_t index = 0;
    double mass = 0;
  };
  double offset = 0;
  std::int64_t first = 0;
  std::vector<double> p;  // mass
  std::vector<double> u;  // integral of 1 - exp(l - L)
  std::vector<Atom> atoms{};
  Bulk below{};
  Bulk above{};
  double cut_below = 0;  // mass of unknown loss below the first cell, tilted as if it were at its lower end
  double dropped = 0;    // tilted mass that is omitted
  double log_scale = 0;
  double log_infinite = -std::numeric_limits<double>::infinity();  // ln of the P-mass above the last cell
  double relative = 0;                                             // a bound on the relative error of every mass
  double slack = 0;                                                // a bound on the error of every loss
  bool drops = false;                                              // the density of the loss may jump at a point

  std::size_t size() const { return p.size(); }
};

// Tilted masses at the points offset + (first + j) h.
struct Masses {
  double offset = 0;
  std::int64_t first = 0;
  std::vector<double> w;
  double log_scale = 0;
  double log_infinite = -std::numeric_limits<double>::infinity();
  double relative = 0;
  double slack = 0;
  double dropped = 0;

  std::int64_t last() const { return first + static_cast<std::int64_t>(w.size()) - 1; }
};

// Returns a pair whose hockey-stick divergence is at least that of the step at every epsilon.
Masses pessimistic(const Cells& cells, const Grid& grid);
// Returns a pair whose hockey-stick divergence is at most that of the step at every epsilon.
Masses optimistic(const Cells& cells, const Grid& grid);

}  // namespace renyi::exact::lattice
