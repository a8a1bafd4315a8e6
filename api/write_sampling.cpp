#include "api/write_sampling.h"

#include "json/show.h"
#include "json/write.h"
#include "renyi/error.h"
#include "renyi/select.h"

namespace renyi::api {
namespace {

using json::Json;

void list_overflows(Json& rows, const Steps& steps, const std::string& path, Neighbors neighbors);

void list_overflow(Json& rows, const Mechanism& mechanism, const std::string& path, Neighbors neighbors) {
  if (const auto* parallel = mechanism.get_if<Parallel>()) {
    for (std::size_t i = 0; i < parallel->parts().size(); ++i) {
      list_overflows(rows, parallel->parts()[i], json::element_path(path + ".parallel", i), neighbors);
    }
    return;
  }
  if (const auto* select = mechanism.get_if<Select>()) {
    return list_overflows(rows, select->steps(), path + ".select", neighbors);
  }
  const Sampling* sampling = mechanism.sampling();
  if (sampling == nullptr || sampling->scheme != Scheme::truncated_poisson) return;
  Json row = Json::object();
  row["path"] = path;
  row["overflow_probability"] = json::number(overflow_probability(*sampling, neighbors));
  rows.push_back(std::move(row));
}

void list_overflows(Json& rows, const Steps& steps, const std::string& path, Neighbors neighbors) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string here = json::element_path(path, i);
    if (const auto* mechanism = std::get_if<Mechanism>(&steps[i].what)) {
      list_overflow(rows, *mechanism, here, neighbors);
    } else {
      list_overflows(rows, std::get<Steps>(steps[i].what), here + ".plan", neighbors);
    }
  }
}

double best_of(const Accounts& accounts, const Plan& plan) {
  if (accounts.exact) {
    try {
      return accounts.exact(plan);
    } catch (const Unsupported&) {  // then by the other
    } catch (const NotConverged&) {
    }
  }
  return accounts.renyi(plan);
}

}  // namespace

void note_overflow(Json& answer, const Plan& plan) {
  Json rows = Json::array();
  list_overflows(rows, plan.steps(), "steps", plan.neighbors());
  if (!rows.empty()) answer["sampling"] = std::move(rows);
}

void note_under_poisson(Json& answer, const Plan& plan, const std::string& figure, const Accounts& accounts) {
  Json part = Json::object();
  try {
    const auto redrawn = under_poisson(plan);
    if (!redrawn) return;
    part[figure + "_estimate"] = json::number(best_of(accounts, *redrawn));
  } catch (const Error& error) {
    part["unavailable"] = error.what();
  }
  answer["under_poisson"] = std::move(part);
}

}  // namespace renyi::api
