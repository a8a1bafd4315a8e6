#include "json/field.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "json/parse.h"

namespace renyi::json::field_test {
namespace {

constexpr auto largest = std::numeric_limits<std::int64_t>::max();

template <class Read>
std::string path_of_refusal(Read read) {
  try {
    read();
  } catch (const InvalidArgument& error) {
    return error.path();
  }
  return "not refused";
}

TEST(Field, ReadsWhatIsThere) {
  const Json document = parse(R"({"n":2.5,"i":3,"far":"inf","s":"text","list":[1,2]})");
  const Field field(document);
  EXPECT_EQ(field.find("n")->number(), 2.5);
  EXPECT_EQ(field.find("i")->number(), 3);
  EXPECT_EQ(field.find("i")->integer(1, 5), 3);
  EXPECT_EQ(field.find("far")->number_or_infinity(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(field.find("s")->text(), "text");
  EXPECT_EQ(field.find("list")->items().at(1).path(), "list[1]");
  EXPECT_FALSE(field.find("none").has_value());
}

TEST(Field, InfinityIsNoNumberWhereItIsNotLegal) {
  const Json document = parse(R"({"a":"inf"})");
  EXPECT_EQ(path_of_refusal([&] { Field(document).find("a")->number(); }), "a");
}

TEST(Field, IntegersAreLiterals) {
  const Json good = parse("[1, 9223372036854775807]");
  EXPECT_EQ(Field(good).items()[1].integer(1, largest), largest);
  const Json bad = parse(R"([1e4, 10000.0, 9223372036854775808, 100000000000000000000, 0, -1, "1", null, true])");
  for (const Field& item : Field(bad).items()) {
    EXPECT_THROW(item.integer(1, largest), InvalidArgument) << item.path();
  }
}

TEST(Field, SaysThatAWholeFloatingLiteralIsNoIntegerLiteral) {
  const Json document = parse("1e4");
  try {
    Field(document, "count").integer(1, 20000);
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.value(), "the floating literal 10000");
  }
}

TEST(Field, WrongTypesAreRefusedWithTheirPath) {
  const Json document = parse(R"({"a":{"b":[{}]}})");
  const Field inner = Field(document).find("a")->find("b")->items()[0];
  EXPECT_EQ(path_of_refusal([&] { inner.number(); }), "a.b[0]");
  EXPECT_EQ(path_of_refusal([&] { inner.text(); }), "a.b[0]");
  EXPECT_EQ(path_of_refusal([&] { inner.items(); }), "a.b[0]");
  EXPECT_EQ(path_of_refusal([&] { inner.require("c", "a thing"); }), "a.b[0].c");
}

TEST(Field, UnknownKeysAreRefusedListingTheKnown) {
  const Json document = parse(R"({"a":1,"bad key":2})");
  constexpr std::array<std::string_view, 2> keys{"a", "b"};
  try {
    Field(document).allow_only(keys);
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), "[\"bad key\"]");
    EXPECT_EQ(error.allowed(), "one of a, b");
  }
}

}  // namespace
}  // namespace renyi::json::field_test
