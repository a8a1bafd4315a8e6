#include "certificate/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "renyi/version.h"
#include "support/forgery.h"

namespace renyi::library_test {
namespace {

using certificate::version_fault;
using json::Json;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> faults_with(const char* key, const Json& value) {
  static const std::string genuine = make_certificate(Plan().add(Gaussian{.stddev = 4}), {.delta = 1e-5});
  return verify_certificate(test::forged(genuine, [&](Json& d) { d["library"][key] = value; })).faults;
}

TEST(CertificateLibrary, LaterVersionsAreNotCheckedByEarlierOnes) {
  EXPECT_EQ(version_fault("0.8.1", "0.8.1"), std::nullopt);
  EXPECT_EQ(version_fault("0.8.1", "0.9.0"), std::nullopt);
  EXPECT_EQ(version_fault("0.9.7", "0.10.0"), std::nullopt);
  EXPECT_EQ(version_fault("0.10.0", "0.9.7"),
            "library.renyi: made by 0.10.0, this is 0.9.7: verify with that version or a later one");
}

TEST(CertificateLibrary, AnswersOfEarlyCertificatesAreNotProven) {
  EXPECT_EQ(version_fault("0.8.0", "0.8.1"),
            "library.renyi: made by 0.8.0; certificates before 0.8.1 state answers that nothing proves "
            "(docs/advisories/2026-01-underflow.md): certify the plan again");
  EXPECT_NE(version_fault("0.4.12", "1.0.0"), std::nullopt);
}

TEST(CertificateLibrary, FaultsOfVersionsComeAlone) {
  EXPECT_THAT(faults_with("renyi", "0.8.0"), ElementsAre(HasSubstr("made by 0.8.0; certificates before 0.8.1")));
  EXPECT_THAT(faults_with("renyi", "999.0.0"), ElementsAre(HasSubstr("made by 999.0.0, this is")));
}

TEST(CertificateLibrary, MembersAreVersions) {
  for (const char* text : {"", ".", "1", "1.2", "1.2.3.4", "0.8.1x", "v0.8.1", "0.8.01", "0.8.", "-0.8.1", "0.8.1 ",
                           "0.8.1234567", "+1.0.0"}) {
    EXPECT_THAT(faults_with("renyi", text), ElementsAre(HasSubstr("library.renyi: got"))) << text;
  }
  for (const char* text : {"", "2.23.0x", "2..23", "1.2.3.4.5", "2,23", "two"}) {
    EXPECT_THAT(faults_with("arb", text), ElementsAre(HasSubstr("library.arb: got"))) << text;
  }
  EXPECT_THAT(faults_with("renyi", 3), ElementsAre(HasSubstr("library.renyi: got")));
  // The version of Arb is for information only.
  for (const char* text : {"3", "3.1", "3.0.1", "2.23.0.1"}) EXPECT_THAT(faults_with("arb", text), testing::IsEmpty());
}

}  // namespace
}  // namespace renyi::library_test
