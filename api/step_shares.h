// The shares of the steps of a plan, for people to read: one row per step, and the sentences beside the rows.
#pragma once

#include <string>
#include <vector>

#include "api/request_summary.h"
#include "renyi/explain.h"

namespace renyi::api {

// A step in words. Steps of a group are indented by "> ".
struct ShareRow {
  std::string step{};       // its name, or "step 2.1" without one
  std::string mechanism{};  // "laplace, scale=20"
  std::string count{};
  std::string share{};  // "62.5 %"; "-" if it has none
};

// Returns one row per step, as many as the shares have. The summary is that of the same plan, or empty for a plan with
// custom mechanisms.
std::vector<ShareRow> share_rows(const StepShares& shares, const RequestSummary& summary);

// Returns "name: comment" for each step with a comment, on one line each.
std::vector<std::string> comments_of(const StepShares& shares);

// Returns what the column of shares is called: "Share of the Renyi divergence at order 8.12159".
std::string share_title(const StepShares& shares);

// Returns whether the plan has several steps, so that its cost is divided at all.
bool has_several_steps(const StepShares& shares);

// States, in a sentence or two, what the shares are; why there are none; or that one step has the whole cost.
std::string shares_in_words(const StepShares& shares);

}  // namespace renyi::api
