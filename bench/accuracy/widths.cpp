// Measures how narrow exact intervals of random plans are.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "accuracy/sections.h"
#include "exact/privacy_profile.h"
#include "renyi/renyi.h"

namespace renyi::bench {

namespace {

// The largest width that counts as narrow, by engine.
constexpr double lattice_width = 1e-4;

struct Question {
  Plan plan;
  std::string name;
  double delta = 0;
};

class Box {
 public:
  explicit Box(unsigned seed) : engine_(seed) {}

  Question question() {
    Question q;
    const int steps = 1 + static_cast<int>(engine_() % 3);
    for (int i = 0; i < steps; ++i) add_step(q);
    q.delta = log_uniform(1e-12, 0.1);
    return q;
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  double log_uniform(double low, double high) { return low * std::pow(high / low, uniform(0, 1)); }

  void add_step(Question& q) {
    const auto count = static_cast<std::int64_t>(log_uniform(1, 1e6));
    if (!q.name.empty()) q.name += " + ";
    switch (engine_() % 3) {
      case 0: {
        const SampledGaussian m{log_uniform(1e-4, 0.9), log_uniform(0.3, 10)};
        q.name +=
            fmt::format("{} x sampled Gaussian(q={:.6g}, sigma={:.6g})", count, m.sampling_rate, m.noise_multiplier);
        q.plan.add(m, count);
        break;
      }
      case 1: {
        const Laplace m{log_uniform(0.3, 30)};
        q.name += fmt::format("{} x Laplace({:.6g})", count, m.scale);
        q.plan.add(m, count);
        break;
      }
      default: {
        const RandomizedResponse m{uniform(0.51, 0.95)};
        q.name += fmt::format("{} x randomized response({:.6g})", count, m.truth_probability);
        q.plan.add(m, count);
      }
    }
  }

  std::mt19937_64 engine_;
};

struct Outcome {
  std::string name;
  double delta = 0;
  ExactInterval figure;
  double seconds = 0;

  double width() const { return figure.upper - figure.lower; }
  double limit() const {
    const bool sharp = figure.engine == Engine::contour || figure.engine == Engine::closed_form;
    return sharp ? std::max(1e-9 * figure.upper, 1e-12) : lattice_width;
  }
  bool hit() const { return width() <= limit(); }
};

Outcome ask(const Question& q) {
  const auto start = std::chrono::steady_clock::now();
  const ExactInterval figure = PrivacyProfile(q.plan).epsilon(q.delta).worst;
  return {q.name, q.delta, figure, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

double quantile(std::vector<double> values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

void row(Engine engine, const std::vector<Outcome>& all) {
  std::vector<double> widths, times;
  std::size_t hits = 0;
  for (const Outcome& o : all) {
    if (o.figure.engine != engine) continue;
    widths.push_back(o.width());
    times.push_back(o.seconds * 1e3);
    hits += o.hit() ? 1 : 0;
  }
  if (widths.empty()) return;
  fmt::print("| {} | {} | {:.1e} | {:.1e} | {:.1e} | {} | {:.3f} | {:.0f} |\n", to_string(engine), widths.size(),
             quantile(widths, 0.5), quantile(widths, 0.99), quantile(widths, 1), hits, quantile(times, 0.5),
             quantile(times, 1));
}

}  // namespace

void print_widths(std::uint64_t plans, std::uint64_t seed) {
  Box box(static_cast<unsigned>(seed));
  std::vector<Outcome> all;
  for (std::uint64_t i = 0; i < plans; ++i) all.push_back(ask(box.question()));

  fmt::print(
      "## Widths of exact intervals\n"
      "{} random plans of one to three kinds of steps, q 1e-4..0.9, sigma 0.3..10, Laplace scale 0.3..30, randomized "
      "response\np 0.51..0.95, counts 1..1e6, delta 1e-12..0.1; the width of exact epsilon. A hit is at most 1e-4 for "
      "lattice and bounds,\nmax(1e-9 epsilon, 1e-12) for the others. Times are of one call, both directions, on a "
      "machine that may have been busy.\n\n"
      "| engine | plans | median width | 99 % | largest | hits | median ms | largest ms "
      "|\n|---|---|---|---|---|---|---|---|\n",
      plans);
  for (const Engine engine : {Engine::closed_form, Engine::contour, Engine::lattice, Engine::bounds}) row(engine, all);
  const auto hits = std::count_if(all.begin(), all.end(), [](const Outcome& o) { return o.hit(); });
  fmt::print("\nHits in all: {} of {}.\n\n### Misses\n", hits, plans);
  if (hits == static_cast<std::ptrdiff_t>(plans)) fmt::print("None.\n");
  for (const Outcome& o : all) {
    if (o.hit()) continue;
    fmt::print("- {}, delta {:.3g}: [{:.10g}, {:.10g}] ({})\n", o.name, o.delta, o.figure.lower, o.figure.upper,
               to_string(o.figure.engine));
  }
}

}  // namespace renyi::bench
