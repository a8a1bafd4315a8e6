// Figures: pictures as data, whose curves have a rule between their points (docs/format/figure.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/document.h"
#include "api/figure/figure.h"
#include "renyi/cost.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "renyi/run.h"

namespace renyi::api {

struct FigureRun {
  Plan plan;
  std::string words{};     // "10000 × sampled-gaussian, ...", with the relation
  std::string relation{};  // ", replace-one, 3 records a person"; empty if it is the usual one
  std::string label{};     // its name among several
  std::optional<ResolvedRun> sizes{};
};

using Range = std::pair<double, double>;

struct FigureRequest {
  std::string kind{};
  std::vector<FigureRun> runs{};
  std::optional<double> delta{};
  std::optional<double> epsilon{};
  std::optional<Range> range{};
  std::optional<bool> x_log{};
  std::optional<bool> y_log{};
  bool coarse = false;
  CostOptions cost{};
  RdpOptions rdp{};
  std::vector<double> orders{};     // for the kind rdp: the orders to show as points
  std::vector<double> baselines{};  // for the kind outcomes: the x axis begins at the least of them at the latest
};

// The most runs in one figure, which can still be told apart.
inline constexpr std::size_t most_runs = 8;

struct FigureKind {
  std::string_view name;
  std::string_view help;
};
// All kinds, in the order in which they are listed.
std::vector<FigureKind> figure_kinds();

FigureRequest read_figure(const Document& request);
// Reads everything but the runs, and one run of several: the plan, and its words.
FigureRequest read_figure_without_runs(const Document& request);
FigureRun read_figure_run(const Document& request);
// Throws InvalidArgument and Unsupported; with several runs, the path of an error about one begins with "runs[i].".
figure::Figure answer(const FigureRequest& asked);
std::string write(const Document& request, const figure::Figure& answer);

}  // namespace renyi::api
