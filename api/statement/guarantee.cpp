#include "api/statement/guarantee.h"

#include <fmt/format.h>

#include <cstdlib>

#include "api/relation_in_words.h"
#include "api/rounded.h"
#include "api/shown.h"
#include "json/write.h"

namespace renyi::api {

bool is_given(const Json& part) { return !part.contains("unavailable"); }

const Json& best_epsilon(const Json& facts) {
  const Json& found = facts.at("epsilon");
  return is_given(found.at("exact")) ? found.at("exact").at("upper") : found.at("renyi").at("epsilon");
}

bool is_exact(const Json& facts) {
  const Json& exact = facts.at("epsilon").at("exact");
  return is_given(exact) && exact.at("engine") != "bounds";
}

bool is_guarantee(const Json& facts) {
  return most_likely(number_in(best_epsilon(facts)), number_in(facts.at("delta"))).has_value();
}

std::string guarantee_in_words(const Json& facts) {
  return fmt::format("({}, {})-differential privacy", up(best_epsilon(facts)), delta_in_full(facts));
}

std::string delta_in_full(const Json& facts) {
  const double delta = number_in(facts.at("delta"));
  const std::string short_form = rounded(delta);
  return std::strtod(short_form.c_str(), nullptr) == delta ? short_form : json::decimal(delta);
}

std::string_view engine_in_words(std::string_view engine) {
  if (engine == "closed-form") return "a closed form";
  if (engine == "contour") return "a contour integral";
  return engine == "lattice" ? "the law of the loss on a lattice" : "bounds";
}

std::string change_in_words(const Json& facts) {
  return change_in_words(facts.at("neighbors").get<std::string>(), facts.at("unit").get<std::int64_t>());
}

}  // namespace renyi::api
