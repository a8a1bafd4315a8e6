// Reads grids, and puts their values into requests.
#include "api/sweep/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "api/json/content.h"
#include "api/number_text.h"
#include "json/field.h"
#include "json/parse.h"
#include "json/show.h"
#include "renyi/error.h"
#include "renyi/extras/select.h"
#include "renyi/mechanism.h"
#include "renyi/sampling.h"

namespace renyi::api::sweep {

using json::Field;
using json::Json;

namespace grid_file {
namespace {

constexpr std::string_view version_key = "renyi-sweep";
constexpr std::string_view request_key = "request";
constexpr std::size_t most_axes = 32;
constexpr std::size_t most_values = 1'000'000;  // the sum over all axes, which are held in memory

constexpr std::string_view values_key = "values";
constexpr std::string_view from_key = "from";

struct Range {
  double from = 0;
  double to = 0;
  std::int64_t points = 0;
  bool log = false;
};

// The largest double that is an integer of 64 bits.
constexpr double largest_integer = 0x1.fffffffffffffp62;

bool fits_integer(double value) { return value == std::floor(value) && std::fabs(value) <= largest_integer; }

Json as_whole(double value) { return static_cast<std::int64_t>(value); }

Json read_whole(const Field& number) {
  if (number.value().is_number_integer()) return number.value();
  if (!number.value().is_number() || !fits_integer(number.number())) number.refuse("a whole number");
  return as_whole(number.number());
}

Json read_end(const Field& axis, std::string_view key, bool whole) {
  const Field end = axis.require(key, whole ? "a whole number" : "a number");
  if (whole) return read_whole(end);
  end.number();  // throws for anything but a number
  return end.value();
}

// Texts become cells of tables with one line per row.
bool is_one_line(const std::string& text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20; });
}

Json read_value(const Field& value, bool whole) {
  if (value.value().is_string() && is_one_line(value.text())) return value.value();
  if (!value.value().is_number()) value.refuse("a number, or a word such as \"inf\"");
  return whole ? read_whole(value) : value.value();
}

void refuse_repeated(const Field& list, std::vector<Json> values) {
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end()) {
    throw InvalidArgument(list.path(), json::show(*twice) + " more than once", "each value once");
  }
}

std::vector<Json> read_list(const Field& axis, bool whole, std::size_t most) {
  axis.allow_only(std::array{values_key});
  const Field list = axis.require(values_key, "an array");
  if (!list.value().is_array() || list.value().empty() || list.value().size() > most) {
    list.refuse(fmt::format("an array of 1 to {} values", most));
  }
  std::vector<Json> values;
  for (const Field& value : list.items()) values.push_back(read_value(value, whole));
  refuse_repeated(list, values);
  return values;
}

bool read_scale(const Field& axis) {
  const auto scale = axis.find("scale");
  if (!scale || scale->value() == "linear") return false;
  if (scale->value() != "log") scale->refuse("one of linear, log");
  return true;
}

Range checked(const Field& axis, const Json& from, const Json& to, std::size_t most) {
  Range range{.from = from.get<double>(), .to = to.get<double>(), .log = read_scale(axis)};
  range.points = axis.require("points", "how many").integer(2, static_cast<std::int64_t>(most));
  if (range.log && !(range.from > 0)) axis.find(from_key)->refuse("a number above 0, where the scale is log");
  if (!(range.to > range.from)) axis.find("to")->refuse(fmt::format("a number above from, {}", json::show(from)));
  return range;
}

// Rounds to twelve digits, which are short to read and do not depend on how the machine rounds exp.
double rounded(double value) { return number_of(fmt::format("{:.11e}", value)); }

double point(const Range& range, std::int64_t i) {
  const double right = static_cast<double>(i) / static_cast<double>(range.points - 1), left = 1 - right;
  const double value = range.log ? std::exp(left * std::log(range.from) + right * std::log(range.to))
                                 : left * range.from + right * range.to;
  return std::clamp(rounded(value), range.from, range.to);
}

