#include "apps/cli/views/release_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include "api/number_text.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {
namespace release_view_file {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string text_of(const release::Number& number) {
  if (const auto* whole = std::get_if<std::int64_t>(&number)) return fmt::format("{}", *whole);
  return api::rounded(std::get<double>(number));
}

Cell cell_of(const release::Number& number) {
  if (const auto* whole = std::get_if<std::int64_t>(&number)) return *whole;
  return std::get<double>(number);
}

// Ranges are never rounded: a shorter number would be another end.
std::string all_digits(const release::Number& number) {
  if (const auto* whole = std::get_if<std::int64_t>(&number)) return fmt::format("{}", *whole);
  return api::short_decimal(std::get<double>(number));
}

// All of these numbers are upper bounds.
std::string cost_in_words(const std::optional<double>& epsilon, const std::optional<double>& delta,
                          const std::optional<double>& rho) {
  if (rho) return fmt::format("rho = {} of zero-concentrated DP", api::rounded_up(*rho));
  if (epsilon && delta)
    return fmt::format("epsilon = {} at delta = {}", api::rounded_up(*epsilon), api::short_decimal(*delta));
  return "not asked for (--delta says at which delta)";
}

// How many times larger the standard error would be with equal parts of the budget.
std::string ratio(const std::optional<double>& error, double own) {
  return error ? fmt::format("{:.3g} x", *error / own) : "";
}

// Standard errors with equal parts of the budget, and the factor.
std::string equal_split(const std::optional<double>& error, double own) {
  return error ? fmt::format("{:.4g} ({:.3g} x)", *error, *error / own) : "";
}

// The column of the comparison is there only if something is compared.
void drop_last_unless(bool compares, Rows& rows) {
  if (compares) return;
  for (auto& row : rows) row.pop_back();
}

std::string equal_split_note(std::size_t statistics) {
  return fmt::format(
      "\"equal split\" is the standard error by basic composition: each of the {} statistics with "
      "epsilon/{} and delta/{}, and exact noise for them.",
      statistics, statistics, statistics);
}

// The range of every statistic, and what it means; nothing if a document does not state it.
void add_ranges(Report& report, const Rows& rows) {
  if (rows.empty()) return;
  Rows titled{{"statistic", "range of values"}};
  titled.insert(titled.end(), rows.begin(), rows.end());
  report.blank_line().lines(columns(titled));
  report.blank_line().paragraph(release::range_rule);
}

// Budgets of the scope that pays and of those above it; nothing if there are none.
void add_balances(Report& report, const std::vector<ScopeBalances>& scopes) {
  Rows rows{{"scope", "", "limit", "spent", "left"}};
  for (const ScopeBalances& scope : scopes) {
    for (const Balance& balance : scope.balances) {
      rows.push_back({scope.scope, balance.name, api::rounded_down(balance.limit), api::rounded_up(balance.spent),
                      balance.within ? api::rounded_down(balance.left) : "none: above the limit"});
    }
  }
  if (rows.size() > 1) report.blank_line().lines(columns(rows));
}

// "with all noise larger by the factor 1.674 (--epsilon 0.6)".
std::string fitting_in_words(const release::Outcome& outcome, bool has_rho) {
  const std::string total =
      outcome.fitting_total ? fmt::format(" ({} {:.3g})", has_rho ? "--rho" : "--epsilon", *outcome.fitting_total) : "";
  return fmt::format("with all noise larger by the factor {}{}", *outcome.fitting_factor, total);
}

// Whether another division would help: an equal split has less noise somewhere.
bool loses_to_equal_split(const release::Terms& terms, const release::Design& design) {
  constexpr double noticeable = 0.999;
  if (terms.division.value_or(release::Division::equal_error) != release::Division::equal_error) return false;
  return std::any_of(design.noise.begin(), design.noise.end(), [](const release::StatisticNoise& noise) {
    // Rounding to the grid is in neither.
    const double own = noise.size * (noise.mechanism.ends_with("laplace") ? std::numbers::sqrt2 : 1);
    return noise.equal_split_error && *noise.equal_split_error < noticeable * own;
  });
}

}  // namespace
}  // namespace release_view_file

std::string range_text(const release::Range& range) {
  return fmt::format("{} to {}", release_view_file::all_digits(range.lower),
                     release_view_file::all_digits(range.upper));
}

