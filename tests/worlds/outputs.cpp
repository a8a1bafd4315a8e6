#include "worlds/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

namespace renyi::worlds {
namespace outputs_file {
namespace {

constexpr int cells_per_unit = 40;
constexpr int reach = 50;  // range of the grid to each side, in units; order 20 needs 40

int sum_of(const Dataset& sample) {
  return std::accumulate(sample.begin(), sample.end(), 0, [](int sum, Record r) { return sum + contribution(r); });
}

Dataset seen(Dataset sample) {
  sample.erase(std::remove(sample.begin(), sample.end(), null), sample.end());
  return sample;
}

// The mass of noise in each cell, from the far tail (so that small masses keep their digits), then shifted by the sum.
template <class Tail>
Mechanism noisy_sum(const std::string& name, const std::string& json, const Tail& above) {
  constexpr int count = 2 * reach * cells_per_unit;
  auto cells = std::make_shared<std::vector<long double>>();
  for (int i = -count; i < count; ++i) {
    const int nearer = i < 0 ? -i - 1 : i;
    cells->push_back(above(static_cast<long double>(nearer) / cells_per_unit) -
                     above(static_cast<long double>(nearer + 1) / cells_per_unit));
  }
  return {name, json, [cells](const Dataset& sample) {
            const auto first = cells->begin() + count / 2 - sum_of(sample) * cells_per_unit;
            return Law(first, first + count);
          }};
}

void add(Law& total, const Law& law, long double weight) {
  total.resize(law.size());
  for (std::size_t i = 0; i < law.size(); ++i) total[i] += weight * law[i];
}

}  // namespace
}  // namespace outputs_file

Mechanism response(const std::string& name, double truth, int categories, const Answer& answer) {
  const long double other = (1 - static_cast<long double>(truth)) / (categories - 1);
  return {name,
          fmt::format(R"("mechanism":"randomized-response","truth_probability":{},"categories":{})", truth, categories),
          [=](const Dataset& sample) {
            Law law(static_cast<std::size_t>(categories), other);
            law[static_cast<std::size_t>(answer(outputs_file::seen(sample)))] = truth;
            return law;
          }};
}

Mechanism pure_dp(const Mechanism& response, double epsilon) {
  return {"pure " + response.name, fmt::format(R"("mechanism":"pure-dp","epsilon":{})", epsilon), response.output};
}

Answer sum_modulo(int categories) {
  return [=](const Dataset& sample) { return (outputs_file::sum_of(sample) % categories + categories) % categories; };
}

Answer contains(Record record) {
  return [=](const Dataset& sample) { return std::find(sample.begin(), sample.end(), record) != sample.end() ? 1 : 0; };
}

Answer table(int categories, unsigned seed) {
  return [=](const Dataset& sample) {
    unsigned hash = seed * 2654435761U + 97;
    for (const Record r : sample) hash = (hash ^ static_cast<unsigned>(r + 3)) * 2246822519U + (hash >> 15);
    return static_cast<int>((hash >> 7) % static_cast<unsigned>(categories));
  };
}

Mechanism noisy_sum_gaussian(double stddev) {
  return outputs_file::noisy_sum("gaussian", fmt::format(R"("mechanism":"gaussian","noise_multiplier":{})", stddev),
                                 [=](long double x) { return std::erfc(x / (stddev * std::sqrt(2.0L))) / 2; });
}

Mechanism noisy_sum_laplace(double scale) {
  return outputs_file::noisy_sum("laplace", fmt::format(R"("mechanism":"laplace","scale":{})", scale),
                                 [=](long double x) { return std::exp(-x / scale) / 2; });
}

Law output_of(const Dataset& data, const Sampler& sampler, const Mechanism& mechanism) {
  Law total;
  for (const auto& [sample, probability] : sampler.samples(data))
    outputs_file::add(total, mechanism.output(sample), probability);
  return total;
}

Law output_of_epoch(const Epochs& epochs, const Mechanism& mechanism) {
  Law total;
  for (const auto& [epoch, probability] : epochs) {
    Law joint{1};
    for (const Dataset& batch : epoch) joint = both(joint, mechanism.output(batch));
    outputs_file::add(total, joint, probability);
  }
  return total;
}

Law both(const Law& a, const Law& b) {
  Law result;
  for (const long double p : a) {
    for (const long double q : b) result.push_back(p * q);
  }
  return result;
}

Losses losses(const Law& p, const Law& q) {
  constexpr long double smallest = std::numeric_limits<long double>::min();
  Losses result;
  for (std::size_t i = 0; i < p.size(); ++i) {
    // A cell whose mass is no normal number is left out: that makes the sums smaller.
    if (p[i] < smallest || q[i] < smallest) continue;
    result.loss.push_back(std::log(p[i] / q[i]));
    result.mass.push_back(p[i]);
  }
  return result;
}

long double renyi_divergence(const Losses& losses, double order) {
  const auto term = [&](std::size_t i) { return std::log(losses.mass[i]) + (order - 1) * losses.loss[i]; };
  long double most = -std::numeric_limits<long double>::infinity(), sum = 0;
  for (std::size_t i = 0; i < losses.loss.size(); ++i) most = std::max(most, term(i));
  for (std::size_t i = 0; i < losses.loss.size(); ++i) sum += std::exp(term(i) - most);
  return (most + std::log(sum)) / (order - 1);
}

long double hockey_stick(const Law& p, const Law& q, double epsilon) {
  const long double t = std::exp(static_cast<long double>(epsilon));
  long double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0L, p[i] - t * q[i]);
  return sum;
}

}  // namespace renyi::worlds
