// Divergences of two probability distributions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/document.h"
#include "renyi/extras/divergence.h"
#include "renyi/interval.h"

namespace renyi::api {

// The description of a distribution: its numbers, with their names if they have names ("mean", "stddev").
struct LawDescription {
  std::vector<double> numbers{};
  std::vector<std::string_view> names{};
};

struct PairDescription {
  std::string_view family;  // "normal", "multivariate-normal", "laplace", "bernoulli", "discrete"
  LawDescription p{};
  LawDescription q{};
  bool weights = false;  // the numbers of discrete distributions are divided by their sum
};

struct DivergenceRequest {
  PairDescription description;
  DistributionPair pair;
  std::vector<double> orders{};
  std::vector<double> epsilons{};
};

// The divergence in both directions: D(P||Q) and D(Q||P).
struct BothDivergences {
  Interval p_q{};
  Interval q_p{};
};

struct DivergenceRow {
  double at = 0;  // an order or an epsilon
  BothDivergences both{};
};

struct DivergenceAnswer {
  std::vector<DivergenceRow> renyi{};  // one for each order
  BothDivergences kl{};
  Interval total_variation{};                 // equal in both directions
  std::vector<DivergenceRow> hockey_stick{};  // one for each epsilon
};

DivergenceRequest read_divergence(const Document& request);
DivergenceAnswer answer(const DivergenceRequest& asked);
std::string write(const Document& request, const DivergenceAnswer& answer);

}  // namespace renyi::api
