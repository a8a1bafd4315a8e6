// A grid: a request in which axes stand for numbers, and the configurations that are their product
// (docs/format/sweep.md).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "api/api.h"

namespace renyi::api::sweep {

struct Axis {
  std::string path;            // as errors name it: "steps[0].sampling_rate"
  Json::json_pointer place;    // the same in the request
  std::vector<Json> values{};  // at least one
};

struct Grid {
  Json document;           // as it was read
  std::vector<Axis> axes;  // in the order of the document; the last one runs fastest
  std::uint64_t size = 0;  // below 2^63

  const Json& request() const { return document.at("request"); }
};

// Throws InvalidArgument.
Grid read_grid(std::string_view text);

// One configuration at a time, placed in a request of its own.
class Configuration {
 public:
  explicit Configuration(const Grid& grid);
  Configuration(const Configuration&) = delete;
  Configuration& operator=(const Configuration&) = delete;

  void go_to(std::uint64_t index);
  const Json& request() const noexcept { return request_; }
  const Json& value(std::size_t axis) const noexcept { return *places_[axis]; }

 private:
  const Grid& grid_;
  Json request_;
  std::vector<Json*> places_;  // of the axes, in request_
};

}  // namespace renyi::api::sweep
