#include "apps/server/attempts.h"

#include <gtest/gtest.h>

namespace renyi::test::attempts_test {
namespace {

using server::Attempts;
using namespace std::chrono_literals;

const Attempts::Time start{1h};

void fail(Attempts& attempts, const std::string& peer, int times, Attempts::Time now = start) {
  for (int i = 0; i < times; ++i) attempts.failed(peer, now);
}

TEST(Attempts, AreLimitedForAnAddress) {
  Attempts attempts;
  fail(attempts, "a", 9);
  EXPECT_EQ(attempts.wait("a", "guess", start), 0s);
  fail(attempts, "a", 1);
  EXPECT_EQ(attempts.wait("a", "guess", start), 6s);
  EXPECT_EQ(attempts.wait("b", "guess", start), 0s);
}

TEST(Attempts, AreForgottenWithTime) {
  Attempts attempts;
  fail(attempts, "a", 12);
  EXPECT_EQ(attempts.wait("a", "guess", start), 18s);
  EXPECT_EQ(attempts.wait("a", "guess", start + 12s), 6s);
  EXPECT_EQ(attempts.wait("a", "guess", start + 19s), 0s);
}

TEST(Attempts, DoNotLockOutATokenThatIsKnownThere) {
  Attempts attempts;
  attempts.succeeded("a", "known", start);
  fail(attempts, "a", 100);
  EXPECT_EQ(attempts.wait("a", "known", start + 1s), 0s);
  EXPECT_GT(attempts.wait("a", "other", start + 1s), 0s);
  fail(attempts, "b", 100);
  EXPECT_GT(attempts.wait("b", "known", start + 1s), 0s);  // it was seen at another address
  fail(attempts, "a", 1000, start + 2h);
  EXPECT_GT(attempts.wait("a", "known", start + 2h), 0s);
}

TEST(Attempts, OfManyAddressesHoldUpNobodyElse) {
  Attempts attempts;
  for (int i = 0; i < 5000; ++i) fail(attempts, std::to_string(i), 20);
  EXPECT_EQ(attempts.wait("new", "guess", start), 0s);
}

TEST(Attempts, OfManyAddressesTakeBoundedMemory) {
  Attempts attempts;
  for (int i = 0; i < 20'000; ++i) attempts.failed(std::to_string(i), start + std::chrono::seconds(i));
  EXPECT_EQ(attempts.wait("0", "guess", start + 20'000s), 0s);
}

}  // namespace
}  // namespace renyi::test::attempts_test
