#include "apps/server/quotas.h"

#include <gtest/gtest.h>

namespace renyi::test::quotas_test {
namespace {

using server::Quotas;
using namespace std::chrono_literals;

const Quotas::Time start{1h};

api::Token token(const std::string& id, const api::TokenQuota& quota = {}) { return {.id = id, .quota = quota}; }

TEST(Quotas, CallsAreGrantedEvenly) {
  Quotas quotas({});
  const api::Token ana = token("ana", {.calls = 6});
  for (int i = 0; i < 6; ++i) EXPECT_EQ(quotas.admit(ana, start), 0s);
  EXPECT_EQ(quotas.admit(ana, start), 10s);
  EXPECT_EQ(quotas.admit(ana, start + 4s), 6s);
  EXPECT_EQ(quotas.admit(ana, start + 10s), 0s);
  EXPECT_EQ(quotas.admit(ana, start + 10s), 10s);
  // No more than those of a minute are kept.
  for (int i = 0; i < 6; ++i) EXPECT_EQ(quotas.admit(ana, start + 1h), 0s);
  EXPECT_EQ(quotas.admit(ana, start + 1h), 10s);
}

TEST(Quotas, ProcessorTimeIsOwedUntilItIsGranted) {
  Quotas quotas({});
  const api::Token ana = token("ana", {.cpu_seconds = 6});
  EXPECT_EQ(quotas.admit(ana, start), 0s);
  quotas.spend(ana, 9, start);
  EXPECT_EQ(quotas.admit(ana, start), 30s);
  EXPECT_EQ(quotas.admit(ana, start + 29s), 1s);
  EXPECT_EQ(quotas.admit(ana, start + 31s), 0s);
}

TEST(Quotas, AreThoseOfOneToken) {
  Quotas quotas({});
  const api::Token ana = token("ana", {.calls = 1}), bob = token("bob", {.calls = 1}), free = token("free");
  EXPECT_EQ(quotas.admit(ana, start), 0s);
  EXPECT_GT(quotas.admit(ana, start), 0s);
  EXPECT_EQ(quotas.admit(bob, start), 0s);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(quotas.admit(free, start), 0s);
  quotas.spend(free, 1e9, start);
  EXPECT_EQ(quotas.admit(free, start), 0s);
}

TEST(Quotas, TheUsualOneIsForTokensThatStateNone) {
  Quotas quotas({.calls = 2, .cpu_seconds = 1});
  const api::Token usual = token("usual"), own = token("own", {.calls = 100});
  for (int i = 0; i < 2; ++i) EXPECT_EQ(quotas.admit(usual, start), 0s);
  EXPECT_EQ(quotas.admit(usual, start), 30s);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(quotas.admit(own, start), 0s);
  quotas.spend(own, 2, start);  // it states no processor time
  EXPECT_EQ(quotas.admit(own, start + 30s), 30s);
}

}  // namespace
}  // namespace renyi::test::quotas_test
