#include "api/report.h"

#include <fmt/format.h>

#include "api/statement/statement.h"
#include "renyi/error.h"
#include "renyi/limits.h"
#include "renyi/plan.h"

namespace renyi::api {

std::string_view to_string(StatementFormat format) noexcept {
  return format == StatementFormat::markdown ? "markdown" : "html";
}

namespace report_file {
namespace {

// Returns the result of `find`, or the reason why there is none.
template <class Find>
auto part_of(const Find& find) -> Part<decltype(find())> {
  try {
    stop_if_overdue();
    return {.found = find()};
  } catch (const Unsupported& error) {
    return {.unavailable = error.why()};
  } catch (const NotConverged& error) {
    return {.unavailable = error.what()};
  } catch (const LimitReached& error) {
    return {.unavailable = error.why()};
  }
}

// The samplings in parallel parts state the sizes of their parts, so that these are not compared.
void check_size(std::int64_t records, const Inventory& found) {
  if (found.parallel || !found.dataset_size || static_cast<double>(records) == *found.dataset_size) return;
  throw InvalidArgument("dataset_size", std::to_string(records),
                        fmt::format("{}, as the sampling of the plan says", *found.dataset_size));
}

// Returns the dataset size that the request gives, or else the one that the samplings state.
std::optional<std::int64_t> records_in(const ReportRequest& asked, const Inventory& found) {
  if (asked.dataset_size || !found.dataset_size) return asked.dataset_size;
  return static_cast<std::int64_t>(*found.dataset_size);
}

// The guarantees that a statement shows: a rare bad outcome, the orders of the curve, and noticeable Bayes factors.
const ExplainOptions& usual_promises() {
  static const ExplainOptions options{.baselines = {0.01}, .orders = {2, 4, 8, 16, 32, 64}, .factors = {10, 100}};
  return options;
}

TradeoffRequest usual_tests(const ReportRequest& asked) {
  return {.plan = asked.plan, .type_one_errors = {0.001, 0.01, 0.1}, .options = asked.options.exactness};
}

// Returns the epsilon of the plan with random allocation instead of shuffled epochs, where that is smaller.
std::optional<double> allocated(const Plan& plan, const ReportRequest& asked, double shuffled) {
  const auto other = under_random_allocation(plan);
  if (!other) return std::nullopt;
  const auto found = part_of([&] { return epsilon(*other, asked.delta, asked.options).upper(); });
  return found && *found < shuffled ? found.found : std::nullopt;
}

Facts facts_of(const ReportRequest& asked) {
  const Plan& plan = asked.plan;
  Facts facts{.title = asked.title, .delta = asked.delta, .inventory = inventory_of(plan), .remarks = asked.remarks};
  if (asked.dataset_size) check_size(*asked.dataset_size, facts.inventory);
  facts.dataset_size = records_in(asked, facts.inventory);
  facts.plan_file = part_of([&] { return write_plan(plan); });
  facts.neighbors = plan.neighbors();
  facts.unit = plan.unit();
  facts.assumes = assumption(plan);
  const Analysis analysis(plan);
  facts.epsilon = epsilon(analysis, asked.delta, asked.options);
  facts.allocated = allocated(plan, asked, facts.epsilon.upper());
  facts.shares = part_of([&] { return step_shares(analysis, *facts.epsilon.renyi); });
  facts.relatives = {.pure = part_of([&] { return to_pure(analysis); }),
                     .zcdp = part_of([&] { return to_zcdp(analysis); }),
                     .gdp = part_of([&] { return to_gdp(analysis); })};
  facts.promises = part_of([&] { return explain(analysis, usual_promises()); });
  facts.tradeoff = part_of([&] { return answer(usual_tests(asked)); });
  return facts;
}

std::string written_as(StatementFormat format, const Page& page) {
  return format == StatementFormat::markdown ? markdown(page) : html(page);
}

}  // namespace
}  // namespace report_file

ReportAnswer answer(const ReportRequest& asked) {
  ReportAnswer answer{.facts = report_file::facts_of(asked)};
  if (asked.formats.empty()) return answer;
  const Page page = statement_of(answer.facts);
  for (const StatementFormat format : asked.formats) {
    answer.texts.push_back({format, report_file::written_as(format, page)});
  }
  return answer;
}

}  // namespace renyi::api
