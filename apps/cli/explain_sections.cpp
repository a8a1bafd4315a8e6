#include "apps/cli/explain_sections.h"

#include <fmt/format.h>

#include <cmath>

#include "apps/cli/columns.h"
#include "apps/cli/describe.h"
#include "apps/cli/number.h"
#include "apps/cli/output.h"

namespace renyi::cli {

using api::Json;
using Rows = std::vector<std::vector<std::string>>;

std::string section(std::string_view title, std::string_view text) {
  return fmt::format("\n{}\n{}\n", Style::of_standard_output().strong(title), wrapped(text, 0));
}

bool is_unbounded(const Json& answer) { return answer.at("pure_epsilon") == "inf"; }

// ---- Bayes factor

std::string bayes_section(const Json& answer) {
  const Json& found = answer.at("bayes");
  std::string text = section(
      "What an observer learns",
      "Someone weighs the true dataset against a neighbour. The results multiply the odds of the truth by a factor "
      "(the Bayes factor). Its logarithm is on average at most " +
          up(found.at("expected_log_factor")) + ", " +
          (is_unbounded(answer) ? std::string("and no factor is impossible: the loss is unbounded.")
                                : fmt::format("and the factor is never above {}.", up(found.at("largest_factor")))));
  Rows tails{{"factor above", "has probability at most", "by order"}};
  for (const Json& tail : found.at("tails")) {
    tails.push_back({plain(tail.at("factor")), up(tail.at("probability")), plain(tail.at("order"))});
  }
  Rows moments{{"order a", "epsilon of (a, epsilon)-RDP", "mean of factor^(a-1) at most"}};
  for (const Json& at : answer.at("orders")) {
    moments.push_back({plain(at.at("order")), up(at.at("epsilon")), up(at.at("bayes_moment"))});
  }
  return text + '\n' + columns(tails) + '\n' + columns(moments);
}

// ---- groups

namespace {

std::string counted_as(const Json& group) {
  return group.at("size") == group.at("stability") ? "" : fmt::format(" (counted as {})", group.at("stability").dump());
}

std::string group_epsilon(const Json& group, const Json& delta) {
  std::string text = fmt::format("\nAt delta = {} the group has epsilon = {}.", plain(delta),
                                 up(group.at("approximate").at("epsilon")));
  if (group.contains("scaled")) {
    text += fmt::format(" Scaling what one record can do in each step gives epsilon = {}, for exactly {} records.",
                        up(group.at("scaled").at("epsilon")), group.at("size").dump());
  }
  return wrapped(text, 0) + '\n';
}

}  // namespace

std::string group_section(const Question& question, const Json& answer) {
  const Json& group = answer.at("group");
  const auto size = group.at("stability").get<double>();
  std::string text = section(
      "A group",
      fmt::format("For {} records that act together{}: (a, e)-RDP of one record is (a/{}, {} e)-RDP of the group, for "
                  "orders a of at least {} (Mironov 2017, Proposition 2). Below order 2 the value at order 2 serves.",
                  group.at("size").dump(), counted_as(group), size, std::pow(3, std::log2(size)), 2 * size));
  Rows rows{{"order", "epsilon", "read off order"}};
  for (const Json& at : group.at("orders")) {
    rows.push_back({plain(at.at("order")), up(at.at("epsilon")), plain(at.at("from_order"))});
  }
  text += '\n' + columns(rows);
  if (group.contains("approximate")) text += group_epsilon(group, question.request.at("delta"));
  if (!is_unbounded(answer))
    text += fmt::format("\nPure DP of the group: epsilon = {}.\n", up(group.at("pure_epsilon")));
  return text;
}

std::string properties_section(const Json& answer) {
  std::string text = section("Always", "Whatever the run:");
  for (const Json& property : answer.at("always")) {
    text += "  " +
            wrapped(fmt::format("{}: {} ({}).", property.at("name").get<std::string>(),
                                property.at("statement").get<std::string>(), property.at("source").get<std::string>()),
                    4) +
            '\n';
  }
  return text;
}

}  // namespace renyi::cli
