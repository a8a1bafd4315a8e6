// Draws the density of the privacy loss, and the tail of it that delta weighs.
#include "api/loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "api/cost.h"
#include "apps/cli/plot/answers.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"
#include "renyi/error.h"

namespace renyi::cli::plot {

namespace loss_file {
namespace {

constexpr int shown_bins = 480;

// A probability of losses between two points, and its density there.
struct Bin {
  double from = 0;
  double to = 0;
  double density = 0;  // NaN if the probability is lost in rounding
};

Cost cost_of(const Question& question) {
  api::Document request = run_of(question);
  return answer(api::read_epsilon_cost(request.set("delta", delta_of(question))));
}

api::LossRequest asked_in(const Question& question, Direction direction) {
  api::LossRequest asked = api::read_loss(run_of(question));
  asked.direction = direction;
  asked.orders.clear();
  asked.within.clear();
  asked.at_least.clear();
  return asked;
}

// The mean of the loss and its standard deviation. Throws Unsupported if only bounds are known.
std::pair<double, double> moments_of(const api::LossRequest& asked) {
  const api::LossInDirection loss = answer(asked).directions.front();
  if (!loss.known || !loss.variance || !std::isfinite(loss.variance->upper)) {
    throw Unsupported("steps", "the law of the privacy loss is not known, only bounds on its moments",
                      "give the mechanism itself, or ask for the kind rdp or profile");
  }
  return {loss.mean.upper, std::sqrt(std::max(0.0, loss.variance->upper))};
}

// Tails come with their errors. A difference that is not much larger than those is shown as 0, which a logarithmic axis
// leaves out, or is unknown if the errors could be seen.
double density_between(const Interval& from, const Interval& to, double width) {
  constexpr double reliable = 0.2, invisible = 1e-6;
  const double probability = (from.lower + from.upper) / 2 - (to.lower + to.upper) / 2;
  const double error = (from.upper - from.lower) + (to.upper - to.lower);
  if (probability > 0 && error <= reliable * probability) return probability / width;
  return error < invisible ? 0 : std::nan("");
}

std::vector<Bin> bins_between(const api::LossRequest& asked, const std::vector<double>& ends) {
  std::vector<Interval> tails;
  for (const auto& part : answers_to_all(in_parts(asked, &api::LossRequest::at_least, ends))) {
    if (!part)
      throw Unsupported("steps", "some probabilities of the privacy loss are not known", "ask for another kind");
    for (const auto& found : part->directions.front().at_least) tails.push_back(found.probability);
  }
  std::vector<Bin> bins;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    bins.push_back({ends[i], ends[i + 1], density_between(tails[i], tails[i + 1], ends[i + 1] - ends[i])});
  }
  return bins;
}

// Draws every bin as a step, so that atoms of the loss look like bars and nothing is smoothed.
template <class Weight>
Series steps_of(const std::vector<Bin>& bins, double from, Series series, const Weight& weight) {
  series.shape = Shape::area;
  for (const Bin& bin : bins) {
    if (bin.to <= from) continue;
    const double begin = std::max(bin.from, from);
    series.points.push_back({begin, 0, bin.density * weight(begin)});
    series.points.push_back({bin.to, 0, bin.density * weight(bin.to)});
  }
  return series;
}

// The axis shows ten standard deviations, and the tail above epsilon.
std::vector<double> ends_around(double mean, double deviation, double epsilon) {
  constexpr double shown = 5, beyond = 1.5;
  const double spread = std::max(deviation, 1e-3 * std::max(1.0, std::abs(mean)));
  const double last = std::max(mean + shown * spread, epsilon + beyond * spread);
  return evenly(mean - shown * spread, last, shown_bins + 1);
}

}  // namespace
}  // namespace loss_file

Figure loss_figure(const Question& question) {
  const double delta = delta_of(question);
  const Cost cost = loss_file::cost_of(question);
  const Direction direction = cost.exact ? cost.exact->direction : Direction::remove;
  const api::LossRequest asked = loss_file::asked_in(question, direction);
  const auto [mean, deviation] = loss_file::moments_of(asked);
  const double epsilon = cost.upper();
  if (!std::isfinite(epsilon)) throw Unsupported("delta", "epsilon is infinite at this delta", "a larger delta");
  const auto bins = loss_file::bins_between(asked, loss_file::ends_around(mean, deviation, epsilon));
  double highest = 0;
  for (const auto& bin : bins) highest = std::max(highest, std::isnan(bin.density) ? 0 : bin.density);
  // At a small delta the tail can be seen on a logarithmic axis only.
  constexpr double large_delta = 1e-2, below = 1e-2;
  const double spread = deviation > 0 ? deviation : 1;
  Figure figure{
      .title = fmt::format("The privacy loss, and the tail that δ = {} weighs", in_figure(delta)),
      .subtitle = run_in_words(question),
      .x = {.label = fmt::format("privacy loss ({} a record)", direction == Direction::remove ? "removing" : "adding"),
            .from = bins.front().from,
            .to = bins.back().to},
      .y = {.label = "density", .log = delta < large_delta}};
  if (figure.y.log) figure.y.from = std::min(below * delta / spread, 1e-3 * highest);
  figure.series.push_back(loss_file::steps_of(bins, bins.front().from,
                                              {.name = "density of the privacy loss", .tone = Tone::exact},
                                              [](double) { return 1.0; }));
  figure.series.push_back(loss_file::steps_of(
      bins, epsilon, {.name = "above ε, as δ weighs it: times 1 − exp(ε − loss)", .tone = Tone::renyi},
      [&](double loss) { return -std::expm1(epsilon - loss); }));
  figure.series.push_back({.name = fmt::format("ε = {} (rounded up)", in_figure_rounded_up(epsilon)),
                           .shape = Shape::rule,
                           .tone = Tone::highlight,
                           .points = {at(epsilon, 0)}});
  return figure;
}

}  // namespace renyi::cli::plot
