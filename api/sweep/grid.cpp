#include "api/sweep/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "api/sweep/axis.h"
#include "api/sweep/whole.h"
#include "json/field.h"
#include "json/show.h"
#include "renyi/error.h"

namespace renyi::api::sweep {
namespace {

using json::Field;

constexpr std::string_view version_key = "renyi-sweep";
constexpr std::string_view request_key = "request";
constexpr std::size_t most_axes = 32;
constexpr std::size_t most_values = 1'000'000;  // on all axes together: they are held in memory

// Finds the axes of a request, in the order of the document, and counts their combinations.
class Collector {
 public:
  explicit Collector(const Field& request) { enter(request, Json::json_pointer()); }
  std::vector<Axis> axes() && { return std::move(axes_); }
  std::uint64_t size() const noexcept { return size_; }

 private:
  void enter(const Field& parent, const Json::json_pointer& place) {
    if (parent.value().is_object()) {
      for (const auto& member : parent.value().items()) {
        visit(parent, member.key(), Field(member.value(), json::member_path(parent.path(), member.key())),
              place / member.key());
      }
    } else if (parent.value().is_array()) {
      std::size_t i = 0;
      for (const Field& item : parent.items()) visit(parent, "", item, place / i++);
    }
  }

  void visit(const Field& parent, std::string_view key, const Field& value, const Json::json_pointer& place) {
    if (!is_axis(value.value())) return enter(value, place);
    if (axes_.size() == most_axes) value.refuse(fmt::format("a number: there are {} axes already", most_axes));
    const std::size_t most = std::max<std::size_t>(most_values - values_, 2);
    axes_.push_back({value.path(), place, read_axis(value, takes_whole_numbers(parent.value(), key), most)});
    values_ = std::min(values_ + axes_.back().values.size(), most_values);
    multiply(axes_.back());
  }

  void multiply(const Axis& axis) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    if (size_ > most / axis.values.size()) {
      throw InvalidArgument(axis.path, fmt::format("{} values more to each configuration", axis.values.size()),
                            fmt::format("at most {} configurations in all", most));
    }
    size_ *= axis.values.size();
  }

  std::vector<Axis> axes_;
  std::size_t values_ = 0;  // on all of them
  std::uint64_t size_ = 1;
};

// Answers that are a row of figures.
void check_op(const Field& request) {
  static constexpr std::array<std::string_view, 3> known{"epsilon", "delta", "calibrate"};
  const std::string allowed = Field::one_of(known);
  const Field op = request.require("op", allowed);
  for (const std::string_view name : known) {
    if (op.value() == name) return;
  }
  op.refuse(allowed + ": other answers are no row of figures");
}

Field request_of(const Field& document) {
  document.allow_only(std::array{version_key, request_key});
  document.require(version_key, "1, the version of the format").integer(1, 1);
  Field request = document.require(request_key, "a request");
  if (!request.value().is_object()) request.refuse("a request, an object");
  return request;
}

}  // namespace

Grid read_grid(std::string_view text) {
  Grid grid{.document = read(text), .axes = {}};
  // Paths are those of the request by itself: errors of its evaluation have the same.
  const Field request(request_of(Field(grid.document)).value());
  check_op(request);
  if (const auto id = request.find("id")) id->refuse("no id: rows have their index");
  Collector found(request);
  grid.size = found.size();
  grid.axes = std::move(found).axes();
  if (grid.axes.empty()) {
    throw InvalidArgument(std::string(request_key), "no axis",
                          R"({"values":[...]} or {"from":...,"to":...,"points":...} in the place of some number)");
  }
  return grid;
}

Configuration::Configuration(const Grid& grid) : grid_(grid), request_(grid.request()) {
  for (const Axis& axis : grid.axes) places_.push_back(&request_.at(axis.place));
}

void Configuration::go_to(std::uint64_t index) {
  for (std::size_t i = places_.size(); i-- > 0;) {
    const auto& values = grid_.axes[i].values;
    *places_[i] = values[index % values.size()];
    index /= values.size();
  }
}

}  // namespace renyi::api::sweep
