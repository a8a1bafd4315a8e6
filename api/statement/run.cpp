// What was run, and what of it is published.
#include <fmt/format.h>

#include "api/statement/guarantee.h"
#include "api/statement/statement.h"
#include "api/steps_in_words.h"

namespace renyi::api {
namespace {

bool has_form(const Json& facts, std::string_view name) {
  for (const Json& form : facts.at("forms")) {
    if (form == name) return true;
  }
  return false;
}

std::vector<Words> steps_of(const Json& plan) {
  if (!is_given(plan)) {
    return {fmt::format("steps that plan files cannot hold ({})", plan.at("unavailable").get<std::string>())};
  }
  std::vector<Words> lines;
  for (const std::string& line : steps_in_words(plan.at("steps"))) lines.push_back(code(line));
  if (lines.empty()) lines.emplace_back("nothing");
  return lines;
}

void list_mechanisms(Blocks& blocks, const Json& facts) {
  if (facts.at("mechanisms").empty()) return;
  List list;
  for (const Json& mechanism : facts.at("mechanisms")) {
    list.items.push_back(code(mechanism.at("kind").get<std::string>()) + ": " +
                         mechanism.at("summary").get<std::string>());
  }
  blocks.emplace_back(Paragraph{"Where:"});
  blocks.emplace_back(std::move(list));
}

std::string published(const Json& facts) {
  std::string text =
      "The results of every step count as published, intermediate ones included, and so does whatever is computed from "
      "them alone, such as checkpoints of a model.";
  if (has_form(facts, "select")) {
    text +=
        " Of the best of several runs, only that run's result is published; the results of the others, and how many "
        "there were, stay secret.";
  }
  if (has_form(facts, "parallel")) {
    text +=
        " Disjoint parts of the records were fixed in advance, each record lies in one of them, and the costliest "
        "part counts.";
  }
  return text;
}

}  // namespace

Section run_section(const Json& facts) {
  Section section{.title = "What was run"};
  List list{steps_of(facts.at("plan"))};
  for (const Json& remark : facts.at("remarks")) list.items.emplace_back(remark.get<std::string>());
  section.blocks.emplace_back(std::move(list));
  list_mechanisms(section.blocks, facts);
  section.blocks.emplace_back(Paragraph{published(facts)});
  return section;
}

}  // namespace renyi::api
