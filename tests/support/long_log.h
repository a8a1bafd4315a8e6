// A ledger with entries of every verb, refusals included, and its export.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "renyi/ledger.h"
#include "renyi/mechanisms.h"

namespace renyi::test {

// Writes until the log has so many entries.
inline void write_long_log(Ledger& ledger, std::int64_t entries) {
  const auto steps = [](double stddev) { return Plan().add(Gaussian{.stddev = stddev}); };
  ledger.add_scope("org", {.budget = Budget::zcdp(100), .cap = Budget::zcdp(200)}, {.person = "ada"});
  ledger.add_scope("org/visits", {.budget = Budget::zcdp(50),
                                  .blocks = BlockRule{.rule = "the month of the visit", .unit_in_one_block = true}});
  ledger.add_blocks("org/visits", {"2026-10", "2026-11"}, {.person = "ben", .comment = "two months"});
  ledger.add_scope("org/apart", {.budget = Budget::gdp(20), .analysts_may_collude = false});
  ledger.add_scope("org/apart/ana", {.budget = Budget::gdp(10)});
  ledger.raise_budget("org", Budget::zcdp(150), "a second study", {.person = "ada"});
  ledger.lower_budget("org", Budget::zcdp(120), {.person = "ada"});
  ledger.charge({.scope = "org", .steps = steps(0.01)}, {.person = "ben"});  // is refused
  for (std::int64_t i = 0; ledger.head().entry + 1 < entries; ++i) {
    const std::int64_t left = entries - ledger.head().entry - 1;
    if (i % 8 == 0 && left >= 8) {
      const auto reserve = [&](const char* scope) {
        return ledger.reserve({.scope = scope, .steps = steps(20)}, std::chrono::hours(1000), {.person = "ada"});
      };
      const Receipt first = reserve("org/apart/ana"), second = reserve("org/visits");
      reserve("org");
      ledger.open(first.ticket, first.secret, {.person = "ben"});
      ledger.commit(first.ticket, {.bytes = "published " + std::to_string(i)});
      ledger.cancel(first.ticket);  // is refused
      ledger.cancel(second.ticket);
      continue;
    }
    std::vector<Ledger::Charge> charges;
    const auto size = std::min<std::int64_t>(left, 1 + (7 * i) % 20);
    for (std::int64_t k = 0; k < size; ++k) {
      ChargeRequest request{.scope = k % 3 == 0 ? "org/visits" : k % 3 == 1 ? "org/apart/ana" : "org"};
      request.steps = steps(static_cast<double>(20 + (i + k) % 5));
      if (k % 3 == 0) request.blocks = {k % 2 == 0 ? "2026-10" : "2026-11"};
      charges.push_back({std::move(request), {.person = k % 2 == 0 ? "ada" : "ben"}});
    }
    ledger.charge_all(charges);
  }
}

inline std::vector<std::string> lines_of(const Ledger& ledger) {
  std::vector<std::string> lines;
  ledger.history({}, [&](const LedgerEntry& entry) { lines.push_back(entry.text); });
  return lines;
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace renyi::test
