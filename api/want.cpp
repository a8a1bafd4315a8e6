#include "api/want.h"

namespace renyi::api {
namespace {

using json::Field;

constexpr std::int64_t most_memory = 1 << 20;  // MiB

void note(Wanted& wanted, const Field& part) {
  if (part.value() == "renyi") {
    wanted.renyi = true;
  } else if (part.value() == "exact") {
    wanted.exact = true;
  } else {
    part.refuse("one of renyi, exact");
  }
}

Wanted read_parts(const Field& request) {
  const auto field = request.find("want");
  if (!field) return {};
  if (!field->value().is_array() || field->value().empty()) {
    field->refuse("an array of at least one of renyi, exact");
  }
  Wanted wanted{.renyi = false, .exact = false};
  for (const Field& part : field->items()) note(wanted, part);
  return wanted;
}

// A Renyi bound has neither width nor grid.
void refuse_without_exact(const Wanted& wanted, const Field& field) {
  if (!wanted.exact) field.refuse("nothing, or \"want\" with exact in it");
}

}  // namespace

Wanted read_want(const Field& request) {
  Wanted wanted = read_parts(request);
  if (const auto field = request.find("tolerance")) {
    refuse_without_exact(wanted, *field);
    if (!field->value().is_number() || !(field->number() > 0)) field->refuse("a number above 0");
    wanted.options.tolerance = field->number();
    wanted.tolerance_given = true;
  }
  if (const auto field = request.find("memory")) {
    refuse_without_exact(wanted, *field);
    wanted.options.memory = static_cast<std::size_t>(field->integer(1, most_memory)) << 20U;
  }
  return wanted;
}

}  // namespace renyi::api
