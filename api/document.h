// A JSON document as the front ends hold it: built from flags, or read from a file. Only the readers in api/json
// inspect it, so that flags, files and programs are checked by the same code and refused with the same messages.
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
  // Single values, used as elements of lists and as members.
  Document(double number);           // NOLINT(google-explicit-constructor): finite; infinity is the text "inf"
  Document(std::int64_t number);     // NOLINT(google-explicit-constructor)
  Document(int number);              // NOLINT(google-explicit-constructor)
  Document(bool value);              // NOLINT(google-explicit-constructor)
  Document(const char* text);        // NOLINT(google-explicit-constructor)
  Document(std::string text);        // NOLINT(google-explicit-constructor)
  Document(std::nullptr_t nothing);  // NOLINT(google-explicit-constructor): an unknown number
  static Document list(std::vector<Document> items = {});
  static Document numbers(const std::vector<double>& list);  // the numbers are finite

  Document(const Document& other);
  Document(Document&& other) noexcept;
  Document& operator=(const Document& other);
  Document& operator=(Document&& other) noexcept;
  ~Document();

  // Adds the member, or replaces its value in the same position.
  Document& set(const std::string& key, Document value);
  // Sets a member at a path such as "steps[0].count". Returns false, and changes nothing, if there is no object at that
  // path.
  bool set_at(const std::string& path, Document value);
  // Adds all members of another object.
  Document& take_over(const Document& members);
  bool has(std::string_view key) const;
  // Returns an object with those of the named members that exist.
  Document picked(const std::vector<std::string>& keys) const;
  void erase(std::string_view key);
  // Appends an element to a list.
  Document& add(Document item);

  // Returns the document on one line; numbers read back to the same double.
  std::string text() const;

  struct Content;  // api/json/content.h
  Content& content() { return *content_; }
  const Content& content() const { return *content_; }

 private:
  std::unique_ptr<Content> content_;
};

}  // namespace renyi::api
