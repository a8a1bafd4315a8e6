// Draws the privacy loss: its density with the single losses that have a probability of their own, and its tails.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "api/figure/kinds.h"
#include "api/figure/words.h"
#include "renyi/error.h"
#include "renyi/extras/privacy_loss.h"

namespace renyi::api::figure {

namespace loss_file {
namespace {

constexpr std::size_t shown_bins = 240;
constexpr std::size_t most_masses = 64;

// A probability of losses between two points.
struct Bin {
  double from = 0;
  double to = 0;
  double mass = 0;
  double error = 0;
};

// The law of the loss above and below points: tails are computed once.
class Law {
 public:
  explicit Law(const PrivacyLoss& loss) : loss_(loss) {}

  Interval at_least(double t) const { return ends_of(loss_.at_least(t)); }

  Bin bin(double from, double to) const {
    const Interval above = at_least(from), beyond = at_least(to);
    return {from, to, (above.lower + above.upper) / 2 - (beyond.lower + beyond.upper) / 2,
            (above.upper - above.lower) + (beyond.upper - beyond.lower)};
  }

  // Halves the bin around what may be a single loss, until almost all of its mass is in so short a part that no density
  // explains it. Returns that part.
  std::optional<Bin> atom_in(Bin bin) const {
    constexpr int halvings = 24;
    const double whole = bin.mass;
    for (int i = 0; i < halvings; ++i) {
      const double middle = bin.from + (bin.to - bin.from) / 2;
      const Bin left = this->bin(bin.from, middle), right = this->bin(middle, bin.to);
      bin = left.mass > right.mass ? left : right;
      if (!(bin.mass > 0.05 * whole)) return std::nullopt;
    }
    return bin;
  }

 private:
  const PrivacyLoss& loss_;
};

struct Picture {
  std::vector<Bin> bins;   // without single losses
  std::vector<Bin> atoms;  // single losses
};

// A bin that holds far more than its neighbours may hold a single loss.
bool is_conspicuous(const std::vector<Bin>& bins, std::size_t i) {
  const double before = i > 0 ? bins[i - 1].mass : 0, after = i + 1 < bins.size() ? bins[i + 1].mass : 0;
  constexpr double negligible = 1e-12;
  return bins[i].mass > negligible && bins[i].mass > 1.5 * std::max(before, after) + 4 * bins[i].error;
}

Picture picture_of(const Law& law, const std::vector<double>& ends) {
  Picture picture;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) picture.bins.push_back(law.bin(ends[i], ends[i + 1]));
  for (std::size_t i = 0; i < picture.bins.size() && picture.atoms.size() < most_masses; ++i) {
    if (!is_conspicuous(picture.bins, i)) continue;
    if (const auto atom = law.atom_in(picture.bins[i])) {
      picture.atoms.push_back(*atom);
      picture.bins[i].mass = std::max(0.0, picture.bins[i].mass - atom->mass);
      // What is left of it may be rounding.
      if (picture.bins[i].mass < 1e-6 * atom->mass + 2 * atom->error) picture.bins[i].mass = 0;
    }
  }
  return picture;
}

// The density in the middle of each bin; unknown where errors hide it. Tails come with their errors. A difference that
// is not much larger than those is 0, which a logarithmic axis leaves out, or is unknown if the errors could be seen.
double density_of(const Bin& bin) {
  constexpr double reliable = 0.2, invisible = 1e-6;
  if (bin.mass > 0 && bin.error <= reliable * bin.mass) return bin.mass / (bin.to - bin.from);
  return bin.error < invisible ? 0 : std::nan("");
}

Cost cost_of(const Subject& subject) { return epsilon(subject.run.plan, delta_of(subject.asked)); }

struct Moments {
  double mean = 0;
  double spread = 0;
};

Moments moments_of(const PrivacyLoss& loss) {
  if (!loss.known()) {
    throw Unsupported("steps", "the law of the privacy loss is not known, only bounds on its moments",
                      "give the mechanism itself, or ask for the kind rdp or profile");
  }
  const Cumulants c = loss.cumulants();
  if (!std::isfinite(c.mean) || !std::isfinite(c.variance)) {
    throw Unsupported("steps", "the privacy loss is infinite", "ask for the kind rdp or profile");
  }
  const double deviation = std::sqrt(std::max(0.0, c.variance + c.variance_error));
  return {c.mean, std::max(deviation, 1e-3 * std::max(1.0, std::abs(c.mean)))};
}

Direction direction_of(const Subject& subject, const Cost& cost) {
  if (subject.asked.rdp.direction) return *subject.asked.rdp.direction;
  return cost.exact ? cost.exact->direction : Direction::remove;
}

Series density_series(const std::vector<Bin>& bins, double from, std::string name, Role role, auto weight) {
  Series series{.name = std::move(name), .role = role, .shape = Shape::area, .bound = Bound::estimate};
  const auto add = [&](double x, double density) { series.curve.add(x, density * weight(x)); };
  for (const Bin& bin : bins) {
    const double middle = bin.from + (bin.to - bin.from) / 2;
    if (middle <= from) continue;
    if (series.curve.empty()) add(std::max(bin.from, from), density_of(bin));
    add(middle, density_of(bin));
  }
  if (!bins.empty() && !series.curve.empty()) add(bins.back().to, density_of(bins.back()));
  return series;
}

bool has_density(const Picture& picture) {
  return std::any_of(picture.bins.begin(), picture.bins.end(), [](const Bin& bin) { return density_of(bin) > 0; });
}

}  // namespace
}  // namespace loss_file

