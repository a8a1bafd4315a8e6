// What every engine answers, for one direction at a time.
#pragma once

#include <optional>
#include <vector>

#include "renyi/exact.h"

namespace renyi::exact {

class Memory;

// The plan as an engine sees it.
struct Question {
  const std::vector<CountedMechanism>& steps;
  const Curve& curve;
  Direction direction = Direction::remove;
  const ExactOptions& options;
  Memory& memory;
  double order = 0;  // the best Renyi order for the question, where a search may start; 0: not known
};

// Nothing where the engine does not serve the plan there. 0 < epsilon < largest loss
// or epsilon = 0; 0 < delta < 1.
using Answer = std::optional<ExactFigure>;

Answer closed_form_delta(const Question& question, double epsilon);
Answer closed_form_epsilon(const Question& question, double delta);

Answer contour_delta(const Question& question, double epsilon);
Answer contour_epsilon(const Question& question, double delta);

Answer lattice_delta(const Question& question, double epsilon);
Answer lattice_epsilon(const Question& question, double delta);

// Always something: the Renyi bound above, the plan's parts below.
Answer bounds_delta(const Question& question, double epsilon);
Answer bounds_epsilon(const Question& question, double delta);

}  // namespace renyi::exact