std::vector<Json> read_range(const Field& axis, bool whole, std::size_t most) {
  axis.allow_only(std::array<std::string_view, 4>{from_key, "to", "points", "scale"});
  const Json from = read_end(axis, from_key, whole), to = read_end(axis, "to", whole);
  const Range range = checked(axis, from, to, most);
  std::vector<Json> values{from};
  for (std::int64_t i = 1; i + 1 < range.points; ++i) {
    const double value = point(range, i);
    values.push_back(whole ? as_whole(std::min(std::round(value), largest_integer)) : Json(value));
  }
  values.push_back(to);
  // The values are in ascending order, so equal ones are neighbours.
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// An axis is an object with "values" or with "from". No object of a request has such a key, so this is unambiguous.
bool is_axis(const Json& value) {
  return value.is_object() && (value.contains(values_key) || value.contains(from_key));
}

// Returns the values of {"values":[...]} or {"from","to","points","scale"?}, each once, at most `most` (2 or more). If
// only whole numbers are allowed, points are rounded to them, and values may be written 1e4. Throws InvalidArgument.
std::vector<Json> read_axis(const Field& axis, bool whole, std::size_t most) {
  return axis.find(values_key) ? read_list(axis, whole, most) : read_range(axis, whole, most);
}

// Integer members that belong to no mechanism: members of steps, of the plan, of the question, and of a run.
constexpr std::array<std::string_view, 8> always_whole{"count",      "unit",         "memory",      "dataset_size",
                                                       "batch_size", "accumulation", "batch_limit", "steps"};

bool whole_in(std::span<const Parameter> parameters, std::string_view key) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == key && parameter.whole; });
}

std::string text_in(const Json& parent, const char* key) {
  const auto found = parent.find(key);
  return found != parent.end() && found->is_string() ? found->get<std::string>() : "";
}

// Returns true if the member `key` of `parent` (a request, a step, a sampling, the runs of a selection) accepts
// integers only.
bool takes_whole_numbers(const Json& parent, std::string_view key) {
  if (!parent.is_object()) return false;
  if (std::find(always_whole.begin(), always_whole.end(), key) != always_whole.end()) return true;
  if (const Mechanism* mechanism = find_mechanism(text_in(parent, "mechanism"))) {
    return whole_in(mechanism->parameters(), key);
  }
  const std::string scheme = text_in(parent, "scheme"), law = text_in(parent, "law");
  const auto scheme_says = [&](Scheme known) { return to_string(known) == scheme && whole_in(parameters(known), key); };
  const auto law_says = [&](RunsLaw known) { return to_string(known) == law && whole_in(parameters(known), key); };
  return std::any_of(all_schemes.begin(), all_schemes.end(), scheme_says) ||
         std::any_of(all_runs_laws.begin(), all_runs_laws.end(), law_says);
}

std::vector<Document> documents_of(std::vector<Json> values) {
  std::vector<Document> documents;
  documents.reserve(values.size());
  for (Json& value : values) documents.push_back(document_of(std::move(value)));
  return documents;
}

// Finds the axes of a request, in the order of the document, and counts their combinations.
class Collector {
 public:
  explicit Collector(const Field& request) { enter(request); }
  std::vector<Axis> axes() && { return std::move(axes_); }
  std::uint64_t size() const noexcept { return size_; }

 private:
  void enter(const Field& parent) {
    if (parent.value().is_object()) {
      for (const auto& member : parent.value().items()) {
        visit(parent, member.key(), Field(member.value(), json::member_path(parent.path(), member.key())));
      }
    } else if (parent.value().is_array()) {
      for (const Field& item : parent.items()) visit(parent, "", item);
    }
  }

