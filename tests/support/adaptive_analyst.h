// The worst analyst who chooses each step after the outcomes of the earlier ones, by dynamic programming over all
// histories. Which steps may run is decided by a real filter that is charged on the way.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "renyi/filter.h"

namespace renyi::test {

// The probabilities of one outcome with and without a record.
struct Outcome {
  double p = 0;
  double q = 0;
};

// A step as the filter knows it, and what it really does: the filter's costs are upper bounds for these outcomes.
struct MenuStep {
  Mechanism mechanism;
  std::vector<Outcome> outcomes;
};

// Which steps may run after which: the multisets of steps that some path reaches. What a filter says depends on the
// multiset only.
class AdmittedSteps {
 public:
  using Counts = std::vector<std::size_t>;
  static constexpr int refused_step = -1;

  // A real filter decides, which is charged along a path to each multiset.
  AdmittedSteps(const Filter& filter, const std::vector<Mechanism>& steps, std::size_t most_steps)
      : steps_(steps.size()), most_steps_(most_steps) {
    explore(filter, Counts(steps_, 0),
            [&](Filter& charged, std::size_t s, const Counts&) { return charged.charge(steps[s]).runs; });
  }
  // Any other rule decides, from the counts of the steps after the next one.
  AdmittedSteps(const std::function<bool(const Counts&)>& rule, std::size_t steps, std::size_t most_steps)
      : steps_(steps), most_steps_(most_steps) {
    explore(nullptr, Counts(steps_, 0), [&](std::nullptr_t, std::size_t, const Counts& after) { return rule(after); });
  }

  // The node after a step, or refused_step; 0 is the node of no step.
  [[nodiscard]] int next(int node, std::size_t step) const { return next_[static_cast<std::size_t>(node)][step]; }
  [[nodiscard]] const Counts& counts(int node) const { return counts_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const std::vector<Counts>& nodes() const { return counts_; }
  // The largest number of steps on a path.
  [[nodiscard]] std::size_t longest_path() const { return longest_; }
  [[nodiscard]] std::size_t refused() const { return refused_; }

 private:
  template <class State, class Charge>
  int explore(const State& state, const Counts& counts, const Charge& charge) {
    const int here = static_cast<int>(next_.size());
    where_.emplace(counts, here);
    counts_.push_back(counts);
    next_.emplace_back(steps_, refused_step);
    const std::size_t depth = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    longest_ = std::max(longest_, depth);
    if (depth == most_steps_) return here;
    for (std::size_t s = 0; s < steps_; ++s) {
      Counts more = counts;
      ++more[s];
      State charged = state;
      if (!charge(charged, s, more)) {
        ++refused_;
        continue;
      }
      const auto known = where_.find(more);
      const int child = known != where_.end() ? known->second : explore(charged, more, charge);
      next_[static_cast<std::size_t>(here)][s] = child;
    }
    return here;
  }

  std::size_t steps_, most_steps_;
  std::map<Counts, int> where_;
  std::vector<Counts> counts_;
  std::vector<std::vector<int>> next_;
  std::size_t longest_ = 0, refused_ = 0;
};

inline std::vector<Mechanism> mechanisms_of(const std::vector<MenuStep>& menu) {
  std::vector<Mechanism> mechanisms;
  for (const MenuStep& step : menu) mechanisms.push_back(step.mechanism);
  return mechanisms;
}

// All steps together have at most 16 outcomes, and a path at most 15 steps.
class AdaptiveAnalyst {
 public:
  // The analyst gives up after `most_steps` steps.
  AdaptiveAnalyst(const Filter& filter, const std::vector<MenuStep>& menu, std::size_t most_steps)
      : AdaptiveAnalyst(AdmittedSteps(filter, mechanisms_of(menu), most_steps), menu) {}
  AdaptiveAnalyst(AdmittedSteps admitted, std::vector<MenuStep> menu)
      : menu_(std::move(menu)), admitted_(std::move(admitted)) {}

