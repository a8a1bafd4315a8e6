// One question that both the fast and the certified code answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "renyi/extras/curve.h"
#include "renyi/plan.h"

namespace renyi::crosscheck {

enum class Figure {
  divergence,     // `at` is the order
  renyi_epsilon,  // for the larger direction; `at` is delta
  epsilon,        // exact; `at` is delta
  delta,          // exact; `at` is epsilon
};
std::string_view to_string(Figure figure) noexcept;

struct Question {
  Figure figure = Figure::divergence;
  Plan plan{};
  double at = 0;
  Direction direction = Direction::remove;
  std::optional<double> limit{};  // a guarantee states that the exact value is at most this
  bool both_routes = false;       // the certified figure in two ways, the second within the first
};

// One line of JSON, and back. Members it does not know are let through, so that the line of a violation is a question.
std::string write(const Question& question);
Question read_question(std::string_view json);

}  // namespace renyi::crosscheck
