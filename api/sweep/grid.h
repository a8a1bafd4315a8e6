// A grid is a request in which axes take the place of numbers; its configurations are the product of the axes
// (docs/format/sweep.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/document.h"
#include "renyi/run.h"

namespace renyi::api::sweep {

struct Axis {
  std::string path;                // as in errors: "steps[0].sampling_rate"
  std::vector<Document> values{};  // at least one; numbers or texts
};

struct Grid {
  Document document;       // the document as it was read
  std::vector<Axis> axes;  // in the order of the document; the last one varies fastest
  std::uint64_t size = 0;  // below 2^63
};

// Throws InvalidArgument.
Grid read_grid(std::string_view text);

// Returns the warnings that the runs of the grid give rise to, each of them once: a delta that is not below 1/N is
// warned of by the largest delta and the largest N.
std::vector<RunWarning> warnings_of(const Grid& grid);

// Returns what is said of runs that are given by a number of records and a batch size; empty if there are none.
std::string size_rule_of(const Grid& grid);

// One configuration at a time, substituted into its own copy of the request.
class Configuration {
 public:
  explicit Configuration(const Grid& grid);
  Configuration(const Configuration&) = delete;
  Configuration& operator=(const Configuration&) = delete;
  ~Configuration();

  void go_to(std::uint64_t index);
  const Document& request() const noexcept { return request_; }
  const Document& value(std::size_t axis) const noexcept { return *values_[axis]; }

 private:
  struct Places;

  const Grid& grid_;
  Document request_;
  std::unique_ptr<Places> places_;       // the positions of the axes in request_
  std::vector<const Document*> values_;  // the values at these positions
};

}  // namespace renyi::api::sweep
