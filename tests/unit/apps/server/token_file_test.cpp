#include "apps/server/token_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "apps/server/secret_text.h"
#include "apps/server/token_log.h"
#include "digest/sha256.h"
#include "renyi/error.h"

namespace renyi::test::token_file_test {
namespace {

using api::Role;
using server::TokenFile;

class TokenFileTest : public testing::Test {
 protected:
  TokenFileTest() {
    std::string name = (std::filesystem::temp_directory_path() / "renyi-tokens-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~TokenFileTest() override { std::filesystem::remove_all(directory_); }
  std::string path() const { return (directory_ / "tokens.json").string(); }
  std::string text() const {
    std::ifstream file(path());
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path directory_;
};

TEST_F(TokenFileTest, KeepsDigestsForTheOwnerOnly) {
  TokenFile file(path());
  EXPECT_TRUE(file.all().empty());
  const server::NewToken made = file.add({.name = "ana", .role = Role::analyst, .scopes = {"clinic"}});
  EXPECT_EQ(made.itself.size(), 49U);
  EXPECT_THAT(text(), testing::Not(testing::HasSubstr(made.itself)));
  EXPECT_THAT(text(), testing::HasSubstr(digest::sha256(made.itself)));
  struct ::stat status {};
  ASSERT_EQ(::stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(TokenFile(path()).find(made.itself), made.token);
}

TEST_F(TokenFileTest, FindsNothingElse) {
  TokenFile file(path());
  const std::string itself = file.add({.name = "a", .role = Role::admin}).itself;
  std::string other = itself;
  other.back() = other.back() == 'A' ? 'B' : 'A';
  for (const std::string& wrong :
       {other, itself + 'x', itself.substr(0, 48), std::string(), "Renyi" + itself.substr(5), digest::sha256(itself)}) {
    EXPECT_FALSE(file.find(wrong)) << wrong;
  }
}

TEST_F(TokenFileTest, NoticesChangesOfOthers) {
  TokenFile one(path()), other(path());
  const auto made = one.add({.name = "a", .role = Role::admin});
  EXPECT_TRUE(other.find(made.itself));
  EXPECT_TRUE(other.find_id(made.token.id));
  other.revoke("a");
  EXPECT_FALSE(one.find(made.itself));
  EXPECT_FALSE(one.find_id(made.token.id));
  EXPECT_THROW(one.revoke("a"), InvalidArgument);
  EXPECT_NE(one.add({.name = "a", .role = Role::admin}).itself, made.itself);  // the name is free again
}

TEST_F(TokenFileTest, RotatesWithinALineage) {
  TokenFile file(path());
  const auto first = file.add({.name = "a", .role = Role::analyst, .scopes = {"clinic"}});
  EXPECT_EQ(first.token.lineage, first.token.id);
  const auto second = server::rotate_token(file, nullptr, "a", {.keep_for = std::chrono::hours(1)}, "");
  EXPECT_TRUE(file.find(first.itself) && file.find(second.itself));
  const auto third =
      server::rotate_token(file, nullptr, "a", {.expires_in = std::chrono::hours(2)}, "");  // the newest of the name
  EXPECT_FALSE(file.find(second.itself));
  const auto found = file.find(third.itself);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->lineage, first.token.id);
  EXPECT_EQ(found->scopes, first.token.scopes);
  EXPECT_FALSE(found->expires.empty());
  EXPECT_THROW(server::rotate_token(file, nullptr, second.token.id, {}, ""), InvalidArgument);
  EXPECT_THROW(server::rotate_token(file, nullptr, "a", {.keep_for = std::chrono::seconds(-1)}, ""), InvalidArgument);
  file.revoke("a");
  EXPECT_FALSE(file.find(first.itself) || file.find(third.itself));
}

TEST_F(TokenFileTest, LosesNothingOfManyWriters) {
  constexpr int threads = 8, each = 5;
  {
    std::vector<std::jthread> writers;
    for (int i = 0; i < threads; ++i) {
      writers.emplace_back([&, i] {
        TokenFile file(path());
        for (int k = 0; k < each; ++k)
          file.add({.name = std::to_string(i) + "-" + std::to_string(k), .role = Role::auditor});
      });
    }
  }
  EXPECT_EQ(TokenFile(path()).all().size(), static_cast<std::size_t>(threads * each));
}

TEST_F(TokenFileTest, RefusesNamesThatAreTaken) {
  TokenFile file(path());
  file.add({.name = "a", .role = Role::admin});
  EXPECT_THROW(file.add({.name = "a", .role = Role::auditor}), InvalidArgument);
  EXPECT_THROW(file.add({.name = "a b", .role = Role::auditor}), InvalidArgument);
}

TEST_F(TokenFileTest, LetsNobodyInIfItIsDamaged) {
  TokenFile file(path());
  const auto made = file.add({.name = "a", .role = Role::admin});
  const std::string whole = text();
  for (const std::string& damaged : {std::string("{"), whole.substr(0, whole.size() / 2), std::string("{}"),
                                     std::string(R"({"renyi":{"format":2,"kind":"tokens"},"tokens":[]})")}) {
    std::ofstream(path(), std::ios::trunc) << damaged;
    EXPECT_THROW(file.find(made.itself), StoreFailure) << damaged;
    EXPECT_THROW(file.add({.name = "b", .role = Role::admin}), StoreFailure);
  }
}

TEST(SecretText, IsRandomAndLong) {
  std::set<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.insert(server::random_text());
  EXPECT_EQ(texts.size(), 100U);
  for (const std::string& text : texts) {
    EXPECT_EQ(text.size(), 43U);
    EXPECT_EQ(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace renyi::test::token_file_test
