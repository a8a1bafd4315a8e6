// Events one after the other.
#include <iterator>
#include <limits>

#include "convert/event.h"
#include "renyi/error.h"

namespace renyi::convert {

Parts read_composed(const Event& event, Neighbors neighbors) {
  Parts all;
  for (const json::Field& item : event.at("events").items()) {
    Parts parts = read_event(item, neighbors);
    std::move(parts.begin(), parts.end(), std::back_inserter(all));
  }
  return all;
}

// What runs no times costs nothing, but is read all the same: a record is good as a whole or not at all.
Parts read_self_composed(const Event& event, Neighbors neighbors) {
  const json::Field count = event.at("count");
  const std::int64_t times = count.integer(0, std::numeric_limits<std::int64_t>::max());
  Parts parts = read_event(event.at("event"), neighbors);
  if (times == 0) return {};
  for (Part& part : parts) {
    if (__builtin_mul_overflow(part.count, times, &part.count)) {
      throw InvalidArgument(count.path(), "a product of nested counts above 2^63-1", "totals from 0 to 2^63-1");
    }
  }
  return parts;
}

}  // namespace renyi::convert
