// Expresses a plan in other privacy notions (zCDP, tCDP, CDP, GDP, ...).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/document.h"
#include "renyi/extras/relate.h"
#include "renyi/plan.h"

namespace renyi::api {

struct RelateRequest {
  Plan plan;
  std::vector<Notion> notions{};
  std::optional<double> rho{};    // for zCDP: the smallest xi for this rho is computed
  std::vector<double> omegas{};   // for tCDP
  std::vector<double> lambdas{};  // for moments
};

// The relation at one given number, an omega or a lambda.
template <class Parameters>
struct RelationAt {
  double given = 0;
  NotionAnswer<Parameters> relation{};
};

// The relations of the requested notions, in the order of all_notions.
struct RelateAnswer {
  std::optional<NotionAnswer<PureParameters>> pure{};
  std::optional<NotionAnswer<ZcdpParameters>> zcdp{};
  std::vector<RelationAt<TcdpParameters>> tcdp{};  // one for each omega
  std::optional<NotionAnswer<CdpParameters>> cdp{};
  std::optional<NotionAnswer<GdpParameters>> gdp{};
  std::vector<RelationAt<MomentsParameters>> moments{};  // one for each lambda
};

RelateRequest read_relate(const Document& request);
RelateAnswer answer(const RelateRequest& asked);
std::string write(const Document& request, const RelateAnswer& answer);

// A parameter under the name that answers use. Some have a lower bound too.
struct NamedParameter {
  std::string_view name;
  double upper = 0;
  std::optional<double> lower{};
};

// A relation of any notion, with the names of its parameters.
struct NamedRelation {
  std::string_view given_name{};  // "omega" or "lambda"; empty if no number is given
  double given = 0;
  std::vector<NamedParameter> parameters{};  // if empty, `none` gives the reason
  std::optional<double> mu_estimate{};
  std::string none{};
  std::string note{};
  std::string_view source{};
};

struct NamedNotion {
  Notion notion{};
  bool several = false;  // there is one relation for each given number
  std::vector<NamedRelation> relations{};
};

std::vector<NamedNotion> by_name(const RelateAnswer& answer);

}  // namespace renyi::api
