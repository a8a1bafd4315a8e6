#include "api/want.h"

#include <string>

namespace renyi::api {
namespace {

using json::Field;
using json::Json;

struct Wanted {
  bool renyi = true;
  bool exact = false;
};

void note(Wanted& wanted, const Field& part) {
  if (part.value() == "renyi") {
    wanted.renyi = true;
  } else if (part.value() == "exact") {
    wanted.exact = true;
  } else {
    part.refuse("one of renyi, exact");
  }
}

Wanted read_want(const Field& request) {
  const auto field = request.find("want");
  if (!field) return {};
  if (!field->value().is_array() || field->value().empty()) {
    field->refuse("an array of at least one of renyi, exact");
  }
  Wanted wanted{.renyi = false};
  for (const Field& part : field->items()) note(wanted, part);
  return wanted;
}

// A tolerance is the width of an exact interval; a Renyi bound has none.
void check_tolerance(const Field& request, const Wanted& wanted) {
  const auto field = request.find("tolerance");
  if (!field) return;
  if (!wanted.exact) field->refuse("a tolerance only where \"want\" names exact");
  if (!field->value().is_number() || !(field->number() > 0)) field->refuse("a number above 0");
}

}  // namespace

Json answer_parts(const Field& request, const std::function<Json()>& renyi_part) {
  const Wanted wanted = read_want(request);
  check_tolerance(request, wanted);
  Json answer = Json::object();
  if (wanted.renyi) answer["renyi"] = renyi_part();
  if (wanted.exact) {
    answer["exact"]["unavailable"] = "this version accounts by the Renyi bound only; ask for \"renyi\"";
  }
  return answer;
}

}  // namespace renyi::api
