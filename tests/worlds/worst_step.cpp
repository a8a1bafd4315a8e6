#include "worlds/worst_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "support/simplex.h"

namespace renyi::worlds {
namespace worst_step_file {
namespace {

using Real = long double;

Real normal_cdf(Real z) { return 0.5L * std::erfc(-z / std::sqrt(2.0L)); }

// A mechanism does not see an emptied record.
Dataset seen(Dataset sample) {
  std::erase(sample, null);
  return sample;
}

Samples seen_samples(const Sampler& sampler, const Dataset& data) {
  Samples result;
  for (const auto& [sample, probability] : sampler.samples(data)) result[seen(sample)] += probability;
  return result;
}

// Every sample of these records up to the largest of the given ones, with as many copies of a record as any of them.
std::set<Dataset> between(const Samples& one, const Samples& other) {
  std::map<Record, std::ptrdiff_t> copies;
  std::size_t largest = 0;
  for (const Samples* samples : {&one, &other}) {
    for (const auto& [sample, probability] : *samples) {
      largest = std::max(largest, sample.size());
      for (const Record record : sample)
        copies[record] = std::max(copies[record], std::count(sample.begin(), sample.end(), record));
    }
  }
  std::set<Dataset> result{{}};
  for (const auto& [record, most] : copies) {
    std::set<Dataset> longer;
    for (Dataset sample : result) {
      for (std::ptrdiff_t i = 0; i <= most && sample.size() <= largest; ++i) {
        Dataset sorted = sample;
        std::sort(sorted.begin(), sorted.end());
        longer.insert(sorted);
        sample.push_back(record);
      }
    }
    result = std::move(longer);
  }
  return result;
}

bool are_neighbours(const Dataset& a, const Dataset& b, Neighbors relation) {
  Dataset only_a, only_b;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only_a));
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(only_b));
  if (relation == Neighbors::replace_one) return only_a.size() == 1 && only_b.size() == 1;
  return only_a.size() + only_b.size() == 1;
}

Real largest_advantage(const Samples& p, const Samples& q, Neighbors relation, const Promise& promise, Real t) {
  const std::set<Dataset> set = between(p, q);
  const std::vector<Dataset> samples(set.begin(), set.end());
  std::vector<Real> gain;
  for (const Dataset& sample : samples) {
    const auto in_p = p.find(sample), in_q = q.find(sample);
    gain.push_back((in_p == p.end() ? 0 : in_p->second) - t * (in_q == q.end() ? 0 : in_q->second));
  }
  test::LinearProgram program(gain);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::vector<Real> row(samples.size(), 0);
    row[i] = 1;
    program.add(row, 1);
    for (std::size_t j = 0; j < samples.size(); ++j) {
      if (!are_neighbours(samples[i], samples[j], relation)) continue;
      for (const Line& line : promise.lines) {
        std::vector<Real> related(row);
        related[j] = -line.slope;
        program.add(std::move(related), line.offset);
      }
    }
  }
  return program.largest();
}

}  // namespace
}  // namespace worst_step_file

// The second line is the guarantee for the opposite event.
Promise promised_dp(double epsilon, double delta) {
  const long double e = std::exp(static_cast<long double>(epsilon)), d = delta;
  const std::string json = delta == 0
                               ? fmt::format(R"("mechanism":"pure-dp","epsilon":{})", epsilon)
                               : fmt::format(R"("mechanism":"approx-dp","epsilon":{},"delta":{})", epsilon, delta);
  return {json, {{e, d}, {1 / e, 1 - (1 - d) / e}}};
}

// Tangents of Phi(Phi^-1(b) + mu).
Promise promised_gdp(double mu) {
  Promise promise{fmt::format(R"("mechanism":"gdp","mu":{})", mu), {}, 2e-3};
  for (int i = -50; i <= 50; ++i) {
    const long double z = i / 10.0L, slope = std::exp(-mu * z - 0.5L * mu * mu);
    const long double offset = worst_step_file::normal_cdf(z + mu) - slope * worst_step_file::normal_cdf(z);
    promise.lines.push_back({slope, std::max(0.0L, offset)});
  }
  return promise;
}

long double worst_delta(const Pair& datasets, Neighbors relation, const Sampler& sampler, const Promise& promise,
                        double epsilon) {
  using namespace worst_step_file;
  const Samples with = seen_samples(sampler, datasets.with), without = seen_samples(sampler, datasets.without);
  const long double t = std::exp(static_cast<long double>(epsilon));
  return std::max(largest_advantage(with, without, relation, promise, t),
                  largest_advantage(without, with, relation, promise, t));
}

}  // namespace renyi::worlds
