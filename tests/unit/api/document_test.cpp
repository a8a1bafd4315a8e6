// Documents as the front ends use them: assembled, changed at paths, and written.
#include "api/document.h"

#include <gtest/gtest.h>

#include "api/api.h"

namespace renyi::api::document_test {
namespace {

TEST(Document, ListsOfNumbersAreWrittenWithEveryDigit) {
  EXPECT_EQ(Document::numbers({0.1, -2, 1e-300}).text(), "[0.1,-2,1e-300]");
  EXPECT_EQ(Document::numbers({}).text(), "[]");
}

TEST(Document, IsChangedWhereAPathLeadsToAnObject) {
  Document plan = read(R"({"steps":[{"plan":[{"mechanism":"laplace","scale":2}],"count":3}]})");
  EXPECT_TRUE(plan.set_at("steps[0].plan[0].scale", nullptr));
  EXPECT_TRUE(plan.set_at("steps[0].count", 7));
  EXPECT_TRUE(plan.set_at("unit", 2));
  const std::string changed = R"({"steps":[{"plan":[{"mechanism":"laplace","scale":null}],"count":7}],"unit":2})";
  EXPECT_EQ(plan.text(), changed);
  for (const char* path : {"steps[1].count", "steps[0].count.more", "steps[0]", "steps[99999999999999999999].count",
                           "steps[x].count", "nothing.there", "steps[0].a~"}) {
    EXPECT_FALSE(plan.set_at(path, 1)) << path;
  }
  EXPECT_EQ(plan.text(), changed);
}

}  // namespace
}  // namespace renyi::api::document_test
