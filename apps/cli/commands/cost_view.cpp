#include "apps/cli/commands/cost_view.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "api/json/content.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

using api::Json;

namespace cost_view_file {
namespace {

struct Asked {
  std::string figure;
  std::string given;
};

bool has(const Json& answer, const char* part) { return answer.contains(part) && is_there(answer.at(part)); }

// Nothing that was asked for can be given.
void require_a_part(const Json& answer) {
  if (has(answer, "renyi") || has(answer, "exact")) return;
  throw Failure(exit_no_answer, answer.at("exact").at("unavailable").get<std::string>());
}

const Json& best_bound(const Json& answer, const Asked& asked) {
  return has(answer, "exact") ? answer.at("exact").at("upper") : answer.at("renyi").at(asked.figure);
}

std::string method_in_words(const std::string& method) {
  if (method == "closed-form") return method + " (Mironov, Talwar, Zhang 2019, Theorem 11: 2 q^2 a/s^2 a step)";
  if (method == "quadrature") return method;
  return method + " (Mironov, Talwar, Zhang 2019, section 3.3)";
}

void describe_renyi(Report& report, const Json& answer, const Asked& asked) {
  const Json& bound = answer.at("renyi");
  if (answer.contains("exact")) {
    report.row("Renyi", fmt::format("{} (upper bound)", rounded_up(number_in(bound.at(asked.figure)))));
  }
  if (bound.contains("method")) report.row("method", method_in_words(bound.at("method").get<std::string>()));
  describe_bound(report, bound);
}

std::string table(const Question& question, const Json& answer, const Asked& asked) {
  const double figure = number_in(best_bound(answer, asked)),
               given = number_in(api::opened(question.request).at(asked.given));
  const bool exact = has(answer, "exact") && answer.at("exact").at("engine") != "bounds";
  Report report(Style::of_standard_output());
  report.headline(
      fmt::format("{} = {}", asked.figure, rounded_up(figure)),
      fmt::format("at {} = {}  ({}, rounded up)", asked.given, rounded(given), exact ? "exact" : "upper bound"));
  describe_run(report, question);
  describe_overflow(report, answer);
  const bool epsilon = asked.figure == "epsilon";
  if (answer.contains("exact")) {
    describe_exact(report, answer.at("exact"), epsilon ? Width::absolute : Width::relative);
  }
  describe_note(report, answer);
  if (answer.contains("renyi")) describe_renyi(report, answer, asked);
  describe_under_poisson(report, answer, asked.figure);
  if (has(answer, "exact") && answer.contains("renyi")) {
    const std::string less = saving(answer.at("exact"), answer.at("renyi").at(asked.figure));
    if (!less.empty()) report.blank_line().paragraph(less);
  }
  report.blank_line().paragraph(epsilon ? promise(question, figure, given) : promise(question, given, figure));
  for (const std::string& warning : warnings(question)) report.blank_line().warning(warning);
  return report.text();
}

std::string rows(const Json& answer, const Asked& asked) {
  const auto cell = [&](const char* part, const std::string& path) {
    const Json::json_pointer pointer(path);
    return has(answer, part) ? answer.at(part).at(pointer) : Json("");
  };
  return csv({"renyi_" + asked.figure, "renyi_order", "renyi_conversion", "exact_lower", "exact_upper", "engine",
              "direction", "remove_lower", "remove_upper", "add_lower", "add_upper"},
             {{cell("renyi", "/" + asked.figure), cell("renyi", "/order"), cell("renyi", "/conversion"),
               cell("exact", "/lower"), cell("exact", "/upper"), cell("exact", "/engine"), cell("exact", "/direction"),
               cell("exact", "/remove/lower"), cell("exact", "/remove/upper"), cell("exact", "/add/lower"),
               cell("exact", "/add/upper")}});
}

}  // namespace
}  // namespace cost_view_file

JsonViews cost_views(const std::string& figure, const std::string& given) {
  const cost_view_file::Asked asked{figure, given};
  return {.table = [asked](const Question& question,
                           const Json& answer) { return cost_view_file::table(question, answer, asked); },
          .csv = [asked](const Question&, const Json& answer) { return cost_view_file::rows(answer, asked); },
          .check = cost_view_file::require_a_part};
}

}  // namespace renyi::cli
