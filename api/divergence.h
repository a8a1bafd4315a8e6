// Divergences of two probability laws.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/document.h"
#include "renyi/extras/divergence.h"
#include "renyi/interval.h"

namespace renyi::api {

// A law as it was described: its numbers, by name where they have names ("mean", "stddev").
struct LawDescription {
  std::vector<double> numbers{};
  std::vector<std::string_view> names{};
};

struct PairDescription {
  std::string_view family;  // "normal", "multivariate-normal", "laplace", "bernoulli", "discrete"
  LawDescription p{};
  LawDescription q{};
  bool weights = false;  // numbers of discrete laws that are to be divided by their sum
};

struct DivergenceRequest {
  PairDescription description;
  DistributionPair pair;
  std::vector<double> orders{};
  std::vector<double> epsilons{};
};

// In both directions: of P from Q, and of Q from P.
struct BothDivergences {
  Interval p_q{};
  Interval q_p{};
};

struct DivergenceRow {
  double at = 0;  // an order, an epsilon
  BothDivergences both{};
};

struct DivergenceAnswer {
  std::vector<DivergenceRow> renyi{};  // one for each order
  BothDivergences kl{};
  Interval total_variation{};                 // the same in both directions
  std::vector<DivergenceRow> hockey_stick{};  // one for each epsilon
};

DivergenceRequest read_divergence(const Document& request);
DivergenceAnswer answer(const DivergenceRequest& asked);
std::string write(const Document& request, const DivergenceAnswer& answer);

}  // namespace renyi::api
