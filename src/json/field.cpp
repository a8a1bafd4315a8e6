#include "json/field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "json/show.h"
#include "names/suggestion.h"

namespace renyi::json {

bool Field::is_null() const noexcept { return value_->is_null(); }

std::string Field::shown() const { return content_ == Content::hidden ? std::string(kind_of(*value_)) : show(*value_); }

void Field::refuse(std::string_view allowed) const {
  throw InvalidArgument(path_.empty() ? "document" : path_, shown(), std::string(allowed));
}

void Field::refuse_name(std::span<const std::string_view> names, std::string_view remark) const {
  const bool suggests = value_->is_string() && content_ == Content::shown;
  const std::string hint = suggests ? names::did_you_mean(text(), names) : "";
  throw InvalidArgument(path_.empty() ? "document" : path_, shown() + hint, one_of(names) + std::string(remark));
}

double Field::number() const {
  if (!value_->is_number()) refuse("a number");
  return value_->get<double>();
}

double Field::number_or_infinity() const {
  if (*value_ == "inf") return std::numeric_limits<double>::infinity();
  if (!value_->is_number()) refuse("a number, or \"inf\"");
  return value_->get<double>();
}

std::int64_t Field::integer(std::int64_t lowest, std::int64_t highest) const {
  // Literals above 2^63-1 arrive as unsigned or floating numbers.
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  const bool fits = value_->is_number_unsigned() ? value_->get<std::uint64_t>() <= static_cast<std::uint64_t>(largest)
                                                 : value_->is_number_integer();
  if (fits) {
    const auto value = value_->get<std::int64_t>();
    if (value >= lowest && value <= highest) return value;
  }
  const std::string_view kind = value_->is_number_float() && content_ == Content::shown ? "the floating literal " : "";
  throw InvalidArgument(path_, fmt::format("{}{}", kind, shown()),
                        lowest == highest ? fmt::format("the integer literal {}", lowest)
                                          : fmt::format("an integer literal from {} to {}", lowest, highest));
}

const std::string& Field::text() const {
  if (!value_->is_string()) refuse("a string");
  return value_->get_ref<const std::string&>();
}

std::vector<Field> Field::items() const {
  if (!value_->is_array()) refuse("an array");
  std::vector<Field> items;
  items.reserve(value_->size());
  for (const Json& item : *value_) items.emplace_back(item, element_path(path_, items.size()), content_);
  return items;
}

void Field::require_object() const {
  if (!value_->is_object()) refuse("an object");
}

std::optional<Field> Field::find(std::string_view key) const {
  require_object();
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return Field(*found, member_path(path_, key), content_);
}

Field Field::require(std::string_view key, std::string_view allowed) const {
  if (auto found = find(key)) return *std::move(found);
  throw InvalidArgument(member_path(path_, key), "nothing", std::string(allowed));
}

void Field::allow_only(std::span<const std::string_view> keys) const {
  require_object();
  for (const auto& member : value_->items()) {
    if (std::find(keys.begin(), keys.end(), member.key()) != keys.end()) continue;
    if (content_ == Content::hidden) {
      throw InvalidArgument(path_.empty() ? "document" : path_, "an unknown key", one_of(keys));
    }
    throw InvalidArgument(member_path(path_, member.key()), "an unknown key" + names::did_you_mean(member.key(), keys),
                          one_of(keys));
  }
}

std::string Field::one_of(std::span<const std::string_view> names) {
  return fmt::format("{} {}", names.size() == 1 ? "only" : "one of", fmt::join(names, ", "));
}

}  // namespace renyi::json