  [[nodiscard]] const AdmittedSteps& admitted() const { return admitted_; }

  // E_P[(1 - e^(epsilon - L))_+] for the worst analyst, where L = ln(P/Q) is the loss of the whole history.
  [[nodiscard]] double worst_delta(Direction direction, double epsilon) {
    prepare(direction);
    epsilon_ = epsilon;
    values_.clear();
    runs_two_ = false;
    return value(0, 0, 0, 0);
  }
  // Whether the analyst of the last worst_delta runs a step after the first one.
  [[nodiscard]] bool runs_two() const { return runs_two_; }

  // ln E[exp((order-1) L)] for the worst analyst, without the infinite losses. The conditional moment of a step does
  // not depend on the history, so the worst analyst fixes all steps in advance.
  [[nodiscard]] double worst_log_moment(Direction direction, double order) {
    prepare(direction);
    double worst = 0;
    for (const auto& counts : admitted_.nodes()) {
      double sum = 0;
      for (std::size_t s = 0; s < menu_.size(); ++s) sum += static_cast<double>(counts[s]) * log_moment(s, order);
      worst = std::max(worst, sum);
    }
    return worst;
  }

 private:
  struct Branch {
    double p = 0;
    double loss = 0;
    std::uint64_t mark = 0;  // counts this outcome in a history
  };

  void prepare(Direction direction) {
    branches_.assign(menu_.size(), {});
    infinite_.assign(menu_.size(), 0);
    other_infinite_.assign(menu_.size(), 0);
    std::uint64_t mark = 1;
    for (std::size_t s = 0; s < menu_.size(); ++s) {
      for (const Outcome& outcome : menu_[s].outcomes) {
        const double p = direction == Direction::remove ? outcome.p : outcome.q;
        const double q = direction == Direction::remove ? outcome.q : outcome.p;
        if (p == 0) other_infinite_[s] += q;
        if (q == 0) infinite_[s] += p;
        if (p > 0 && q > 0) branches_[s].push_back({p, std::log(p / q), mark});
        mark <<= 4;
      }
    }
  }

  // `history` counts the outcomes so far, and so determines the loss.
  double value(int node, std::uint64_t history, double loss, std::size_t depth) {
    const auto known = values_.find(history);
    if (known != values_.end()) return known->second;
    const double stop = loss > epsilon_ ? -std::expm1(epsilon_ - loss) : 0;
    double best = stop;
    for (std::size_t s = 0; s < menu_.size(); ++s) {
      const int child = admitted_.next(node, s);
      if (child == AdmittedSteps::refused_step) continue;
      double sum = infinite_[s];
      for (const Branch& branch : branches_[s]) {
        sum += branch.p * value(child, history + branch.mark, loss + branch.loss, depth + 1);
      }
      best = std::max(best, sum);
    }
    if (depth > 0 && best > stop * (1 + 1e-9)) runs_two_ = true;
    values_.emplace(history, best);
    return best;
  }

  // Both laws under the condition that the outcome is possible under both.
  [[nodiscard]] double log_moment(std::size_t s, double order) const {
    const double shift = std::log((1 - other_infinite_[s]) / (1 - infinite_[s]));
    double largest = -INFINITY, sum = 0;
    for (const Branch& b : branches_[s]) {
      largest = std::max(largest, std::log(b.p / (1 - infinite_[s])) + (order - 1) * (b.loss + shift));
    }
    for (const Branch& b : branches_[s]) {
      sum += std::exp(std::log(b.p / (1 - infinite_[s])) + (order - 1) * (b.loss + shift) - largest);
    }
    return largest + std::log(sum);
  }

  std::vector<MenuStep> menu_;
  AdmittedSteps admitted_;

  double epsilon_ = 0;
  std::vector<std::vector<Branch>> branches_;
  std::vector<double> infinite_, other_infinite_;
  std::unordered_map<std::uint64_t, double> values_;
  bool runs_two_ = false;
};

}  // namespace renyi::test
