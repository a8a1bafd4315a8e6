// Describes filters, their verdicts and what they guarantee as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/filter.h"
#include "apps/cli/views/layout.h"
#include "renyi/filter.h"

namespace renyi::cli {

// "zcdp: rho = 0.5", with the infinite mass if there is one.
std::string in_words(const Budget& budget);

// What stands beside the figures: how flags were understood, and warnings.
struct Remarks {
  std::vector<std::string> understood{};
  std::vector<std::string> warnings{};
};

// The verdict about steps: yes or no, why, what would run, and the balances.
std::string verdict_text(const api::FilterRequest& asked, const api::FilterAnswer& answer, const Remarks& remarks);

// The filter as it is: limits, balances, steps, and what the whole interaction guarantees.
std::string filter_text(const std::string& name, const api::FilterRequest& asked, const api::FilterAnswer& answer,
                        const Remarks& remarks);

}  // namespace renyi::cli
