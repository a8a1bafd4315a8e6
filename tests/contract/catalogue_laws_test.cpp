// Properties of every catalogue entry, and of what a mechanism offers besides its curve.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::catalogue_laws_test {
namespace {

using test::both_directions;
using test::expect_not_above;
using test::expect_overlap;
using test::infinity;

bool is_made_of(std::string_view name, char joint) {
  return !name.empty() && std::islower(static_cast<unsigned char>(name.front())) != 0 &&
         std::all_of(name.begin(), name.end(), [&](unsigned char c) {
           return std::islower(c) != 0 || std::isdigit(c) != 0 || c == static_cast<unsigned char>(joint);
         });
}

TEST(CatalogueLaws, RowsAreNamedAsTheirKinds) {
  std::vector<std::string> rows;
#define RENYI_MECHANISM(name, proof) rows.emplace_back(#name);
#include "catalogue/mechanisms.def"
#undef RENYI_MECHANISM
  ASSERT_EQ(rows.size(), all_mechanisms().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::replace(rows[i].begin(), rows[i].end(), '_', '-');
    EXPECT_EQ(all_mechanisms()[i].kind(), rows[i]);
  }
}

// Plans give numbers by plain JSON: a range has finite ends.
TEST(CatalogueLaws, NamesAndRangesFitPlans) {
  for (const Mechanism& m : all_mechanisms()) {
    SCOPED_TRACE(std::string(m.kind()));
    EXPECT_TRUE(is_made_of(m.kind(), '-'));
    std::map<std::string_view, int> times{{"mechanism", 1}, {"sampling", 1}, {"count", 1}};
    for (const Parameter& p : m.parameters()) {
      EXPECT_TRUE(is_made_of(p.name, '_')) << p.name;
      EXPECT_TRUE(std::isfinite(p.lowest) && std::isfinite(p.highest) && p.lowest < p.highest) << p.name;
      EXPECT_TRUE(!p.fallback || p.allows(*p.fallback)) << p.name;
      ++times[p.name];
    }
    for (const Alias& alias : m.aliases()) ++times[alias.name];
    for (const TableParameter& table : m.tables()) {
      EXPECT_TRUE(is_made_of(table.name, '_') && !table.meaning.empty() && !table.columns.empty()) << table.name;
      ++times[table.name];
    }
    for (const auto& [name, n] : times) EXPECT_EQ(n, 1) << name;
  }
}

// Both cost what they cost by definition: there is nothing to cite.
bool needs_no_source(const Mechanism& m) { return m.kind() == "no-op" || m.kind() == "non-private"; }

TEST(CatalogueLaws, EveryMechanismSaysWhatItsFiguresAre) {
  for (const Mechanism& m : all_mechanisms()) {
    SCOPED_TRACE(std::string(m.kind()));
    const Notes notes = m.notes();
    EXPECT_FALSE(notes.relation.empty());
    EXPECT_FALSE(notes.exact.empty() && notes.bound.empty());
    EXPECT_TRUE(!notes.references.empty() || needs_no_source(m));
    for (const Reference& reference : notes.references) EXPECT_FALSE(reference.text.empty()) << reference.key;
  }
}

std::ptrdiff_t open_braces(std::string_view text) {
  return std::count(text.begin(), text.end(), '{') - std::count(text.begin(), text.end(), '}');
}

TEST(CatalogueLaws, SourcesAreBibtexEntriesWithOneKeyEach) {
  std::map<std::string, std::string> entries;
  for (const Mechanism& m : all_mechanisms()) {
    for (const auto& [key, text, bibtex] : m.notes().references) {
      SCOPED_TRACE(std::string(m.kind()) + " " + std::string(key));
      const std::string entry(bibtex);
      EXPECT_EQ(entry.find('@'), 0U);
      EXPECT_EQ(entry.find("{" + std::string(key) + ",\n"), entry.find('{'));
      EXPECT_TRUE(entry.ends_with('}'));
      EXPECT_EQ(open_braces(entry), 0);
      for (const char* field : {"author = {", "title = {", "year = {"}) {
        EXPECT_NE(entry.find(field), std::string::npos) << field;
      }
      EXPECT_TRUE(std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::isalnum(c) != 0; }));
      const auto known = entries.emplace(key, entry).first;
      EXPECT_EQ(known->second, entry) << "the same key for two entries";
    }
  }
  EXPECT_GE(entries.size(), 4U);
}

