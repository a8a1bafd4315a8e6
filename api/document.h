// A JSON document as the shells hold it: put together from flags, or read from a file. Only the readers in api/json
// look into it, so that flags, files and programs are checked by the same code and refused in the same words.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace renyi::api {

class Document {
 public:
  Document();  // an object without members
  // Values, as they stand in lists and as members.
  Document(double number);           // NOLINT(google-explicit-constructor): finite; infinity is the text "inf"
  Document(std::int64_t number);     // NOLINT(google-explicit-constructor)
  Document(int number);              // NOLINT(google-explicit-constructor)
  Document(bool value);              // NOLINT(google-explicit-constructor)
  Document(const char* text);        // NOLINT(google-explicit-constructor)
  Document(std::string text);        // NOLINT(google-explicit-constructor)
  Document(std::nullptr_t nothing);  // NOLINT(google-explicit-constructor): a number that is left open
  static Document list(std::vector<Document> items = {});
  static Document numbers(const std::vector<double>& list);  // finite ones, however many

  Document(const Document& other);
  Document(Document&& other) noexcept;
  Document& operator=(const Document& other);
  Document& operator=(Document&& other) noexcept;
  ~Document();

  // Adds the member, or gives it another value where it stands.
  Document& set(const std::string& key, Document value);
  // The same at a place within, such as "steps[0].count". False, and nothing is changed, where no object is there.
  bool set_at(const std::string& path, Document value);
  // All members of another object.
  Document& take_over(const Document& members);
  bool has(std::string_view key) const;
  // An object of those of its members that are there and named.
  Document picked(const std::vector<std::string>& keys) const;
  void erase(std::string_view key);
  // Adds to a list.
  Document& add(Document item);

  // One line; numbers read back to the same double.
  std::string text() const;

  struct Content;  // api/json/content.h
  Content& content() { return *content_; }
  const Content& content() const { return *content_; }

 private:
  std::unique_ptr<Content> content_;
};

}  // namespace renyi::api
