#include "api/secrets.h"

#include <gtest/gtest.h>

namespace renyi::api::secrets_test {

TEST(Secrets, ConnectionStringsAreHidden) {
  EXPECT_EQ(without_passwords(R"(scope: got "postgresql://ada:s3cret@db/x", allowed: a name)"),
            R"(scope: got "postgresql://...", allowed: a name)");
  EXPECT_EQ(without_passwords("got POSTGRES://ada:s3cr"), "got POSTGRES://...");
  EXPECT_EQ(without_passwords("no file https://ada:s3@cret@host/a"), "no file https://...@host/a");
  EXPECT_EQ(without_passwords(R"(witness "host=h PassWord=s3cret dbname=x")"),
            R"(witness "host=h PassWord=... dbname=x")");
}

TEST(Secrets, OtherMessagesStay) {
  for (const char* text : {"", "delta: got 2, allowed: (0, 1)", "see https://example.org/a@b", "a password file"}) {
    EXPECT_EQ(without_passwords(text), text);
  }
}

}  // namespace renyi::api::secrets_test
