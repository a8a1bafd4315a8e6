// Corner-biased random inputs over the whole stated domain, the same for the same seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <vector>

#include "renyi/error.h"
#include "renyi/plan.h"
#include "support/corner_values.h"

namespace renyi::test {

class RandomInputs {
 public:
  explicit RandomInputs(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low = 0, double high = 1) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  bool chance(double p) { return uniform() < p; }
  double log_uniform(double low, double high) {
    return std::clamp(low * std::exp(uniform() * std::log(high / low)), low, high);
  }
  double one_of(std::initializer_list<double> values) { return values.begin()[below(values.size())]; }

  double sampling_rate() {
    switch (below(5)) {
      case 0: return one_of({0, 1e-100, 1e-50, 1e-16, 0.5, 1 - 0x1p-53, 1 - 1e-9, 1});
      case 1: return log_uniform(1e-100, 1);
      case 2: return 1 - log_uniform(1e-15, 0.5);
      default: return log_uniform(1e-6, 1);
    }
  }
  double noise_multiplier() {
    switch (below(4)) {
      case 0: return one_of({0.01, 0.1, 0.5, 1, 4, 1e3, 1e6});
      case 1: return log_uniform(0.01, 1e6);
      default: return log_uniform(0.3, 30);
    }
  }
  double order() {
    switch (below(4)) {
      case 0: return one_of({1, 1 + 0x1p-52, 1 + 1e-9, 1.5, 2, 3, 64, 1e4, 1e5, infinity});
      case 1: return 1 + log_uniform(1e-15, 1);
      case 2: return std::floor(log_uniform(2, 1e4));
      default: return log_uniform(1, 1e5);
    }
  }
  std::int64_t count() {
    if (chance(0.1)) return std::numeric_limits<std::int64_t>::max() >> below(63);
    return static_cast<std::int64_t>(log_uniform(1, chance(0.3) ? 9e18 : 1e6));
  }
  double delta() { return chance(0.2) ? one_of({0, 1e-300, 0x1p-53, 0.5, 1 - 0x1p-53, 1}) : log_uniform(1e-40, 1); }
  double epsilon() { return chance(0.2) ? one_of({0, 1e-300, 1, 1e4, infinity}) : log_uniform(1e-12, 1e4); }

  // Any mechanism: most often a sampled Gaussian, else each parameter at a corner
  // or spread over its range, and tables with and without some of their rows.
  Mechanism mechanism() {
    if (chance(0.5)) return SampledGaussian{sampling_rate(), noise_multiplier()};
    const Mechanism& m = all_mechanisms()[below(all_mechanisms().size())];
    return m.replacement_only().empty() ? like(m) : mechanism();  // plans here are for any relation
  }

  // One of the same kind. Values that do not go together are drawn again.
  Mechanism like(const Mechanism& m) {
    for (int attempt = 0; attempt < 5; ++attempt) {
      std::vector<NamedNumber> numbers;
      for (const Parameter& p : m.parameters()) numbers.emplace_back(p.name, parameter(p));
      try {
        return m.with(numbers, fewer_rows(m));
      } catch (const InvalidArgument&) {
      }
    }
    return m;
  }

  // Any scheme, from one record of many to nearly all of a few; never all, which is no sample.
  Sampling sampling() {
    const double size = std::floor(log_uniform(3, chance(0.5) ? 60 : 1e6)), rate = log_uniform(1e-9, 0.999);
    const double batch = std::floor(log_uniform(1, size - 1));
    switch (below(6)) {
      case 0: return Sampling::fixed_size(size, batch);
      case 1: return Sampling::with_replacement(size, std::min(batch, 20.0));
      case 2: return Sampling::truncated_poisson(rate, size, batch);
      case 3: return Sampling::shuffled(batch);
      default: return Sampling::poisson(rate);
    }
  }
  Neighbors neighbors() {
    switch (below(3)) {
      case 0: return Neighbors::replace_one;
      case 1: return Neighbors::zero_out;
      default: return Neighbors::add_or_remove_one;
    }
  }

  Step step(int depth) {
    if (depth > 0 && chance(0.2)) {
      Steps group;
      for (std::size_t n = 1 + below(3); n > 0; --n) group.push_back(step(depth - 1));
      return {group, static_cast<std::int64_t>(1 + below(20))};
    }
    return {mechanism(), depth == 3 ? count() : static_cast<std::int64_t>(log_uniform(1, 1e6))};
  }

  // Heterogeneous and nested; every total is below 2^63.
  Plan plan() {
    Plan result;
    for (std::size_t n = 1 + below(4); n > 0; --n) {
      const Step next = step(3);
      Plan longer = result;
      std::visit([&](const auto& what) { longer.add(what, next.count); }, next.what);
      try {
        static_cast<void>(longer.merged());
        result = longer;
      } catch (const InvalidArgument&) {  // equal steps above 2^63 in all
      }
    }
    return result;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  std::vector<NamedRows> fewer_rows(const Mechanism& m) {
    std::vector<NamedRows> tables;
    for (std::size_t i = 0; i < m.tables().size(); ++i) {
      Rows rows = m.rows()[i];
      if (rows.size() > 1 && chance(0.3)) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(below(rows.size())));
      tables.emplace_back(m.tables()[i].name, std::move(rows));
    }
    return tables;
  }

  double parameter(const Parameter& p) {
    const auto corners = corner_values(p, 0.5);
    if (corners.empty() || chance(0.7)) {
      const double low = p.lowest > 0 ? std::max(p.lowest, 1e-6) : 1e-6;
      const double v = log_uniform(low, std::min(p.highest, 1e6));
      const double fitting = p.whole ? std::floor(v) : v;
      if (p.allows(fitting)) return fitting;
    }
    return corners.empty() ? p.lowest : corners[below(corners.size())];
  }

  std::mt19937_64 engine_;
};

}  // namespace renyi::test
