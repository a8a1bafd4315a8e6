// Mechanisms on a sample, with finitely many outputs, and how far apart two laws of outputs are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "worlds/sampler.h"

namespace renyi::worlds {

// The probability of each output.
using Law = std::vector<long double>;

struct Mechanism {
  std::string name;
  std::string json;                           // the members of a step that name the mechanism
  std::function<Law(const Dataset&)> output;  // distribution of the output on a sample
};

// An answer in 0 .. categories-1 computed from the sample, then randomized response. What zero-out leaves behind is
// drawn like any record, but the mechanism does not see it.
using Answer = std::function<int(const Dataset&)>;
Mechanism response(const std::string& name, double truth, int categories, const Answer& answer);
// The same known only as an epsilon-differentially private step.
Mechanism pure_dp(const Mechanism& response, double epsilon);
Answer sum_modulo(int categories);
Answer contains(Record record);
// Any function of the sample: the seed says which.
Answer table(int categories, unsigned seed);

// The sum of the sample plus noise, told only as the cell of a grid it falls in: telling less never brings two laws
// further apart, so what is found for cells holds for the sum itself.
Mechanism noisy_sum_gaussian(double stddev);
Mechanism noisy_sum_laplace(double scale);

// The law of the output on a sample of the data.
Law output_of(const Dataset& data, const Sampler& sampler, const Mechanism& mechanism);
Law output_of_epoch(const Epochs& epochs, const Mechanism& mechanism);
// Both outputs, independently drawn.
Law both(const Law& a, const Law& b);

// ln(p/q) of each output that both laws can have, and p: what divergences are sums over.
struct Losses {
  std::vector<long double> loss, mass;
};
Losses losses(const Law& p, const Law& q);
long double renyi_divergence(const Losses& losses, double order);
long double hockey_stick(const Law& p, const Law& q, double epsilon);

}  // namespace renyi::worlds