// Ten standard deviations, and the tail above epsilon.
Range loss_range(const Subject& subject) {
  using namespace loss_file;
  constexpr double shown = 5, beyond = 1.5;
  const Cost cost = cost_of(subject);
  const Moments moments = moments_of(PrivacyLoss(subject.run.plan, direction_of(subject, cost)));
  const double epsilon = cost.upper();
  if (!std::isfinite(epsilon)) throw Unsupported("delta", "epsilon is infinite at this delta", "a larger delta");
  return {moments.mean - shown * moments.spread,
          std::max(moments.mean + shown * moments.spread, epsilon + beyond * moments.spread)};
}

Figure loss_figure(const Subject& subject) {
  using namespace loss_file;
  const double delta = delta_of(subject.asked);
  const Cost cost = cost_of(subject);
  const Direction direction = direction_of(subject, cost);
  const PrivacyLoss loss(subject.run.plan, direction);
  const Moments moments = moments_of(loss);
  const double epsilon = cost.upper();
  if (!std::isfinite(epsilon)) throw Unsupported("delta", "epsilon is infinite at this delta", "a larger delta");
  const auto [from, to] = subject.range;
  const Picture picture = picture_of(Law(loss), evenly(from, to, shown_bins + 1));
  // At a small delta the tail can be seen on a logarithmic axis only.
  constexpr double large_delta = 1e-2, below = 1e-2;
  Figure figure{
      .kind = "loss",
      .title = fmt::format("The privacy loss, and the tail that δ = {} weighs", in_figure(delta)),
      .x = subject.x(fmt::format("privacy loss ({} a record)", direction == Direction::remove ? "removing" : "adding"),
                     false),
      .y = subject.y("density", delta < large_delta)};
  double highest = 0;
  for (const Bin& bin : picture.bins) highest = std::max(highest, std::isnan(density_of(bin)) ? 0 : density_of(bin));
  if (figure.y.log && highest > 0) figure.y.from = std::min(below * delta / moments.spread, 1e-3 * highest);
  if (!figure.y.log) figure.y.from = 0;
  const auto weight = [&](double x) { return x > epsilon ? -std::expm1(epsilon - x) : 0; };
  if (has_density(picture)) {
    figure.series.push_back(
        density_series(picture.bins, from, "density of the privacy loss", Role::exact, [](double) { return 1.0; }));
    figure.series.push_back(
        density_series(picture.bins, epsilon, "above ε, as δ weighs it: times 1 − exp(ε − loss)", Role::renyi, weight));
  }
  if (!picture.atoms.empty()) {
    Series masses{.name = "probability of a single loss",
                  .role = Role::exact,
                  .shape = Shape::masses,
                  .bound = Bound::estimate,
                  .on_masses = true};
    Series tail{.name = has_density(picture) ? "" : "as δ weighs it: times 1 − exp(ε − loss)",
                .role = Role::renyi,
                .shape = Shape::masses,
                .bound = Bound::estimate,
                .on_masses = true};
    double most = 0;
    for (const Bin& atom : picture.atoms) {
      const double at = atom.from + (atom.to - atom.from) / 2;
      masses.curve.add(at, atom.mass);
      most = std::max(most, atom.mass);
      if (at > epsilon) tail.curve.add(at, atom.mass * weight(at));
    }
    figure.masses = Axis{.label = "probability of a single loss", .log = figure.y.log};
    if (!figure.masses->log) figure.masses->from = 0;
    if (figure.masses->log) figure.masses->from = std::min(below * delta, 1e-3 * most);
    figure.series.push_back(std::move(masses));
    if (!tail.curve.empty()) figure.series.push_back(std::move(tail));
  }
  if (epsilon >= from && epsilon <= to) {
    figure.marks.push_back({.x = epsilon,
                            .text = fmt::format("ε = {} (rounded up)", in_figure_rounded_up(epsilon)),
                            .role = Role::highlight});
  }
  return figure;
}

