#include "apps/server/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace renyi::test::page_test {
namespace {

using server::HttpRequest;
using server::HttpResponse;
using server::page_response;
using server::PageFile;

constexpr std::array<PageFile, 3> files{{{"/index.html", "<!doctype html>", "zipped html", "\"a1\""},
                                         {"/assets/main-1a2b.js", "let x", "", "\"b2\""},
                                         {"/assets/renyi-3c4d.wasm", "wasm", "zipped wasm", "\"c3\""}}};

HttpResponse get(std::string_view path, server::Headers headers = {}) {
  return page_response(files, path, HttpRequest{.method = "GET", .headers = std::move(headers)});
}

std::string header(const HttpResponse& response, std::string_view name) {
  const auto found = std::find_if(response.headers.begin(), response.headers.end(),
                                  [&](const auto& field) { return field.first == name; });
  return found == response.headers.end() ? "" : found->second;
}

TEST(Page, IsServedAsItIs) {
  for (const char* path : {"/", "/index.html"}) {
    EXPECT_EQ(get(path).status, 200);
    EXPECT_EQ(get(path).lasting, "<!doctype html>");
    EXPECT_EQ(header(get(path), "Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(header(get(path), "Cache-Control"), "no-cache");
    EXPECT_EQ(header(get(path), "ETag"), "\"a1\"");
  }
}

TEST(Page, IsCompressedForThoseWhoAcceptIt) {
  for (const char* accepted : {"gzip", "deflate, gzip;q=0.5, br", "gzip ; q=1", "br,gzip"}) {
    EXPECT_EQ(get("/", {{"accept-encoding", accepted}}).lasting, "zipped html") << accepted;
    EXPECT_EQ(header(get("/", {{"Accept-Encoding", accepted}}), "Content-Encoding"), "gzip");
  }
  for (const char* accepted : {"identity", "", "gzip;q=0", "br, gzip; q=0.0"}) {
    EXPECT_EQ(get("/", {{"Accept-Encoding", accepted}}).lasting, "<!doctype html>") << accepted;
    EXPECT_EQ(header(get("/", {{"Accept-Encoding", accepted}}), "Content-Encoding"), "");
  }
  EXPECT_EQ(get("/assets/main-1a2b.js", {{"Accept-Encoding", "gzip"}}).lasting, "let x");
}

TEST(Page, NamesOfAssetsNeverChange) {
  EXPECT_EQ(header(get("/assets/renyi-3c4d.wasm"), "Cache-Control"), "public, max-age=31536000, immutable");
  EXPECT_EQ(header(get("/assets/renyi-3c4d.wasm"), "Content-Type"), "application/wasm");
  EXPECT_EQ(header(get("/assets/main-1a2b.js"), "Content-Type"), "text/javascript; charset=utf-8");
}

TEST(Page, IsNotSentTwice) {
  const HttpResponse again = get("/", {{"If-None-Match", "W/\"x\", \"a1\""}});
  EXPECT_EQ(again.status, 304);
  EXPECT_TRUE(again.lasting.empty());
  EXPECT_EQ(get("/", {{"If-None-Match", "\"old\""}}).status, 200);
}

TEST(Page, HasNothingElse) {
  for (const char* path : {"/assets/", "/assets/main-1a2b.js/", "/Index.html", "/../index.html", "/index.htm"}) {
    EXPECT_EQ(get(path).status, 404) << path;
  }
}

TEST(Page, SaysHowToGetItWhereThereIsNone) {
  const HttpResponse response = page_response({}, "/", HttpRequest{});
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body, testing::HasSubstr("make web"));
  EXPECT_EQ(page_response({}, "/index.html", HttpRequest{}).status, 404);
}

}  // namespace
}  // namespace renyi::test::page_test
