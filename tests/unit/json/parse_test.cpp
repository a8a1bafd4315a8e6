#include "json/parse.h"

#include <gtest/gtest.h>

#include <string>

namespace renyi::json::parse_test {
namespace {

// The error the text gives, or a failed expectation.
InvalidArgument error_of(std::string_view text) {
  const Parsed parsed = try_parse(text);
  EXPECT_TRUE(parsed.error.has_value()) << text;
  return parsed.error.value_or(InvalidArgument("", "", ""));
}

TEST(Parse, KeepsOrderOfKeysAndKindsOfNumbers) {
  const Json document = parse(R"({"b":1,"a":1.0,"c":-2,"d":"x","e":[null,true]})");
  EXPECT_EQ(document.dump(), R"({"b":1,"a":1.0,"c":-2,"d":"x","e":[null,true]})");
  EXPECT_TRUE(document["b"].is_number_integer());
  EXPECT_TRUE(document["a"].is_number_float());
}

TEST(Parse, RefusesRepeatedKeysAtAnyDepthWithTheirPath) {
  EXPECT_EQ(error_of(R"({"a":1,"a":2})").path(), "a");
  EXPECT_EQ(error_of(R"({"steps":[{},{"count":1,"count":1}]})").path(), "steps[1].count");
}

TEST(Parse, TheSameKeyInTwoObjectsIsNoRepetition) { EXPECT_EQ(parse(R"([{"a":1},{"a":2}])").size(), 2U); }

TEST(Parse, RefusesNumbersADoubleCannotHold) {
  EXPECT_EQ(error_of(R"({"a":[1,1e400]})").path(), "a[1]");
  EXPECT_EQ(error_of(R"({"a":-1e400})").path(), "a");
  EXPECT_EQ(error_of(R"({"rate":1e-400})").path(), "rate");
}

TEST(Parse, ZeroAndTheSmallestNumbersAreFine) {
  EXPECT_EQ(parse("0.0e-999").get<double>(), 0);
  EXPECT_EQ(parse("5e-324").get<double>(), 5e-324);
  EXPECT_EQ(parse("1.7976931348623157e308").get<double>(), 1.7976931348623157e308);
}

TEST(Parse, RefusesWhatIsNotJsonNamingTheByte) {
  for (const std::string_view text : {"", " ", "{", "nul", "NaN", "Infinity", "{\"a\":NaN}", "1 2", "{} x", "01", "'a'",
                                      "[1,]", "{\"a\":1,}", "\"\x80\"", "\"\xC0\xAF\"", "// c\n1", "{a:1}"}) {
    EXPECT_TRUE(error_of(text).path().starts_with("byte ")) << text;
  }
  EXPECT_EQ(error_of("{\"a\":nope}").path(), "byte 7");
}

TEST(Parse, RefusesTextAfterAZeroByte) { EXPECT_TRUE(try_parse(std::string_view("1\0 2", 4)).error.has_value()); }

TEST(Parse, LimitsNesting) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_FALSE(try_parse(nested(max_depth)).error.has_value());
  EXPECT_EQ(error_of(nested(max_depth + 1)).allowed(), "nesting of at most 64 levels");
  EXPECT_TRUE(try_parse(std::string(1000000, '[')).error.has_value());
}

TEST(Parse, LimitsKeysOfAnObject) {
  const auto with_keys = [](std::size_t count) {
    Json object = Json::object();
    for (std::size_t i = 0; i < count; ++i) object["k" + std::to_string(i)] = 1;
    return object.dump();
  };
  EXPECT_FALSE(try_parse(with_keys(max_keys)).error.has_value());
  EXPECT_TRUE(try_parse(with_keys(max_keys + 1)).error.has_value());
}

TEST(Parse, HandsOverWhatStoodBeforeTheError) {
  const Parsed parsed = try_parse(R"({"id":7,"steps":[1,2,{"a":1,"a":2}]})");
  ASSERT_TRUE(parsed.error.has_value());
  EXPECT_EQ(parsed.value.dump(), R"({"id":7})");
}

TEST(Parse, MessagesAreShortValidUtf8OnOneLine) {
  const std::string hostile = "{\"" + std::string(100000, 'x') + "\n\xff";
  const std::string message = error_of(hostile).what();
  EXPECT_LT(message.size(), 300U);
  EXPECT_EQ(message.find('\n'), std::string::npos);
  EXPECT_NO_THROW(Json(message).dump());
}

}  // namespace
}  // namespace renyi::json::parse_test
