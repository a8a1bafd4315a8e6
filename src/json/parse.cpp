#include "json/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "json/show.h"

namespace renyi::json {
namespace parse_file {
namespace {

// Builds the document from the parser's events, because a plain parse would
// already have dropped all but the last of repeated keys.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(const Confidential* about = nullptr) : about_(about) {}

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override {
    return is_exact() ? put_text(std::to_string(value)) : put(value);
  }
  bool number_unsigned(number_unsigned_t value) override {
    return is_exact() ? put_text(std::to_string(value)) : put(value);
  }
  bool number_float(number_float_t value, const string_t& literal) override;
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool key(string_t& name) override;
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& reason) override;

  Parsed result() &&;

 private:
  struct Open {
    Json container;
    std::string key;  // key of the member being read, in objects
  };

  bool put(Json value);
  bool put_text(std::string_view number) { return put(Json::binary({number.begin(), number.end()})); }
  bool is_exact() const;
  bool open(Json container);
  bool close();
  std::string path() const;
  bool fail(std::string where, std::string value, std::string allowed);

  const Confidential* about_;
  std::vector<Open> open_;
  Json root_;
  std::optional<InvalidArgument> error_;
};

// A literal with a digit other than 0 before its exponent is not zero.
bool written_as_nonzero(std::string_view literal) {
  return literal.substr(0, literal.find_first_of("eE")).find_first_of("123456789") != std::string_view::npos;
}

// Returns the number with a point again: the parser puts the decimal point of the locale there, which Python may
// change.
std::string with_point(std::string literal) {
  const auto is_point = [](char c) { return std::string_view("+-0123456789eE").find(c) == std::string_view::npos; };
  std::replace_if(literal.begin(), literal.end(), is_point, '.');
  return literal;
}

// A rate of 1e-400 read as 0 would yield perfect privacy, so it is an error.
bool Builder::number_float(number_float_t value, const string_t& literal) {
  if (is_exact()) return put_text(with_point(literal));
  if (value == 0 && written_as_nonzero(literal)) {
    return fail(path(), about_ != nullptr ? "a number" : show(std::string_view(literal)),
                "0, or a number of at least 5e-324 in size");
  }
  return put(value);
}

bool Builder::key(string_t& name) {
  Open& top = open_.back();
  if (top.container.size() >= max_keys) {
    return fail(path(), "an object of more keys", fmt::format("at most {} keys in an object", max_keys));
  }
  const bool repeated = top.container.contains(name);
  top.key = std::move(name);
  return !repeated || fail(path(), "a repeated key", "each key once");
}

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Whether the key of the innermost object is one of numbers that stay as they are.
bool Builder::is_exact() const {
  if (about_ == nullptr) return false;
  const auto object =
      std::find_if(open_.rbegin(), open_.rend(), [](const Open& open) { return open.container.is_object(); });
  return object != open_.rend() && contains(about_->exact_keys, object->key);
}

bool Builder::put(Json value) {
  if (open_.empty()) {
    root_ = std::move(value);
  } else if (Open& top = open_.back(); top.container.is_array()) {
    top.container.push_back(std::move(value));
  } else {
    top.container.emplace(top.key, std::move(value));
  }
  return true;
}

bool Builder::open(Json container) {
  if (open_.size() >= max_depth) {
    return fail(path(), "deeper nesting", fmt::format("nesting of at most {} levels", max_depth));
  }
  open_.push_back({std::move(container), {}});
  return true;
}

bool Builder::close() {
  Json done = std::move(open_.back().container);
  open_.pop_back();
  return put(std::move(done));
}

std::string Builder::path() const {
  std::string path;
  for (const Open& open : open_) {
    if (about_ != nullptr && open.container.is_object() && !contains(about_->keys, open.key)) break;
    path = open.container.is_array() ? element_path(path, open.container.size()) : member_path(path, open.key);
  }
  return path;
}

bool Builder::fail(std::string where, std::string value, std::string allowed) {
  if (about_ != nullptr && where.empty()) where = "document";
  error_.emplace(std::move(where), std::move(value), std::move(allowed));
  return false;
}

// Returns the parser's own message, without the parts that repeat position and text.
std::string reason_in(std::string_view what) {
  const auto start = what.find(" - ");
  if (start == std::string_view::npos) return "malformed";
  const auto end = what.find("; last read", start);
  std::string reason(what.substr(start + 3, end - start - 3));
  const auto expected = what.rfind("; expected ");
  if (expected != std::string_view::npos && expected > end) reason += ", " + std::string(what.substr(expected + 2));
  return reason;
}

bool Builder::parse_error(std::size_t position, const std::string& last_token,
                          const nlohmann::detail::exception& reason) {
  constexpr int number_overflow = 406;
  if (about_ != nullptr) {
    const bool ends = std::string_view(reason.what()).find("unexpected end of input") != std::string_view::npos;
    return fail(path(), ends ? "the end of the text" : "malformed text", "well-formed JSON");
  }
  const std::string token = show(std::string_view(last_token));
  if (reason.id == number_overflow) return fail(path(), token, "a number of at most 1.797e308 in size");
  return fail(fmt::format("byte {}", position), token.empty() ? "end of text" : token,
              fmt::format("well-formed JSON ({})", reason_in(reason.what())));
}

Parsed Builder::result() && {
  if (error_ && !open_.empty()) root_ = std::move(open_.front().container);
  return {std::move(root_), std::move(error_)};
}

// The parser takes a zero byte for the end of the text, so that what follows would be ignored.
std::optional<InvalidArgument> zero_byte_in(std::string_view text) {
  const auto at = text.find('\0');
  if (at == std::string_view::npos) return std::nullopt;
  return InvalidArgument(fmt::format("byte {}", at + 1), "a zero byte", "well-formed JSON");
}

}  // namespace
}  // namespace parse_file

Parsed try_parse(std::string_view text) {
  if (auto error = parse_file::zero_byte_in(text)) return {Json(), std::move(error)};
  parse_file::Builder builder;
  Json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder).result();
}

Json parse_confidential(std::string_view text, const Confidential& about) {
  if (parse_file::zero_byte_in(text)) throw InvalidArgument("document", "a zero byte", "well-formed JSON");
  parse_file::Builder builder(&about);
  Json::sax_parse(text.begin(), text.end(), &builder);
  Parsed parsed = std::move(builder).result();
  if (parsed.error) throw *parsed.error;
  return std::move(parsed.value);
}

Json parse(std::string_view text) {
  Parsed parsed = try_parse(text);
  if (parsed.error) throw *parsed.error;
  return std::move(parsed.value);
}

}  // namespace renyi::json
