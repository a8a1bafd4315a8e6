// The table of kinds, and the figure of a request: of one run, or of several in the same range.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/figure.h"
#include "api/figure/finish.h"
#include "api/figure/kinds.h"
#include "api/number_text.h"
#include "renyi/error.h"

namespace renyi::api {

namespace figure {

Closeness Subject::closeness() const {
  // The frame is higher than the data, so that these are below 0.5 % and 3 % of it.
  return asked.coarse ? Closeness{.tolerance = 0.025, .most = 64} : Closeness{};
}

Axis Subject::x(std::string label, bool usually_log) const {
  return {.label = std::move(label), .log = asked.x_log.value_or(usually_log), .from = range.first, .to = range.second};
}

Axis Subject::y(std::string label, bool usually_log) const {
  return {.label = std::move(label), .log = asked.y_log.value_or(usually_log)};
}

namespace answer_file {
namespace {

constexpr double most_count = 9e15;  // whole numbers below it are doubles

// Epsilons of e^700 and more have no use, and delta is 0 there.
constexpr Range epsilons{0, 1e6}, deltas{1e-300, 1}, orders{1, 1e100}, counts{1, most_count}, errors{0, 1},
    epochs{0, 1e12}, baselines{1e-300, 1 - 1e-9}, losses{-1e9, 1e9}, nothing{};

Range no_range(const Subject& /*subject*/) { return {}; }

constexpr Kind kinds[] = {
    {"epochs", "epsilon after each epoch of a training run", true, epochs, epochs_range, epochs_figure},
    {"rdp", "the Renyi divergence at every order, and the best order for --delta", true, orders, rdp_range, rdp_figure},
    {"steps", "epsilon against the number of steps, exact and by the Renyi bound", true, counts, steps_range,
     steps_figure},
    {"composition", "epsilon against the number of steps, by every theorem", false, counts, steps_range,
     composition_figure},
    {"profile", "delta against epsilon, exact and by the Renyi bound", true, epsilons, profile_range, profile_figure},
    {"epsilon", "epsilon against delta, exact and by the Renyi bound", true, deltas, epsilon_range, epsilon_figure},
    {"loss", "the density of the privacy loss, and the tail that delta weighs", false, losses, loss_range, loss_figure},
    {"loss-tails", "how likely the privacy loss is to be large", true, losses, loss_tails_range, loss_tails_figure},
    {"tradeoff", "the errors of the best test that tells neighbours apart", true, errors, errors_range,
     tradeoff_figure},
    {"roc", "the true positive rate of the best test, by its false positive rate", true, errors, errors_range,
     roc_figure},
    {"outcomes", "how likely a bad outcome may become, by how likely it is", true, baselines, outcomes_range,
     outcomes_figure},
    {"accountants", "the epsilon each composition theorem proves, side by side", false, nothing, no_range,
     accountants_figure},
    {"filter", "the epsilon that each kind of filter needs, for steps chosen on the way", false, counts, filter_range,
     filter_figure},
    {"closed-form", "the published closed form beside the exact curve (sampled Gaussians)", true, orders,
     closed_form_range, closed_form_figure},
};

const Kind& kind_of(const FigureRequest& asked) {
  for (const Kind& kind : kinds) {
    if (kind.name == asked.kind) return kind;
  }
  throw InvalidArgument("kind", fmt::format("\"{}\"", asked.kind), "a kind of figure");
}

std::string in_words(const Range& range) {
  return fmt::format("[{}, {}]", short_decimal(range.first), short_decimal(range.second));
}

void check_range(const Kind& kind, const FigureRequest& asked) {
  if (!asked.range) return;
  const auto [from, to] = *asked.range;
  if (kind.allowed == nothing) {
    throw InvalidArgument("range", in_words(*asked.range), fmt::format("nothing: {} has no such axis", kind.name));
  }
  if (!(from < to)) throw InvalidArgument("range", in_words(*asked.range), "a smaller number and a larger one");
  if (from < kind.allowed.first || to > kind.allowed.second) {
    throw InvalidArgument("range", in_words(*asked.range), fmt::format("within {}", in_words(kind.allowed)));
  }
  if (kind.allowed == counts && std::floor(to) <= std::ceil(from)) {
    throw InvalidArgument("range", in_words(*asked.range), "more than one whole number");
  }
}

// Errors about one of several runs name it.
template <class Work>
auto about(const FigureRequest& asked, std::size_t i, const Work& work) -> decltype(work()) {
  if (asked.runs.size() == 1) return work();
  const std::string prefix = fmt::format("runs[{}].", i);
  try {
    return work();
  } catch (const InvalidArgument& error) {
    throw error.within(prefix);
  } catch (const Unsupported& error) {
    throw error.within(prefix);
  }
}

Range range_of_all(const Kind& kind, const FigureRequest& asked) {
  if (asked.range) return *asked.range;
  Range all{};
  for (std::size_t i = 0; i < asked.runs.size(); ++i) {
    const Subject subject{asked, asked.runs[i], {}, asked.runs.size() == 1};
    const Range range = about(asked, i, [&] { return kind.range(subject); });
    all = i == 0 ? range : Range{std::min(all.first, range.first), std::max(all.second, range.second)};
  }
  return all;
}

// A logarithmic axis begins above 0.
Range on_axis(Range range, const FigureRequest& asked) {
  if (!asked.x_log.value_or(false) || range.first > 0 || range.second <= 0) return range;
  if (asked.range) {
    throw InvalidArgument("range", in_words(range), "numbers above 0, since the x axis is logarithmic");
  }
  constexpr double decades = 1e-3;
  return {decades * range.second, range.second};
}

}  // namespace
}  // namespace answer_file
}  // namespace figure

std::vector<FigureKind> figure_kinds() {
  std::vector<FigureKind> all;
  for (const figure::Kind& kind : figure::answer_file::kinds) all.push_back({kind.name, kind.help});
  return all;
}

figure::Figure answer(const FigureRequest& asked) {
  using namespace figure;
  using namespace figure::answer_file;
  const Kind& kind = kind_of(asked);
  if (asked.runs.size() > 1 && !kind.several) {
    throw Unsupported("runs", fmt::format("several runs have no common figure of the kind {}", kind.name),
                      "ask for one run at a time");
  }
  check_range(kind, asked);
  const Range range = on_axis(range_of_all(kind, asked), asked);
  std::vector<Figure> figures;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < asked.runs.size(); ++i) {
    const FigureRun& run = asked.runs[i];
    const Subject subject{asked, run, range, asked.runs.size() == 1};
    figures.push_back(about(asked, i, [&] { return kind.draw(subject); }));
    figures.back().subtitle = run.words;
    labels.push_back(run.label);
  }
  return finished(figures.size() == 1 ? std::move(figures.front()) : overlaid(std::move(figures), labels));
}

}  // namespace renyi::api
