// What was released, and what a release would be, as text and as comma-separated values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "renyi/release.h"

namespace renyi::cli {

// A report for people. `out` is the file that was written, `left` what the scopes that paid have now.
std::string release_text(const release::Document& document, const std::string& out, bool is_repeated,
                         const std::vector<ScopeBalances>& left);
// One line a number.
std::string release_csv(const release::Document& document);
// The noise that was chosen, before anything is paid for or drawn, and what the ledger says about it if it was asked.
std::string design_text(const release::Terms& terms, const release::Design& design,
                        const std::optional<release::Outcome>& asked);
// "-4398046511104 to 4398046511104".
std::string range_text(const release::Range& range);
// Why the ledger refused, what is left, and what would fit.
std::string refusal_text(const release::Terms& terms, const release::Outcome& outcome);

}  // namespace renyi::cli
