#include "apps/server/page.h"

#include <algorithm>
#include <array>
#include <utility>

#include "apps/server/responses.h"

namespace renyi::server {

namespace page_file {
namespace {

constexpr std::array<std::pair<std::string_view, const char*>, 12> media_types{{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
}};

const char* media_type_of(std::string_view path) {
  for (const auto& [ending, type] : media_types) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

constexpr std::string_view without_page = R"(<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>renyi</title></head>
<body>
<h1>renyi serve</h1>
<p>This program was built without its page. <code>make web</code> builds the page, and <code>make build</code> then puts
it into the program; the packages contain it.</p>
<p>The interface for programs works all the same: <a href="/v1/openapi.json">/v1/openapi.json</a> describes it.</p>
</body>
</html>
)";

// "gzip" or "*" is among what the client accepts, and not with the weight 0.
bool accepts_gzip(const HttpRequest& request) {
  const std::string* accepted = request.header("Accept-Encoding");
  if (accepted == nullptr) return false;
  const std::size_t place = accepted->find("gzip");
  if (place == std::string::npos) return false;
  std::string weight = accepted->substr(place + 4, accepted->find(',', place) - place - 4);
  std::erase(weight, ' ');
  return !weight.starts_with(";q=0") || weight.find_first_of("123456789") != std::string::npos;
}

}  // namespace
}  // namespace page_file

HttpResponse page_response(std::span<const PageFile> files, std::string_view path, const HttpRequest& request) {
  const std::string_view wanted = path == "/" ? "/index.html" : path;
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const PageFile& file) { return file.path == wanted; });
  if (found == files.end()) {
    if (path != "/") return error_response("not_found", "there is nothing at this path");
    return {.headers = {{"Content-Type", "text/html; charset=utf-8"}}, .body = std::string(page_file::without_page)};
  }
  // Names of assets contain a hash of the content: they never change.
  const bool never_changes = wanted.starts_with("/assets/");
  HttpResponse response{
      .headers = {{"Content-Type", page_file::media_type_of(wanted)},
                  {"ETag", std::string(found->tag)},
                  {"Vary", "Accept-Encoding"},
                  {"Cache-Control", never_changes ? "public, max-age=31536000, immutable" : "no-cache"}}};
  const std::string* known = request.header("If-None-Match");
  if (known != nullptr && known->find(found->tag) != std::string::npos) {
    response.status = 304;
    return response;
  }
  const bool is_compressed = !found->compressed.empty() && page_file::accepts_gzip(request);
  if (is_compressed) response.headers.emplace_back("Content-Encoding", "gzip");
  response.lasting = is_compressed ? found->compressed : found->content;
  return response;
}

}  // namespace renyi::server
