#include "api/document.h"

#include <algorithm>

#include "api/json/content.h"
#include "json/write.h"

namespace renyi::api {

using json::Json;

Document::Document() : content_(std::make_unique<Content>(Content{Json::object()})) {}
Document::Document(double number) : content_(std::make_unique<Content>(Content{number})) {}
Document::Document(std::int64_t number) : content_(std::make_unique<Content>(Content{number})) {}
Document::Document(int number) : content_(std::make_unique<Content>(Content{number})) {}
Document::Document(bool value) : content_(std::make_unique<Content>(Content{value})) {}
Document::Document(const char* text) : content_(std::make_unique<Content>(Content{text})) {}
Document::Document(std::string text) : content_(std::make_unique<Content>(Content{std::move(text)})) {}
Document::Document(std::nullptr_t) : content_(std::make_unique<Content>(Content{nullptr})) {}

Document::Document(const Document& other) : content_(std::make_unique<Content>(*other.content_)) {}
Document::Document(Document&& other) noexcept = default;
Document& Document::operator=(const Document& other) {
  if (this != &other) content_ = std::make_unique<Content>(*other.content_);
  return *this;
}
Document& Document::operator=(Document&& other) noexcept = default;
Document::~Document() = default;

Document Document::list(std::vector<Document> items) {
  Document result = document_of(Json::array());
  for (Document& item : items) result.add(std::move(item));
  return result;
}

Document Document::numbers(const std::vector<double>& list) { return document_of(Json(list)); }

Document& Document::set(const std::string& key, Document value) {
  content_->value[key] = std::move(value.content_->value);
  return *this;
}

bool Document::set_at(const std::string& path, Document value) {
  std::string text = "/" + path;
  std::erase(text, ']');
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '[' || c == '.'; }, '/');
  try {
    const Json::json_pointer place(text);
    const Json::json_pointer parent = place.parent_pointer();
    if (!content_->value.contains(parent) || !content_->value.at(parent).is_object()) return false;
    content_->value[place] = std::move(value.content_->value);
    return true;
  } catch (const Json::exception&) {  // not a pointer, or an index that no array can have
    return false;
  }
}

Document& Document::take_over(const Document& members) {
  content_->value.update(members.content_->value);
  return *this;
}

bool Document::has(std::string_view key) const { return content_->value.contains(key); }

Document Document::picked(const std::vector<std::string>& keys) const {
  Document result;
  for (const std::string& key : keys) {
    if (has(key)) result.content_->value[key] = content_->value.at(key);
  }
  return result;
}

void Document::erase(std::string_view key) {
  if (const auto found = content_->value.find(key); found != content_->value.end()) content_->value.erase(found);
}

Document& Document::add(Document item) {
  content_->value.push_back(std::move(item.content_->value));
  return *this;
}

std::string Document::text() const { return json::write(content_->value); }

}  // namespace renyi::api
