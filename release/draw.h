// The parts of a release: its steps, what is drawn, and the document that is made of it.
#pragma once

#include "renyi/release.h"

namespace renyi::release {

struct Drawn {
  std::vector<PublishedStatistic> statistics{};
  double timing_delta = 0;
};
// Draws everything. The values have the types and sizes that the terms say (`check_values`).
[[nodiscard]] Drawn draw(const Request& request, const Design& design);

// Draws everything with zeros for values, and forgets it: noise that cannot be drawn is an error before anything is
// charged.
void rehearse(const Terms& terms, const Design& design);

// Throws InvalidArgument if the values of a statistic have another type or number than it says.
void check_values(const Request& request);

// Sets grid and range of noise whose mechanism and size are known. Throws InvalidArgument, with the name of the member,
// if the range cannot contain what the statistic expects.
void set_range(StatisticNoise& noise, const Statistic& statistic);

// Returns the steps to account for if the noise has these sizes times a factor.
[[nodiscard]] Plan plan_with(const std::vector<StatisticNoise>& noise, const Adjacency& relation, double factor = 1);

// Returns the document as JSON, with a line break at its end (docs/format/release.md).
[[nodiscard]] std::string write_document(const Terms& terms, const Design& design, const Document& document);

}  // namespace renyi::release
