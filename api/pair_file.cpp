#include "api/pair_file.h"

#include <array>

#include "json/field.h"
#include "json/parse.h"

namespace renyi::api {

Json pair_from_file(std::string_view text) {
  constexpr std::array<std::string_view, 3> keys{"p", "q", "normalize"};
  Json pair = json::parse(text);
  const json::Field field(pair);
  field.allow_only(keys);
  field.require("p", "an array of probabilities");
  field.require("q", "an array of probabilities");
  pair["family"] = "discrete";
  return pair;
}

}  // namespace renyi::api
