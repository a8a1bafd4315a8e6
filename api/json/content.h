// The content of a Document, for the readers and the writer.
#pragma once

#include <nlohmann/json.hpp>
#include <utility>

#include "api/document.h"
#include "json/json.h"

namespace renyi::api {

struct Document::Content {
  json::Json value;
};

inline const json::Json& opened(const Document& document) { return document.content().value; }
inline json::Json& opened(Document& document) { return document.content().value; }

inline Document document_of(json::Json value) {
  Document document;
  document.content().value = std::move(value);
  return document;
}

}  // namespace renyi::api
