// renyi filter design: which kind of filter lets most steps run, and what it costs that steps are chosen on the way.
#include "api/filter_design.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/commands/filter.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace filter_design_file {
namespace {

using api::FilterDesignRequest;
using api::short_decimal;

void build(Question& question, const Flags& flags) {
  question.request.set("op", "filter-design");
  set_number(question, flags, "epsilon");
  set_number(question, flags, "delta");
  set_run(question, flags, "");
}

// The numbers of a budget in a few words.
std::string in_words(const Budget& budget) {
  const auto numbers = [&]() -> std::string {
    switch (budget.kind) {
      case BudgetKind::pure: return fmt::format("epsilon {}", short_decimal(budget.epsilon));
      case BudgetKind::zcdp: return fmt::format("rho {}", short_decimal(budget.rho));
      case BudgetKind::tcdp:
        return fmt::format("rho {}, omega {}", short_decimal(budget.rho), short_decimal(budget.omega));
      case BudgetKind::gdp: return fmt::format("mu {}", short_decimal(budget.mu));
      case BudgetKind::approx:
        return fmt::format("epsilon {}, delta {}", short_decimal(budget.epsilon), short_decimal(budget.delta));
      case BudgetKind::order:
        return fmt::format("order {}: {}", short_decimal(budget.limits[0].order),
                           short_decimal(budget.limits[0].epsilon));
      case BudgetKind::curve: return fmt::format("{} orders", budget.limits.size());
      case BudgetKind::shares: break;
    }
    return fmt::format("epsilon {}, {} orders", short_decimal(budget.epsilon), budget.order_shares.size());
  };
  if (budget.infinite_mass == 0) return numbers();
  return fmt::format("{}; infinite mass {}", numbers(), short_decimal(budget.infinite_mass));
}

// The flags with which `renyi filter new` makes the budget.
std::string in_flags(const Budget& budget) {
  std::string text = fmt::format("--kind {}", to_string(budget.kind));
  const auto flag = [&](std::string_view name, double value) {
    text += fmt::format(" {} {}", name, short_decimal(value));
  };
  switch (budget.kind) {
    case BudgetKind::pure: flag("--epsilon", budget.epsilon); break;
    case BudgetKind::zcdp: flag("--rho", budget.rho); break;
    case BudgetKind::tcdp:
      flag("--rho", budget.rho);
      flag("--omega", budget.omega);
      break;
    case BudgetKind::gdp: flag("--mu", budget.mu); break;
    case BudgetKind::approx:
      flag("--epsilon", budget.epsilon);
      flag("--delta", budget.delta);
      break;
    case BudgetKind::order:
      flag("--order", budget.limits[0].order);
      flag("--epsilon", budget.limits[0].epsilon);
      break;
    case BudgetKind::curve: break;
    case BudgetKind::shares: flag("--epsilon", budget.epsilon); break;
  }
  if (budget.kind == BudgetKind::curve) {
    for (const OrderLimit& limit : budget.limits) {
      text += fmt::format(" --limit {}:{}", short_decimal(limit.order), short_decimal(limit.epsilon));
    }
  }
  for (const OrderShare& share : budget.order_shares) {
    text += fmt::format(" --share {}:{}", short_decimal(share.order), short_decimal(share.delta));
  }
  if (budget.infinite_mass > 0) flag("--infinite-mass", budget.infinite_mass);
  return text;
}

std::string new_filter(const Plan& plan, const Budget& budget) {
  std::string text = fmt::format("renyi filter new filter.json {}", in_flags(budget));
  if (plan.neighbors() != Neighbors::add_or_remove_one) {
    text += fmt::format(" --neighbors {}", to_string(plan.neighbors()));
  }
  if (plan.unit() != 1) text += fmt::format(" --unit {}", plan.unit());
  return text;
}

const char* counted(const FilterDesign& design) { return design.counts_steps ? "steps" : "runs of the plan"; }

// "9999 of 11530" in percent, rounded down.
std::string percentage(std::int64_t part, std::int64_t whole) {
  const double thousandths = std::floor(1000 * (static_cast<double>(part) / static_cast<double>(whole)));
  return fmt::format("{:g}%", thousandths / 10);
}

std::string share_of(const FilterDesign& design, std::int64_t count) {
  return design.exact.count && *design.exact.count > 0 ? percentage(count, *design.exact.count) : "-";
}

std::string kind_lines(const FilterDesign& design) {
  std::vector<std::vector<std::string>> lines{{"kind", "epsilon needed", counted(design), "of exact", "budget"}};
  for (std::size_t i = 0; i < design.kinds.size(); ++i) {
    const KindDesign& kind = design.kinds[i];
    if (!kind.epsilon) continue;
    lines.push_back({fmt::format("{}{}", to_string(kind.kind), design.best == i ? " *" : ""), rounded_up(*kind.epsilon),
                     std::to_string(kind.count), share_of(design, kind.count),
                     kind.budget ? in_words(*kind.budget) : "-"});
  }
  const auto fixed = [&](const char* name, const FixedDesign& by) {
    if (!by.epsilon) return;
    lines.push_back({name, rounded_up(*by.epsilon), by.count ? std::to_string(*by.count) : "-",
                     by.count ? share_of(design, *by.count) : "-", "no filter: fixed in advance"});
  };
  fixed("(Renyi)", design.renyi);
  fixed("(exact)", design.exact);
  return columns(lines);
}

// What it costs that steps are chosen on the way.
std::string price(const FilterDesign& design) {
  if (!design.best) return "No kind of filter admits any of these steps within the target.";
  const KindDesign& best = design.kinds[*design.best];
  const std::string most = fmt::format("Chosen on the way, up to {} {} fit, with a filter of the kind {}.", best.count,
                                       counted(design), to_string(best.kind));
  if (!design.exact.count) return most + " How many would fit, fixed in advance, is not known exactly.";
  const std::int64_t lost = *design.exact.count - best.count;
  if (lost <= 0) return most + " Fixed in advance, no more would fit: choosing on the way costs nothing.";
  return most + fmt::format(" Fixed in advance, {} would fit: choosing on the way costs {} of them, {}.",
                            *design.exact.count, lost, percentage(lost, *design.exact.count));
}

// Names the kinds that admit nothing, with the reason, which several of them often share.
std::string left_out(const std::vector<KindDesign>& kinds) {
  std::vector<std::pair<std::string, std::vector<std::string_view>>> reasons;
  for (const KindDesign& kind : kinds) {
    if (kind.obstacle.empty()) continue;
    // The name of the kind in a reason would keep equal ones apart.
    std::string reason = kind.obstacle;
    const std::string own = fmt::format("of the kind {}", to_string(kind.kind));
    if (const auto at = reason.find(own); at != std::string::npos) reason.replace(at, own.size(), "of this kind");
    auto known = std::find_if(reasons.begin(), reasons.end(), [&](const auto& one) { return one.first == reason; });
    if (known == reasons.end()) known = reasons.insert(reasons.end(), {reason, {}});
    known->second.push_back(to_string(kind.kind));
  }
  std::vector<std::string> parts;
  for (const auto& [reason, names] : reasons) parts.push_back(fmt::format("{} ({})", fmt::join(names, ", "), reason));
  return parts.empty() ? "" : fmt::format("No step by: {}.", fmt::join(parts, "; "));
}

std::string table(const Question& question, const FilterDesignRequest& asked, const FilterDesign& design) {
  Report report(Style::of_standard_output());
  report.headline("Filters for chosen steps",
                  fmt::format("within epsilon = {} at delta = {}", rounded(asked.epsilon), rounded(asked.delta)));
  describe_run(report, question);
  report.row("needed", fmt::format("the epsilon with which a filter admits {}",
                                   !design.counts_steps   ? std::string("the plan once")
                                   : design.expected == 1 ? std::string("the one step")
                                                          : fmt::format("all {} steps", design.expected)));
  report.row("counted", fmt::format("{}: how many a filter within the target admits", counted(design)));
  report.blank_line().lines(kind_lines(design));
  report.blank_line().paragraph(price(design));
  if (const std::string names = left_out(design.kinds); !names.empty()) report.paragraph(names);
  if (!design.exact.obstacle.empty()) report.paragraph(fmt::format("No exact figure: {}.", design.exact.obstacle));
  if (design.best) {
    report.blank_line().paragraph("To make this filter:");
    report.lines(fmt::format("  {}\n", new_filter(asked.plan, *design.kinds[*design.best].budget)));
  }
  for (const std::string& warning : warnings(question)) report.blank_line().warning(warning);
  return report.text();
}

Cell number_cell(const std::optional<double>& number) { return number ? Cell(*number) : Cell(""); }

std::string rows(const Question&, const FilterDesignRequest&, const FilterDesign& design) {
  std::vector<std::vector<Cell>> cells;
  const auto share = [&](std::int64_t count) {
    if (!design.exact.count || *design.exact.count == 0) return Cell("");
    return Cell(static_cast<double>(count) / static_cast<double>(*design.exact.count));
  };
  for (const KindDesign& kind : design.kinds) {
    cells.push_back({to_string(kind.kind), kind.budget ? in_flags(*kind.budget) : "", number_cell(kind.epsilon),
                     kind.count, share(kind.count), kind.obstacle});
  }
  const auto fixed = [&](const char* name, const FixedDesign& by) {
    cells.push_back({name, "", number_cell(by.epsilon), by.count ? Cell(*by.count) : Cell(""),
                     by.count ? share(*by.count) : Cell(""), by.obstacle});
  };
  fixed("renyi, fixed in advance", design.renyi);
  fixed("exact, fixed in advance", design.exact);
  return csv({"kind", "budget", "epsilon", "count", "share_of_exact", "unavailable"}, cells);
}

}  // namespace
}  // namespace filter_design_file

Command filter_design_command() {
  const std::vector<FlagText> own{
      epsilon_flag("the epsilon that the whole interaction may cost, in [1e-6, 1e6]"),
      {"--delta", "DELTA", "the delta beside it, in [0, 1)", asked_group},
      format_flag(),
      time_limit_flag(),
      plot_flag(),
  };
  return {
      .name = "filter design",
      .help = "Which kind of filter lets most steps run within (epsilon, delta)",
      .flags = joined({run_flags(), own}),
      .footer =
          "The run is the workload that is expected, for example the steps of a training or one round of\n"
          "queries. A filter also admits other steps, in any order, as long as its budget lasts.\n"
          "\n"
          "Examples:\n"
          "  renyi filter design --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000 --epsilon 6 --delta 1e-5\n"
          "  renyi filter design --noise-multiplier 20 --steps 100 --epsilon 2 --delta 1e-6 --format csv\n"
          "  renyi filter design plan.json --epsilon 3 --delta 1e-6 --plot price.svg",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { filter_design_file::build(question, flags); }, api::read_filter_design,
                {.table = filter_design_file::table, .csv = filter_design_file::rows, .figure = "filter"});
          },
  };
}

}  // namespace renyi::cli