TEST(CatalogueLaws, NothingCostsNothing) {
  const Mechanism* nothing = find_mechanism("no-op");
  ASSERT_NE(nothing, nullptr);
  const Plan plan = Plan().add(*nothing, 1000);
  for (const double order : {1.0, 2.0, 1e5, infinity}) EXPECT_EQ(rdp(*compose(plan), order).upper(), 0);
  EXPECT_EQ(renyi_epsilon(plan, 0).upper, 0);
  EXPECT_EQ(PrivacyProfile(plan).epsilon(0).worst.upper, 0);
  // Nor does it change what others cost.
  const Plan gaussian = Plan().add(Gaussian{2}, 3), beside = Plan(gaussian).add(*nothing, 5);
  const double epsilon = renyi_epsilon(gaussian, 1e-5).upper;
  EXPECT_NEAR(renyi_epsilon(beside, 1e-5).upper, epsilon, 1e-12 * epsilon);
  const auto alone = PrivacyProfile(gaussian).epsilon(1e-5).worst, both = PrivacyProfile(beside).epsilon(1e-5).worst;
  EXPECT_LE(alone.lower, both.upper);
  EXPECT_LE(both.lower, alone.upper);
  EXPECT_LE(both.upper - both.lower, 1e-6);
}

TEST(CatalogueLaws, NoPrivacyCostsEverything) {
  const Mechanism* open = find_mechanism("non-private");
  ASSERT_NE(open, nullptr);
  for (const Plan& plan :
       {Plan().add(*open), Plan().add(*open, 7).add(Gaussian{100}), Plan().add(PureDp{0}).add(*open)}) {
    for (const double order : {1.0, 1.5, 64.0, infinity}) EXPECT_EQ(rdp(*compose(plan), order).lower(), infinity);
    for (const double delta : {0.0, 1e-5, 0.5, 0.999}) EXPECT_EQ(renyi_epsilon(plan, delta).upper, infinity) << delta;
    EXPECT_EQ(renyi_delta(plan, 100).upper, 1);
    EXPECT_EQ(PrivacyProfile(plan).epsilon(1e-5).worst.lower, infinity);
    EXPECT_EQ(PrivacyProfile(plan).delta(100).worst.upper, 1);
  }
}

TEST(CatalogueLaws, PlansKeepTheirMeaningInFiles) {
  for (const Mechanism& m : test::all_corners()) {
    SCOPED_TRACE(test::describe(m));
    test::expect_no_throw([&] {
      const Plan plan = Plan(test::relation_of(m)).add(m, 7);
      const std::string text = write_plan(plan);
      const Plan back = read_plan(text);
      ASSERT_EQ(back.merged().size(), 1U);
      EXPECT_EQ(back.merged()[0].mechanism, m);
      EXPECT_EQ(back.merged()[0].mechanism.key(), m.key());
      EXPECT_EQ(write_plan(back), text);
    });
  }
}

TEST(CatalogueLaws, ByItsNumbersAndTablesItIsMadeAgain) {
  for (const Mechanism& m : all_mechanisms()) {
    SCOPED_TRACE(std::string(m.kind()));
    std::vector<NamedNumber> numbers;
    for (std::size_t i = 0; i < m.values().size(); ++i) numbers.emplace_back(m.parameters()[i].name, m.values()[i]);
    std::vector<NamedRows> tables;
    for (std::size_t i = 0; i < m.rows().size(); ++i) tables.emplace_back(m.tables()[i].name, m.rows()[i]);
    EXPECT_EQ(make_mechanism(m.kind(), numbers, tables), m);
  }
}

// A table that is none is refused by its name.
TEST(CatalogueLaws, BadTablesAreRefusedByName) {
  for (const Mechanism& m : all_mechanisms()) {
    for (const TableParameter& table : m.tables()) {
      SCOPED_TRACE(std::string(m.kind()) + "." + std::string(table.name));
      const double nan = std::numeric_limits<double>::quiet_NaN();
      std::vector<Rows> bad{{std::vector<double>(table.columns.size(), nan)}, {{}}};
      if (!table.may_be_empty) bad.push_back({});
      if (!table.any_width) bad.push_back({std::vector<double>(table.columns.size() + 1, table.columns[0].lowest)});
      for (const Rows& rows : bad) {
        try {
          const Mechanism accepted = m.with(table.name, rows);
          ADD_FAILURE() << "accepted " << rows.size() << " rows";
        } catch (const InvalidArgument& error) {
          EXPECT_TRUE(error.path().starts_with(table.name)) << error.what();
        }
      }
    }
  }
}

