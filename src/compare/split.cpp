// Divides delta between the steps and the theorem that composes them (docs/math/composition-theorems.md, "The split of
// delta"). Every split is sound, so a search that misses the best one still gives a valid bound.
#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>

#include "compare/theorem.h"

namespace renyi::compare_detail {

namespace split_file {
namespace {

// Epsilons are raised by factors t = 1 + 2^v.
constexpr double first_power = -5, least_power = -24, largest_power = 6;
// The parts of delta that the steps take, below and above which other splits do not matter.
constexpr double next_to_nothing = 1e-4, next_to_all = 0.99;
constexpr int bits = 20;               // the precision of v in a search on the model
constexpr std::uintmax_t most = 30;    // steps of one search on the model
constexpr int most_rounds = 12;        // exact deltas that refine the model
constexpr double settled = 1e-8;       // the relative error of the model's cost at which the search stops
constexpr double inner = 0.95;         // a minimum of a search from -1 to 1 within this is not at its end
constexpr double without_end = 1e300;  // represents infinity in parabolas
constexpr double log_of_nothing = -1e4;

double factor_of(double power) { return 1 + std::exp2(power); }

double log_of(double delta) { return delta > 0 ? std::log(delta) : log_of_nothing; }

// The steps at several factors, and an estimate of their deltas in between: ln delta is a parabola in ln t through
// three neighbours.
class Model {
 public:
  Model(const Workload& workload, const DpSteps& all) : workload_(workload), nodes_{{0, all}} {}

  // Adds the exact deltas at a factor; returns false if they are known already.
  bool add(double factor) {
    const double at = std::log(factor);
    const auto above = std::find_if(nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.at >= at; });
    if (above != nodes_.end() && above->at == at) return false;
    nodes_.insert(above, {at, workload_.raised(nodes_.front().steps, factor)});
    return true;
  }
  const DpSteps& at(double factor) const {
    return std::find_if(nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.at == std::log(factor); })
        ->steps;
  }
  // Returns an estimate, which is not a bound.
  DpSteps estimate(double factor) const {
    const double at = std::log(factor);
    const auto above = std::find_if(nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.at >= at; });
    const auto index =
        std::clamp<std::ptrdiff_t>(above - nodes_.begin() - 1, 0, static_cast<std::ptrdiff_t>(nodes_.size()) - 3);
    DpSteps steps = nodes_.front().steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!workload_.parts()[i].has_free_delta()) continue;
      steps[i].epsilon *= factor;
      steps[i].delta = std::min(steps[i].delta, std::exp(log_delta(nodes_.begin() + index, i, at)));
    }
    return steps;
  }

 private:
  struct Node {
    double at;  // ln t
    DpSteps steps;
  };
  using Place = std::vector<Node>::const_iterator;

  // The parabola in Newton's form.
  static double log_delta(Place node, std::size_t i, double at) {
    const auto y = [&](int k) { return log_of(node[k].steps[i].delta); };
    const double first = (y(1) - y(0)) / (node[1].at - node[0].at), second = (y(2) - y(1)) / (node[2].at - node[1].at);
    const double bend = (second - first) / (node[2].at - node[0].at);
    return y(0) + (at - node[0].at) * (first + (at - node[1].at) * bend);
  }

  const Workload& workload_;
  std::vector<Node> nodes_;  // sorted by factor
};

struct Lowest {
  double power = 0;
  double cost = 0;
};

class Search {
 public:
  Search(const TheoremInput& input, Compose compose) : asked_(input), compose_(compose) {}

  double consider(DpSteps steps) {
    const ComposedBound composed = compose_(steps, asked_.delta);
    if (best_.steps.empty() || composed.epsilon < best_.composed.epsilon) best_ = {composed, std::move(steps)};
    return composed.epsilon;
  }
  // Starts from steps that have all of delta, and repeatedly finds the best factor by the model; the exact deltas there
  // then improve the model.
  void raise(const DpSteps& all) {
    Model model(asked_.workload, all);
    double power = lowest_on_grid(begin(model), model);
    for (int round = 0; round < most_rounds; ++round) {
      const Lowest lowest = lowest_near(power, model);
      if (!model.add(factor_of(lowest.power))) return;
      const double found = consider(model.at(factor_of(lowest.power)));
      const bool inside = std::abs(lowest.power - power) < inner;
      if (inside && std::abs(found - lowest.cost) <= settled * found) return;
      if (found <= best_.composed.epsilon) power = lowest.power;
    }
  }
  Split take() { return std::move(best_); }

 private:
  double cost(const Model& model, double power) const {
    return std::min(without_end, compose_(model.estimate(factor_of(power)), asked_.delta).epsilon);
  }
  // Returns the part of delta that the steps take.
  double part_taken(Model& model, double power) {
    model.add(factor_of(power));
    const DpSteps& steps = model.at(factor_of(power));
    consider(steps);
    return delta_of(steps) / asked_.delta;
  }
  // Adds factors from close to 1 to where the steps take a negligible part, and no further, because tiny deltas are
  // hard to compute. Returns the last power.
  double begin(Model& model) {
    double last = first_power, first = first_power;
    const double part = part_taken(model, first_power);
    for (double here = part; here > next_to_nothing && last < largest_power;) here = part_taken(model, ++last);
    for (double here = part; here < next_to_all && first > least_power;) {
      here = part_taken(model, --first);
      if (here <= next_to_nothing) last = first;
    }
    if (first == last) part_taken(model, first - 1);  // three points are needed
    return last;
  }
  double lowest_on_grid(double last, const Model& model) const {
    double best = least_power, least = without_end;
    for (double power = least_power; power <= last; ++power) {
      const double here = cost(model, power);
      if (!(here < least)) continue;
      least = here;
      best = power;
    }
    return best;
  }
  Lowest lowest_near(double power, const Model& model) const {
    std::uintmax_t steps = most;
    const auto [at, value] = boost::math::tools::brent_find_minima([&](double v) { return cost(model, v); }, power - 1,
                                                                   power + 1, bits, steps);
    return {at, value};
  }

  const TheoremInput& asked_;
  Compose compose_;
  Split best_{};
};

// Returns whether every step whose delta can be chosen may do with only the delta that it must have.
bool may_take_nothing(const Workload& workload) {
  return std::all_of(workload.parts().begin(), workload.parts().end(),
                     [](const Part& part) { return !part.has_free_delta() || part.infinite_mass > 0; });
}

bool are_finite(const DpSteps& steps) {
  return std::all_of(steps.begin(), steps.end(), [](const DpStep& step) { return std::isfinite(step.epsilon); });
}

}  // namespace
}  // namespace split_file

Split best_split(const TheoremInput& input, const DpSteps& all, Compose compose) {
  split_file::Search split(input, compose);
  split.consider(all);
  if (!input.workload.has_free_delta()) return split.take();
  split.consider(input.workload.sharing_by_renyi(input.repetitions, 0.5 * input.delta));
  if (split_file::may_take_nothing(input.workload)) split.consider(input.workload.sharing(input.repetitions, 0));
  if (split_file::are_finite(all)) split.raise(all);
  return split.take();
}

}  // namespace renyi::compare_detail
