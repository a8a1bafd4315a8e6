#include "api/statement/statement.h"

namespace renyi::api {

Document statement_of(const Json& facts) {
  Document document{.title = facts.value("title", std::string("Privacy statement")), .lead = summary_of(facts)};
  for (const auto section : {run_section, protection_section, sampling_section, figures_section, meaning_section,
                             limits_section, checking_section, references_section}) {
    Section made = section(facts);
    if (!made.blocks.empty()) document.sections.push_back(std::move(made));
  }
  return document;
}

}  // namespace renyi::api
