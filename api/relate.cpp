#include "api/relate.h"

#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::api {

namespace relate_file {
namespace {

NamedParameter named(std::string_view name, const Interval& value) { return {name, value.upper, value.lower}; }

std::vector<NamedParameter> named(const PureParameters& found) { return {named("epsilon", found.epsilon)}; }
std::vector<NamedParameter> named(const ZcdpParameters& found) {
  return {named("rho", found.rho), named("xi", found.xi)};
}
std::vector<NamedParameter> named(const TcdpParameters& found) { return {named("rho", found.rho)}; }
std::vector<NamedParameter> named(const CdpParameters& found) {
  return {named("mu", found.mu), named("tau", found.tau)};
}
std::vector<NamedParameter> named(const GdpParameters& found) { return {named("mu", found.mu)}; }
std::vector<NamedParameter> named(const MomentsParameters& found) {
  return {{"alpha", found.alpha}, {"rdp", found.epsilon}};
}

template <class Parameters>
NamedRelation named(const NotionAnswer<Parameters>& relation) {
  NamedRelation result{.none = relation.none, .note = relation.note, .source = relation.source};
  if (relation.found) result.parameters = named(*relation.found);
  return result;
}

NamedRelation named(const NotionAnswer<GdpParameters>& relation) {
  NamedRelation result = named<GdpParameters>(relation);
  if (relation.found) result.mu_estimate = relation.found->mu_estimate;
  return result;
}

template <class Parameters>
void add(std::vector<NamedNotion>& all, Notion notion, const std::optional<NotionAnswer<Parameters>>& relation) {
  if (relation) all.push_back({.notion = notion, .relations = {named(*relation)}});
}

template <class Parameters>
void add(std::vector<NamedNotion>& all, Notion notion, std::string_view given,
         const std::vector<RelationAt<Parameters>>& relations) {
  if (relations.empty()) return;
  NamedNotion result{.notion = notion, .several = true};
  for (const RelationAt<Parameters>& at : relations) {
    NamedRelation& one = result.relations.emplace_back(named(at.relation));
    one.given_name = given;
    one.given = at.given;
  }
  all.push_back(std::move(result));
}

}  // namespace
}  // namespace relate_file

namespace relate_file {
namespace {

// Returns what `find` finds. Where several notions are asked for, one that a limit leaves open does not keep the others
// from their answers.
template <class Find>
auto unless_stopped(const RelateRequest& asked, const Find& find) {
  try {
    stop_if_overdue();
    return find();
  } catch (const LimitReached& error) {
    if (asked.notions.size() == 1) throw;
    decltype(find()) open;
    open.none = "none is known, because " + error.why();
    return open;
  }
}

}  // namespace
}  // namespace relate_file

RelateAnswer answer(const RelateRequest& asked) {
  const Analysis analysis(asked.plan);
  const auto found = [&](const auto& find) { return relate_file::unless_stopped(asked, find); };
  RelateAnswer answer;
  for (const Notion notion : asked.notions) {
    switch (notion) {
      case Notion::pure: answer.pure = found([&] { return to_pure(analysis); }); break;
      case Notion::zcdp: answer.zcdp = found([&] { return to_zcdp(analysis, asked.rho); }); break;
      case Notion::tcdp:
        for (const double omega : asked.omegas) {
          answer.tcdp.push_back({omega, found([&] { return to_tcdp(analysis, omega); })});
        }
        break;
      case Notion::cdp: answer.cdp = found([&] { return to_cdp(analysis); }); break;
      case Notion::gdp: answer.gdp = found([&] { return to_gdp(analysis); }); break;
      case Notion::moments:
        for (const double lambda : asked.lambdas) {
          answer.moments.push_back({lambda, found([&] { return to_moments(analysis, lambda); })});
        }
        break;
    }
  }
  return answer;
}

std::vector<NamedNotion> by_name(const RelateAnswer& answer) {
  std::vector<NamedNotion> all;
  relate_file::add(all, Notion::pure, answer.pure);
  relate_file::add(all, Notion::zcdp, answer.zcdp);
  relate_file::add(all, Notion::tcdp, "omega", answer.tcdp);
  relate_file::add(all, Notion::cdp, answer.cdp);
  relate_file::add(all, Notion::gdp, answer.gdp);
  relate_file::add(all, Notion::moments, "lambda", answer.moments);
  return all;
}

}  // namespace renyi::api