  void visit(const Field& parent, std::string_view key, const Field& value) {
    if (!is_axis(value.value())) return enter(value);
    if (axes_.size() == most_axes) value.refuse(fmt::format("a number: there are {} axes already", most_axes));
    const std::size_t most = std::max<std::size_t>(most_values - values_, 2);
    axes_.push_back({value.path(), documents_of(read_axis(value, takes_whole_numbers(parent.value(), key), most))});
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
  std::size_t values_ = 0;  // the total over all axes
  std::uint64_t size_ = 1;
};

// Finds the axes of a request, in the same order.
void find_places(Json& parent, std::vector<Json*>& places) {
  if (!parent.is_structured()) return;
  for (Json& value : parent) {
    if (is_axis(value)) {
      places.push_back(&value);
    } else {
      find_places(value, places);
    }
  }
}

// Checks that the answer of the operation is a single row of values.
void check_op(const Field& request) {
  static constexpr std::array<std::string_view, 3> known{"epsilon", "delta", "calibrate"};
  const std::string allowed = Field::one_of(known);
  const Field op = request.require("op", allowed);
  for (const std::string_view name : known) {
    if (op.value() == name) return;
  }
  op.refuse_name(known, ": other answers are no row of figures");
}

Field request_of(const Field& document) {
  document.allow_only(std::array{version_key, request_key});
  document.require(version_key, "1, the version of the format").integer(1, 1);
  Field request = document.require(request_key, "a request");
  if (!request.value().is_object()) request.refuse("a request, an object");
  return request;
}

}  // namespace
}  // namespace grid_file

Grid read_grid(std::string_view text) {
  Grid grid{.document = document_of(json::parse(text)), .axes = {}};
  // Paths are relative to the request, as in the errors of its evaluation.
  const Field request(grid_file::request_of(Field(opened(grid.document))).value());
  grid_file::check_op(request);
  if (const auto id = request.find("id")) id->refuse("no id: rows have their index");
  if (const auto split = request.find("split")) split->refuse("no split: several values are no row of figures");
  grid_file::Collector found(request);
  grid.size = found.size();
  grid.axes = std::move(found).axes();
  if (grid.axes.empty()) {
    throw InvalidArgument(std::string(grid_file::request_key), "no axis",
                          R"({"values":[...]} or {"from":...,"to":...,"points":...} in the place of some number)");
  }
  return grid;
}

namespace grid_file {
namespace {

// Returns the largest number at a place of the request, over all configurations; std::nullopt if there is none.
std::optional<double> largest_at(const Grid& grid, const std::string& path, const Json::json_pointer& place) {
  std::optional<double> largest;
  const auto note = [&](const Json& value) {
    if (value.is_number()) largest = std::max(largest.value_or(0), value.get<double>());
  };
  const Json& request = opened(grid.document).at(request_key);
  if (request.contains(place)) note(request.at(place));
  for (const Axis& axis : grid.axes) {
    if (axis.path != path) continue;
    for (const Document& value : axis.values) note(opened(value));
  }
  return largest;
}

}  // namespace
}  // namespace grid_file

std::vector<RunWarning> warnings_of(const Grid& grid) {
  constexpr double most = 0x1p62;
  const auto records = grid_file::largest_at(grid, "run.dataset_size", Json::json_pointer("/run/dataset_size"));
  const auto delta = grid_file::largest_at(grid, "delta", Json::json_pointer("/delta"));
  ResolvedRun run;
  if (records && *records >= 1 && *records < most) run.dataset_size = static_cast<std::int64_t>(*records);
  return renyi::warnings_of(run, delta);
}

// The sentence is the same for all sizes.
std::string size_rule_of(const Grid& grid) {
  const auto is_given = [&](const std::string& name) {
    return grid_file::largest_at(grid, "run." + name, Json::json_pointer("/run/" + name)).has_value();
  };
  if (!is_given("dataset_size") || !is_given("batch_size")) return "";
  return resolved_run({.dataset_size = 1, .batch_size = 1}).size_rule;
}

struct Configuration::Places {
  std::vector<Json*> axes{};
};

Configuration::Configuration(const Grid& grid)
    : grid_(grid),
      request_(document_of(opened(grid.document).at(grid_file::request_key))),
      places_(std::make_unique<Places>()),
      values_(grid.axes.size()) {
  grid_file::find_places(opened(request_), places_->axes);
  go_to(0);
}

Configuration::~Configuration() = default;

void Configuration::go_to(std::uint64_t index) {
  for (std::size_t i = values_.size(); i-- > 0;) {
    const auto& values = grid_.axes[i].values;
    values_[i] = &values[index % values.size()];
    *places_->axes[i] = opened(*values_[i]);
    index /= values.size();
  }
}

}  // namespace renyi::api::sweep
