// The figures: exact, by Renyi divergences, and in the terms of relatives.
#include <fmt/format.h>

#include "api/conversion_source.h"
#include "api/shown.h"
#include "api/statement/guarantee.h"
#include "api/statement/statement.h"

namespace renyi::api {
namespace {

std::string text_at(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

std::vector<Words> exact_line(const char* name, const Json& ends) {
  return {name, interval(ends), fmt::format("by {}", engine_in_words(text_at(ends, "engine")))};
}

std::string exact_in_words(const Json& found) {
  const std::string rounding = " Lower ends are rounded down, upper ends and bounds up.";
  if (found.at("exact").at("engine") == "bounds") {
    return "No engine gives an exact figure here: the ends of the interval are bounds." + rounding;
  }
  if (found.contains("note")) {
    return fmt::format("The interval is {}. Parameters are taken as fixed in advance.", text_at(found, "note")) +
           rounding;
  }
  return "Exact: the interval holds the smallest epsilon that is true of the plan as stated at this delta, with "
         "parameters fixed in advance." +
         rounding;
}

void add_exact(Blocks& blocks, Table& table, const Json& found) {
  const Json& exact = found.at("exact");
  if (!is_given(exact)) {
    blocks.emplace_back(Paragraph{"There is no exact figure: " + text_at(exact, "unavailable") + "."});
    return;
  }
  table.rows.push_back({"exact", interval(exact), "the larger of both directions"});
  table.rows.push_back(exact_line("direction remove", exact.at("remove")));
  table.rows.push_back(exact_line("direction add", exact.at("add")));
  blocks.emplace_back(Paragraph{exact_in_words(found)});
  if (exact.contains("note")) blocks.emplace_back(Paragraph{"Note: " + text_at(exact, "note") + "."});
}

void add_renyi(Blocks& blocks, Table& table, const Json& bound) {
  const auto conversion = text_at(bound, "conversion");
  const bool finite = bound.at("epsilon") != "inf";
  table.rows.push_back(
      {"Renyi bound", finite ? "at most " + up(bound.at("epsilon")) : "inf",
       finite ? fmt::format("order {}, {} ({})", plain(bound.at("order")), conversion, source_of_conversion(conversion))
              : "no order gives a finite one"});
  if (!bound.contains("delta_apart")) return;
  blocks.emplace_back(Paragraph{
      fmt::format("In the Renyi bound {} of delta pays apart for losses that are infinite: no order bounds them.",
                  up(bound.at("delta_apart")))});
}

// Is there an order that says something?
bool has_curve(const Json& promises) {
  if (!is_given(promises)) return false;
  for (const Json& at : promises.at("orders")) {
    if (at.at("epsilon") != "inf") return true;
  }
  return false;
}

Table curve_of(const Json& promises) {
  Table table{.header = {"order a"}, .rows = {{"epsilon at most"}}};
  for (const Json& at : promises.at("orders")) {
    table.header.push_back(plain(at.at("order")));
    table.rows[0].emplace_back(up(at.at("epsilon")));
  }
  return table;
}

// "None exists" is too much where the reason is that too little is known.
std::string none_in_words(std::string none) {
  constexpr std::string_view exists = "none exists,";
  const bool unknown = none.find(" may be ") != std::string::npos || none.find("nothing is known") != std::string::npos;
  if (unknown && none.starts_with(exists)) none.replace(0, exists.size(), "none is known,");
  return none;
}

Words relative_in_words(const Json& found, const char* key) {
  if (!is_given(found)) return "not available: " + text_at(found, "unavailable");
  return found.contains("none") ? none_in_words(text_at(found, "none"))
                                : fmt::format("{} = {}", key, up(found.at(key)));
}

Table relatives_in(const Json& relatives) {
  return {.header = {"Notion", "What holds, at most"},
          .rows = {{"pure DP", relative_in_words(relatives.at("pure"), "epsilon")},
                   {"zCDP", relative_in_words(relatives.at("zcdp"), "rho")},
                   {"GDP", relative_in_words(relatives.at("gdp"), "mu")}}};
}

}  // namespace

Section figures_section(const Json& facts) {
  const Json& found = facts.at("epsilon");
  Table epsilons{.header = {fmt::format("At delta = {}", delta_in_full(facts)), "Epsilon", "How"}};
  Blocks words;
  add_exact(words, epsilons, found);
  add_renyi(words, epsilons, found.at("renyi"));
  Section section{.title = "Figures", .blocks = {std::move(epsilons)}};
  section.blocks.insert(section.blocks.end(), words.begin(), words.end());
  if (has_curve(facts.at("promises"))) {
    section.blocks.emplace_back(Paragraph{"(a, epsilon)-Renyi differential privacy:"});
    section.blocks.emplace_back(curve_of(facts.at("promises")));
  }
  section.blocks.emplace_back(Paragraph{"The same run in other terms:"});
  section.blocks.emplace_back(relatives_in(facts.at("relatives")));
  if (facts.at("relatives").at("zcdp").contains("rho") && !facts.at("sampling").at("schemes").empty()) {
    section.blocks.emplace_back(
        Paragraph{"zCDP holds at every order, and GDP against every test: for sampled steps they are seldom tight, and "
                  "the figures "
                  "at the chosen delta say more."});
  }
  return section;
}

}  // namespace renyi::api
