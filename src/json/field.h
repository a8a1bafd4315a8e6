// Typed reading of a document: a value that knows its path, so that every error message names the path and what is
// allowed there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"
#include "renyi/error.h"

namespace renyi::json {

// What an error may say of a document: what it has there, or no more than what kind of value that is.
enum class Content { shown, hidden };

// Refers to a value of a document that must outlive it.
class Field {
 public:
  explicit Field(const Json& value, std::string path = {}, Content content = Content::shown)
      : value_(&value), path_(std::move(path)), content_(content) {}
  explicit Field(Json&& value, std::string path = {}, Content content = Content::shown) = delete;

  const Json& value() const noexcept { return *value_; }
  const std::string& path() const noexcept { return path_; }
  bool is_null() const noexcept;

  double number() const;
  // A number, or the string "inf".
  double number_or_infinity() const;
  // An integer literal: 10000, but neither 1e4 nor 10000.0.
  std::int64_t integer(std::int64_t lowest, std::int64_t highest) const;
  const std::string& text() const;
  std::vector<Field> items() const;

  // Access to the members of an object; a Field that is not an object is an error.
  std::optional<Field> find(std::string_view key) const;
  Field require(std::string_view key, std::string_view allowed) const;
  void allow_only(std::span<const std::string_view> keys) const;

  // Returns the one of `options` whose to_string is this text.
  template <class Option>
  Option choose(std::span<const Option> options) const {
    for (const Option option : options) {
      if (*value_ == to_string(option)) return option;
    }
    std::vector<std::string_view> names;
    for (const Option option : options) names.push_back(to_string(option));
    refuse_name(names);
  }

  [[noreturn]] void refuse(std::string_view allowed) const;
  // Refuses a text that is none of `names`, and suggests the one that may have been meant, unless the content is
  // hidden: the suggestion would say what the text resembles. The remark stands behind the list of names.
  [[noreturn]] void refuse_name(std::span<const std::string_view> names, std::string_view remark = {}) const;

  // Returns "one of a, b, c", or "only a".
  static std::string one_of(std::span<const std::string_view> names);

 private:
  void require_object() const;
  std::string shown() const;

  const Json* value_;
  std::string path_;
  Content content_;
};

}  // namespace renyi::json
