#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"
#include "json/write.h"

namespace renyi::api::convert_test {
namespace {

using json::Json;

const std::string event = R"(["dp_accounting.dp_event","GaussianDpEvent",2])";

Json ask(const std::string& rest) { return Json::parse(answer(R"({"op":"convert",)" + rest + "}")); }
std::string error_path(const std::string& rest) { return ask(rest).at("error").at("path").get<std::string>(); }

TEST(ConvertRequest, AnswersWithAPlan) {
  EXPECT_EQ(json::write(ask(R"("from":"opacus","record":[[1.5,0.01,10]])")),
            R"({"plan":{"renyi":1,"neighbors":"add-or-remove-one","steps":[)"
            R"({"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.5,"count":10}]}})");
  EXPECT_EQ(json::write(ask(R"("id":3,"from":"dp_accounting","neighbors":"replace-one","record":)" + event)),
            R"({"plan":{"renyi":1,"neighbors":"replace-one","steps":[)"
            R"({"mechanism":"gaussian","stddev":2,"l2_sensitivity":2}]},"id":3})");
}

TEST(ConvertRequest, TheToolIsToldByTheShape) {
  for (const std::string record : {R"([[1.5,0.01,10]])", R"([])", R"({"history":[],"mechanism":"rdp"})"}) {
    EXPECT_EQ(ask("\"record\":" + record), ask(R"("from":"opacus","record":)" + record));
  }
  EXPECT_TRUE(ask("\"record\":" + event).contains("plan"));
  EXPECT_TRUE(ask(R"("record":{"module_name":"dp_accounting.dp_event","class_name":"NoOpDpEvent"})").contains("plan"));
  for (const std::string record :
       {"3", "[3]", "{}", R"({"steps":[]})", R"({"history":[],"class_name":"NoOpDpEvent"})"}) {
    EXPECT_EQ(error_path("\"record\":" + record), "record") << record;
  }
}

TEST(ConvertRequest, NoPrivacyIsAStepOfThePlan) {
  EXPECT_EQ(
      json::write(ask(R"("record":[[1,0.5,1],[0,1,1]])")),
      R"({"plan":{"renyi":1,"neighbors":"add-or-remove-one","steps":[)"
      R"({"mechanism":"sampled-gaussian","sampling_rate":0.5,"noise_multiplier":1},{"mechanism":"non-private"}]}})");
}

TEST(ConvertRequest, RefusalsNameTheirPath) {
  EXPECT_EQ(error_path(R"("from":"opacus")"), "record");
  EXPECT_EQ(error_path(R"("from":"tensorflow","record":[])"), "from");
  EXPECT_EQ(error_path(R"("from":"dp_accounting","record":[])"), "record");
  EXPECT_EQ(error_path(R"("from":"opacus","record":)" + event), "record[0]");
  EXPECT_EQ(error_path(R"("record":[],"neighbors":"next-door")"), "neighbors");
  EXPECT_EQ(error_path(R"("record":[],"steps":[])"), "steps");
  EXPECT_EQ(error_path(R"("record":[[1,2,3]])"), "record[0][1]");
  EXPECT_EQ(error_path(R"("record":["dp_accounting.dp_event","NovelDpEvent"])"), "record[1]");
  EXPECT_EQ(ask(R"("record":["dp_accounting.dp_event","NovelDpEvent"])").at("error").at("kind"), "unsupported");
}

}  // namespace
}  // namespace renyi::api::convert_test
