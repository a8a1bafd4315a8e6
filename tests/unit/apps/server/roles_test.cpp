#include "apps/server/roles.h"

#include <gtest/gtest.h>

#include <set>

namespace renyi::test::roles_test {
namespace {

using api::LedgerVerb;
using api::Role;
using server::covers;
using server::may;
using server::rule_of;

TEST(Roles, HaveARowForEveryVerbButThoseThatMakeALedger) {
  EXPECT_EQ(rule_of(LedgerVerb::init), nullptr);
  EXPECT_EQ(rule_of(LedgerVerb::import_log), nullptr);
  std::set<LedgerVerb> verbs;
  for (const server::VerbRule& rule : server::verb_rules) {
    verbs.insert(rule.verb);
    EXPECT_EQ(rule_of(rule.verb), &rule);
  }
  EXPECT_EQ(verbs.size(), server::verb_rules.size());
}

TEST(Roles, OnlyAdminsChangeBudgetsAndAuditorsChangeNothing) {
  for (const server::VerbRule& rule : server::verb_rules) {
    EXPECT_TRUE(may(Role::admin, rule));
    EXPECT_FALSE(api::is_writing(rule.verb) && may(Role::auditor, rule)) << to_string(rule.verb);
  }
  for (const LedgerVerb verb : {LedgerVerb::scope, LedgerVerb::blocks, LedgerVerb::lower, LedgerVerb::raise}) {
    EXPECT_FALSE(may(Role::analyst, *rule_of(verb)));
  }
  for (const LedgerVerb verb : {LedgerVerb::verify, LedgerVerb::head, LedgerVerb::export_log}) {
    EXPECT_FALSE(may(Role::analyst, *rule_of(verb)));
    EXPECT_TRUE(may(Role::auditor, *rule_of(verb)));
  }
}

TEST(Roles, AnAnalystHasItsScopesAndThoseWithin) {
  const api::Token ana{.name = "ana", .role = Role::analyst, .scopes = {"clinic/a", "census"}};
  for (const char* scope : {"clinic/a", "clinic/a/b", "census", "census/x"}) EXPECT_TRUE(covers(ana, scope)) << scope;
  for (const char* scope : {"clinic", "clinic/ab", "censu", "census2", "", "/", "a/census"}) {
    EXPECT_FALSE(covers(ana, scope)) << scope;
  }
  EXPECT_TRUE(covers({.role = Role::auditor}, "clinic"));
}

}  // namespace
}  // namespace renyi::test::roles_test
