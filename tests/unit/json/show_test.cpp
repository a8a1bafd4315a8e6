#include "json/show.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace renyi::json::show_test {
namespace {

TEST(Show, ShortensBetweenCharacters) {
  std::string umlauts;
  for (int i = 0; i < 100; ++i) umlauts += "\xC3\xA4";
  for (const std::string& text : {umlauts, "x" + umlauts}) {
    const std::string shown = show(std::string_view(text));
    EXPECT_LE(shown.size(), 43U);
    EXPECT_NO_THROW(Json(shown).dump());
    EXPECT_TRUE(shown.ends_with("..."));
  }
}

TEST(Show, EscapesControlCharactersAndKeepsQuotes) { EXPECT_EQ(show(std::string_view("a\n\"b\"")), "a\\n\"b\""); }

TEST(Show, ValuesLookLikeTheirJson) {
  EXPECT_EQ(show(Json("x")), "\"x\"");
  EXPECT_EQ(show(Json(2.0)), "2");
  EXPECT_EQ(show(Json(nullptr)), "null");
  EXPECT_EQ(show(Json::array({1, 2})), "an array of 2");
  EXPECT_EQ(show(Json::object()), "an object");
}

TEST(Show, PathsJoinMembersAndElements) {
  EXPECT_EQ(member_path("", "steps"), "steps");
  EXPECT_EQ(element_path("steps", 2), "steps[2]");
  EXPECT_EQ(member_path("steps[2]", "count"), "steps[2].count");
  EXPECT_EQ(member_path("a", "b.c"), "a[\"b.c\"]");
  EXPECT_EQ(member_path("a", ""), "a[\"\"]");
}

}  // namespace
}  // namespace renyi::json::show_test
