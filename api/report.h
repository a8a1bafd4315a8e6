// A privacy statement about a plan: its facts, and its text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/document.h"
#include "api/statement/facts.h"
#include "renyi/cost.h"
#include "renyi/plan.h"

namespace renyi::api {

enum class StatementFormat { markdown, html };
inline constexpr std::array all_statement_formats{StatementFormat::markdown, StatementFormat::html};
// Returns "markdown" or "html".
std::string_view to_string(StatementFormat format) noexcept;

struct ReportRequest {
  Plan plan;
  double delta = 0;
  CostOptions options{};  // for the epsilon; its tolerance applies to the trade-off too
  std::string title{};    // empty for the default title
  std::vector<std::string> remarks{};
  std::optional<std::int64_t> dataset_size{};
  std::vector<StatementFormat> formats{};
};

struct StatementText {
  StatementFormat format{};
  std::string text{};
};

struct ReportAnswer {
  Facts facts{};
  std::vector<StatementText> texts{};  // one for each requested format
};

ReportRequest read_report(const Document& request);
// Throws what the cost throws. Any other part that is not available contains the reason.
ReportAnswer answer(const ReportRequest& asked);
std::string write(const Document& request, const ReportAnswer& answer);

}  // namespace renyi::api