// Persons with several records pay at least what those with one pay, by a rule of the mechanism's own too.
TEST(CatalogueLaws, GroupsNeverCostLess) {
  int grown = 0;
  for (const Mechanism& m : test::all_corners()) {
    SCOPED_TRACE(test::describe(m));
    test::expect_no_throw([&] {
      std::vector<Mechanism> sizes{m};
      for (const double size : {2.0, 3.0, 50.0}) {
        if (const auto group = m.for_group(size)) sizes.push_back(*group);
      }
      grown += sizes.size() > 1 ? 1 : 0;
      for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        EXPECT_TRUE(sizes[i].is_same_type(sizes[i + 1]));
        const auto fewer = sizes[i].curve(), more = sizes[i + 1].curve();
        for (const double order : {1.0, 1.5, 4.0, 100.0, infinity}) {
          expect_not_above(rdp(*fewer, order), rdp(*more, order));
        }
      }
    });
  }
  EXPECT_GT(grown, 20);
}

// A unit of several records is analysed by that rule where there is one, and never below one record.
TEST(CatalogueLaws, UnitsNeverCostLess) {
  for (const Mechanism& m : test::everyday_settings()) {
    SCOPED_TRACE(test::describe(m));
    test::expect_no_throw([&] {
      const auto one = compose(Plan(Neighbors::zero_out, 1).add(m)),
                 several = compose(Plan(Neighbors::zero_out, 3).add(m));
      for (const double order : {1.0, 1.5, 2.0, 6.0}) expect_not_above(rdp(*one, order), rdp(*several, order));
    });
  }
}

TEST(CatalogueLaws, WhatItIsEquivalentToHasTheSameCurve) {
  for (const Mechanism& m : test::all_corners()) {
    const auto other = m.equivalent();
    if (!other) continue;
    SCOPED_TRACE(test::describe(m) + " as " + test::describe(*other));
    test::expect_no_throw([&] {
      EXPECT_FALSE(other->equivalent()) << "a chain of equivalents";
      const auto a = m.curve(), b = other->curve();
      EXPECT_EQ(a->knowledge(), b->knowledge());
      EXPECT_EQ(a->last_order(), b->last_order());
      for (const Direction direction : both_directions) {
        for (const double order : test::some_orders()) {
          expect_overlap(divergence(*a, order, direction), divergence(*b, order, direction));
        }
        expect_overlap(a->max_loss(direction), b->max_loss(direction));
      }
    });
  }
}

TEST(CatalogueLaws, WhatIsNeverSampledSaysWhy) {
  int never = 0;
  for (const Mechanism& m : all_mechanisms()) {
    if (m.sampling_obstacle().empty()) continue;
    ++never;
    try {
      const Mechanism sampled = m.sampled_by(Sampling::poisson(0.5));
      ADD_FAILURE() << m.kind() << " accepted";
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(m.sampling_obstacle()), std::string::npos) << error.what();
    }
  }
  EXPECT_GE(never, 1);
}

// (epsilon, delta) of every mechanism: the exact interval is one, and not above the Renyi bound where it is of the same
// pair.
TEST(CatalogueLaws, ExactFiguresAreThereOrRefused) {
  for (const Mechanism& m : test::everyday_settings()) {
    SCOPED_TRACE(test::describe(m));
    test::expect_no_throw([&] {
      const auto curve = m.curve();
      const Plan plan = Plan().add(m, 2);
      if (curve->knowledge() == Knowledge::orders && curve->dominating_curve() == nullptr) {
        EXPECT_THROW(PrivacyProfile{plan}, Unsupported);
        return;
      }
      for (const double delta : {1e-6, 0.01, 0.5}) {
        const ExactInterval exact = PrivacyProfile(plan).epsilon(delta).worst;
        EXPECT_LE(0, exact.lower) << delta;
        EXPECT_LE(exact.lower, exact.upper) << delta;
        EXPECT_EQ(exact.contradiction, "") << delta;
        EXPECT_LE(exact.lower, renyi_epsilon(plan, delta).upper) << delta;
      }
    });
  }
}

}  // namespace
}  // namespace renyi::catalogue_laws_test
