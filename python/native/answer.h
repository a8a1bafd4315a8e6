// One question about (epsilon, delta) and its answer, for single calls and for arrays alike:
// both come here, so they agree to the last bit.
#pragma once

#include <optional>
#include <string>

#include "renyi/account.h"
#include "renyi/accountant.h"
#include "renyi/exact.h"

namespace renyi::python {

struct Options {
  bool renyi = true;
  bool exact = true;
  ConversionOptions conversion{};
  ExactOptions exactness{};
  std::optional<SampledGaussianMethod> method{};  // of the Renyi bound of a plan, which is then the only part
};

struct Answer {
  double bound = 0;  // the Renyi one; 0 where it is not wanted, as are the next three
  double order = 0;
  Conversion conversion = Conversion::tight;
  double delta_apart = 0;  // what of delta pays for infinite losses
  std::optional<ExactAnswer> exact{};
  std::string unavailable;  // why there is no exact part although it is wanted
};

enum class Figure { epsilon, delta };

// The figure, at the other one.
Answer answer(Figure figure, const Plan& plan, double at, const Options& options);
// How exact is the accountant's own affair.
Answer answer(Figure figure, const Accountant& accountant, double at, const Options& options);

}  // namespace renyi::python
