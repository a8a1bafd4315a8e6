// How to get the same figures again, and where the mathematics comes from.
#include <fmt/format.h>

#include "api/statement/guarantee.h"
#include "api/statement/statement.h"

namespace renyi::api {
namespace {

// The plan file, a step a line.
std::string in_lines(const Json& plan) {
  std::string head, steps;
  for (const auto& member : plan.items()) {
    if (member.key() != "steps") head += fmt::format("{}:{},", Json(member.key()).dump(), write(member.value()));
  }
  for (const Json& step : plan.at("steps")) steps += (steps.empty() ? "\n  " : ",\n  ") + write(step);
  return fmt::format("{{{}\"steps\":[{}]}}", head, steps);
}

std::string command(const Json& facts) {
  const std::string records =
      facts.contains("dataset_size") ? " --dataset-size " + facts.at("dataset_size").dump() : "";
  return fmt::format("renyi report plan.json --delta {0}{1}\nrenyi epsilon plan.json --delta {0}{1}",
                     delta_in_full(facts), records);
}

}  // namespace

Section checking_section(const Json& facts) {
  const auto version = facts.at("renyi").get<std::string>();
  if (!is_given(facts.at("plan"))) return {};
  return {.title = "How to check it",
          .blocks = {Paragraph{Words("The plan, as a file ") + code("plan.json") + ":"},
                     CodeBlock{"json", in_lines(facts.at("plan"))},
                     Paragraph{fmt::format("The figures, by renyi {}:", version)}, CodeBlock{"sh", command(facts)}}};
}

Section references_section(const Json& facts) {
  Section section{.title = "References"};
  List list;
  for (const Json& reference : facts.at("references")) {
    list.items.push_back(code(reference.at("key").get<std::string>()) + ": " + reference.at("text").get<std::string>());
  }
  if (list.items.empty()) return section;
  section.blocks.emplace_back(std::move(list));
  section.blocks.emplace_back(
      Paragraph{Words("BibTeX entries by these keys: ") + code("renyi mechanisms --bibtex") + "."});
  return section;
}

}  // namespace renyi::api