std::string release_text(const release::Document& document, const std::string& out, bool is_repeated,
                         const std::vector<ScopeBalances>& left) {
  namespace file = release_view_file;
  Report report(Style::of_standard_output());
  report.headline("Released:", out);
  report.row("cost", file::cost_in_words(document.epsilon, document.delta, document.rho));
  if (const auto& paid = document.payment) {
    report.row("paid by", fmt::format("scope {}, entry {} of ledger {}", paid->scope, paid->entry, paid->ledger));
    if (!paid->blocks.empty()) report.row("blocks", fmt::format("{}", fmt::join(paid->blocks, ", ")));
    report.row("key", paid->key);
    report.row("hash", paid->hash);
    if (!paid->note.empty()) report.row("note", paid->note);
  } else {
    report.row("paid by", "nobody: no ledger counts what this cost");
  }
  if (is_repeated) report.row("again", "what was stored for this key; nothing was drawn or charged");
  file::Rows rows{{"statistic", "bin", "value", "std error", "95 % interval", "equal split"}}, ranges;
  bool compares = false;
  for (const release::PublishedStatistic& statistic : document.statistics) {
    for (const release::PublishedNumber& number : statistic.numbers) {
      const bool is_first = &number == statistic.numbers.data();
      rows.push_back({is_first ? statistic.name : "", number.bin, file::text_of(number.value),
                      is_first ? api::rounded(statistic.standard_error) : "",
                      fmt::format("{} to {}", file::text_of(number.lower), file::text_of(number.upper)),
                      is_first ? file::ratio(statistic.equal_split_error, statistic.standard_error) : ""});
    }
    compares = compares || statistic.equal_split_error;
    if (statistic.range) ranges.push_back({statistic.name, range_text(*statistic.range)});
  }
  file::drop_last_unless(compares, rows);
  report.blank_line().lines(columns(rows));
  file::add_ranges(report, ranges);
  for (const release::PublishedStatistic& statistic : document.statistics) {
    for (const std::string& done : statistic.post_processing) {
      report.blank_line().paragraph(fmt::format("Post-processing of {}: {}.", statistic.name, done));
    }
  }
  if (compares) report.blank_line().paragraph(file::equal_split_note(document.statistics.size()));
  file::add_balances(report, left);
  return report.text();
}

std::string release_csv(const release::Document& document) {
  std::vector<std::vector<Cell>> rows;
  for (const release::PublishedStatistic& statistic : document.statistics) {
    const auto& range = statistic.range;
    const Cell nothing{std::string()};
    for (const release::PublishedNumber& number : statistic.numbers) {
      rows.push_back({statistic.name, number.bin, release_view_file::cell_of(number.value),
                      release_view_file::cell_of(number.lower), release_view_file::cell_of(number.upper),
                      statistic.standard_error, statistic.mechanism, statistic.size,
                      fmt::format("{}", fmt::join(statistic.post_processing, "; ")),
                      range ? release_view_file::cell_of(range->lower) : nothing,
                      range ? release_view_file::cell_of(range->upper) : nothing});
    }
  }
  return csv({"statistic", "bin", "value", "lower", "upper", "standard_error", "mechanism", "size", "post_processing",
              "range_lower", "range_upper"},
             rows);
}

std::string design_text(const release::Terms& terms, const release::Design& design,
                        const std::optional<release::Outcome>& asked) {
  namespace file = release_view_file;
  Report report(Style::of_standard_output());
  report.headline("Not released:", "this is what would be paid for and drawn");
  report.row("cost", file::cost_in_words(design.epsilon, design.delta, design.rho));
  report.row("neighbors", std::string(to_string(design.plan.neighbors())));
  if (design.plan.unit() > 1) report.row("unit", fmt::format("{} records", design.plan.unit()));
  if (asked && asked->refusal->accepted) report.row("ledger", "it would fit (nothing was recorded)");
  if (asked && !asked->refusal->accepted) {
    report.row("ledger", "it would be refused (nothing was recorded): " + asked->reason);
    if (asked->fitting_factor) {
      report.row("would fit", file::fitting_in_words(*asked, terms.budget.rho.has_value()));
    }
  }
  file::Rows rows{{"statistic", "noise", "std error", "95 % +-", "equal split"}}, ranges;
  bool compares = false;
  for (std::size_t i = 0; i < design.noise.size(); ++i) {
    const release::StatisticNoise& noise = design.noise[i];
    rows.push_back({terms.statistics[i].name, fmt::format("{} {}", noise.mechanism, api::rounded(noise.size)),
                    api::rounded(noise.standard_error), api::rounded_up(noise.half_width),
                    file::equal_split(noise.equal_split_error, noise.standard_error)});
    compares = compares || noise.equal_split_error;
    ranges.push_back({terms.statistics[i].name, range_text(noise.range)});
  }
  file::drop_last_unless(compares, rows);
  report.blank_line().lines(columns(rows));
  file::add_ranges(report, ranges);
  if (compares) report.blank_line().paragraph(file::equal_split_note(design.noise.size()));
  if (file::loses_to_equal_split(terms, design)) {
    report.blank_line().paragraph(
        "Somewhere an equal split has less noise, because the same error is wanted everywhere: try --divide "
        "min-variance.");
  }
  if (asked) file::add_balances(report, asked->refusal->left);
  return report.text();
}

std::string refusal_text(const release::Terms& terms, const release::Outcome& outcome) {
  Report report(Style::of_standard_output());
  report.headline("Refused:", "nothing was drawn, and nothing is published");
  report.row("why", outcome.reason);
  if (!outcome.refusal) return report.text();
  const Receipt& refusal = *outcome.refusal;
  if (!refusal.refused_by.empty()) report.row("refused by", "scope " + refusal.refused_by);
  report.row("entry", fmt::format("{} of the log", refusal.entry));
  if (outcome.fitting_factor) {
    report.row("would fit", release_view_file::fitting_in_words(outcome, terms.budget.rho.has_value()));
  }
  if (refusal.repeated) report.row("again", "this answer is stored for the key: ask again with another one");
  release_view_file::add_balances(report, refusal.left);
  return report.text();
}

}  // namespace renyi::cli
