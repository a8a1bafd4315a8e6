// The privacy loss of a plan: its moments and the probabilities of its tails, in each direction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/document.h"
#include "renyi/extras/privacy_loss.h"
#include "renyi/plan.h"

namespace renyi::api {

struct LossRequest {
  Plan plan;
  std::optional<Direction> direction{};  // std::nullopt for both
  std::vector<double> orders{1, 2};      // the s of E[exp(s L)]
  std::vector<double> at_least{0, 1, 2, 4, 8};
  std::vector<double> within{1, 2, 4, 8};
};

// The exact value lies between these bounds. A value that is only bounded from above has no lower bound.
struct LossEnds {
  std::optional<double> lower{};
  double upper = 0;
};

struct LossMoment {
  double order = 0;
  LossEnds log_mgf{};
};
struct LossProbability {
  double at = 0;
  TailProbability probability{};
};

struct LossInDirection {
  Direction direction = Direction::remove;
  bool known = false;  // the loss distribution is known, not just bounds on its moments
  LossEnds mean{};
  std::optional<LossEnds> variance{};  // if the loss distribution is known
  std::optional<LossEnds> skewness{};  // if it is known and the loss is not constant
  // These have one element for each number of the request.
  std::vector<LossMoment> moments{};
  std::vector<LossProbability> at_least{};
  std::vector<LossProbability> within{};
};

struct LossAnswer {
  std::vector<LossInDirection> directions{};
};

LossRequest read_loss(const Document& request);
LossAnswer answer(const LossRequest& asked);
std::string write(const Document& request, const LossAnswer& answer);

}  // namespace renyi::api