Range loss_tails_range(const Subject& subject) {
  constexpr double least = 1e-12;
  double lowest = 0;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const PrivacyLoss loss(subject.run.plan, direction);
    if (!loss.known()) continue;
    const Cumulants c = loss.cumulants();
    const double start = c.mean - 4 * std::sqrt(std::max(0.0, c.variance));
    if (std::isfinite(start)) lowest = std::min(lowest, start);
  }
  const double highest = epsilon(subject.run.plan, least, {.exact = false}).renyi->upper;
  return {lowest, std::isfinite(highest) && highest > lowest ? highest : lowest + 10};
}

// The tail falls, so a step with the value of the left end is above it, and one with that of the right end below.
Figure loss_tails_figure(const Subject& subject) {
  Figure figure{.kind = "loss-tails",
                .title = "Tail of the privacy loss",
                .x = subject.x("t", false),
                .y = subject.y("Pr[privacy loss ≥ t]", true)};
  figure.y.to = 1;
  if (figure.y.log) figure.y.from = 1e-12;
  if (!figure.y.log) figure.y.from = 0;
  const PrivacyLoss remove(subject.run.plan, Direction::remove), add(subject.run.plan, Direction::add);
  const Ask ask = [&](const std::vector<double>& at) {
    std::vector<std::vector<Interval>> values;
    for (const double t : at) values.push_back({ends_of(remove.at_least(t)), ends_of(add.at_least(t))});
    return values;
  };
  const Divide between = [&](double from, double to, std::size_t n) {
    if (!(to - from > 1e-9 * (subject.range.second - subject.range.first))) return std::vector<double>{};
    const auto points = evenly(from, to, n + 1);
    return std::vector(points.begin() + 1, points.end() - 1);
  };
  Closeness close = subject.closeness();
  close.most = 600;
  const auto knots =
      monotone_knots(figure.y, evenly(subject.range.first, subject.range.second, 17), ask, between, close);
  const auto series = [&](std::size_t which, const PrivacyLoss& loss, std::string name, Role role) {
    Series tail{.name = loss.known() ? std::move(name) : name + " (upper bound)",
                .role = role,
                .curve = upper_ends(knots, which, Rule::previous)};
    if (loss.known()) {
      tail.lower = Curve{.rule = Rule::next};
      for (const Knot& knot : knots) tail.lower->add(knot.x, knot.y[which].lower);
    }
    return tail;
  };
  const bool same = std::all_of(knots.begin(), knots.end(), [](const Knot& knot) { return knot.y[0] == knot.y[1]; });
  figure.series.push_back(series(0, remove, same ? "both directions" : "remove", Role::exact));
  if (!same) figure.series.push_back(series(1, add, "add", Role::other));
  return figure;
}

}  // namespace renyi::api::figure
