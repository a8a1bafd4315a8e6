// The page: files that are a part of the program, if it was built with them.
#pragma once

#include <span>
#include <string_view>

#include "apps/server/http.h"

namespace renyi::server {

struct PageFile {
  std::string_view path;  // "/index.html", "/assets/main-1a2b3c.js"
  std::string_view content;
  std::string_view compressed;  // by gzip; empty if that would not be smaller
  std::string_view tag;         // quoted, changes with the content
};

// Returns the files that this program was built with; none if there was no page then.
std::span<const PageFile> embedded_page() noexcept;

// Answers GET of a path: the file, 304, 404; or, at "/", how to get the page if there is none.
HttpResponse page_response(std::span<const PageFile> files, std::string_view path, const HttpRequest& request);

}  // namespace renyi::server
