// The same question to the fast and to the certified code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "crosscheck/laws.h"
#include "crosscheck/question.h"
#include "renyi/exact.h"
#include "renyi/extras/certify.h"

namespace renyi::crosscheck {

struct Outcome {
  Fast fast{};
  std::optional<Engine> engine{};        // engine of an exact interval
  std::optional<Certified> certified{};  // the narrowest one that was computed
  std::string not_certified{};           // why there is none
  std::vector<std::string> broken{};     // laws
  double certified_seconds = 0;          // processor time

  // Largest distance of an end, or of the plain value, from the certified enclosure; relative.
  double relative_error() const;
};

Outcome ask(const Question& question);

// The question with what both said: one line that repeats the outcome.
std::string report(const Question& question, const Outcome& outcome);

}  // namespace renyi::crosscheck
