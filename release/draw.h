// Draws the noise of a release, and makes of it what is published.
#pragma once

#include "renyi/release.h"

namespace renyi::release {

struct Drawn {
  std::vector<PublishedStatistic> statistics{};
  double timing_delta = 0;
};
// Draws everything. The values have the types and sizes that the terms say (`check_values`).
[[nodiscard]] Drawn draw(const Request& request, const Design& design);

// Throws InvalidArgument if the values of a statistic have another type or number than it says.
void check_values(const Request& request);

// Returns the document as JSON, with a line break at its end (docs/format/release.md).
[[nodiscard]] std::string write_document(const Terms& terms, const Design& design, const Document& document);

}  // namespace renyi::release
