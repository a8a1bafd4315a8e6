// A plan in the terms of the relatives of Renyi DP.
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
  std::optional<double> rho{};    // of zCDP: the smallest xi beside it
  std::vector<double> omegas{};   // of tCDP
  std::vector<double> lambdas{};  // of moments
};

// The relation at one given number: an omega, a lambda.
template <class Parameters>
struct RelationAt {
  double given = 0;
  Relation<Parameters> relation{};
};

// Of the notions asked for, in the order of all_notions.
struct RelateAnswer {
  std::optional<Relation<PureParameters>> pure{};
  std::optional<Relation<ZcdpParameters>> zcdp{};
  std::vector<RelationAt<TcdpParameters>> tcdp{};  // one for each omega
  std::optional<Relation<CdpParameters>> cdp{};
  std::optional<Relation<GdpParameters>> gdp{};
  std::vector<RelationAt<MomentsParameters>> moments{};  // one for each lambda
};

RelateRequest read_relate(const Document& request);
RelateAnswer answer(const RelateRequest& asked);
std::string write(const Document& request, const RelateAnswer& answer);

// A parameter under the name that answers give it; some are told with a lower end.
struct NamedParameter {
  std::string_view name;
  double upper = 0;
  std::optional<double> lower{};
};

// A relation by names, whatever its notion is.
struct NamedRelation {
  std::string_view given_name{};  // "omega", "lambda"; empty where nothing is given
  double given = 0;
  std::vector<NamedParameter> parameters{};  // none: see `none`
  std::optional<double> mu_estimate{};
  std::string none{};
  std::string note{};
  std::string_view source{};
};

struct NamedNotion {
  Notion notion{};
  bool several = false;  // it has one relation for each given number
  std::vector<NamedRelation> relations{};
};

std::vector<NamedNotion> by_name(const RelateAnswer& answer);

}  // namespace renyi::api
