// The kinds of figures: for each, the usual range of its x axis, and what it draws of one run.
#pragma once

#include <string_view>

#include "api/figure.h"
#include "api/figure/figure.h"
#include "api/figure/sampling.h"

namespace renyi::api::figure {

// Used where a figure needs a delta and none was given; the figure names it.
inline constexpr double usual_delta = 1e-5;
inline double delta_of(const FigureRequest& asked) { return asked.delta.value_or(usual_delta); }

// What a kind is asked to draw of one run.
struct Subject {
  const FigureRequest& asked;
  const FigureRun& run;
  Range range{};      // the ends of the x axis
  bool alone = true;  // there is no other run in the figure

  Closeness closeness() const;
  // The axis with the scale that was asked for, or the usual one.
  Axis x(std::string label, bool usually_log) const;
  Axis y(std::string label, bool usually_log) const;
};

struct Kind {
  std::string_view name;
  std::string_view help;
  bool several;   // whether several runs have a common figure
  Range allowed;  // where its x axis may lie
  Range (*range)(const Subject& subject);
  Figure (*draw)(const Subject& subject);
};

Range profile_range(const Subject& subject);
Figure profile_figure(const Subject& subject);
Range epsilon_range(const Subject& subject);
Figure epsilon_figure(const Subject& subject);
Range rdp_range(const Subject& subject);
Figure rdp_figure(const Subject& subject);
Range closed_form_range(const Subject& subject);
Figure closed_form_figure(const Subject& subject);
Range steps_range(const Subject& subject);
Figure steps_figure(const Subject& subject);
Range epochs_range(const Subject& subject);
Figure epochs_figure(const Subject& subject);
Figure composition_figure(const Subject& subject);
Range errors_range(const Subject& subject);
Figure tradeoff_figure(const Subject& subject);
Figure roc_figure(const Subject& subject);
Range outcomes_range(const Subject& subject);
Figure outcomes_figure(const Subject& subject);
Figure accountants_figure(const Subject& subject);
Range filter_range(const Subject& subject);
Figure filter_figure(const Subject& subject);
Range loss_range(const Subject& subject);
Figure loss_figure(const Subject& subject);
Range loss_tails_range(const Subject& subject);
Figure loss_tails_figure(const Subject& subject);

}  // namespace renyi::api::figure
