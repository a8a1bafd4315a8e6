#include "convert/event.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "convert/record.h"

namespace renyi::convert {
namespace {

using json::Field;

constexpr std::string_view module_key = "module_name";
constexpr std::string_view class_key = "class_name";
constexpr std::array<std::string_view, 1> modules{"dp_accounting.dp_event"};

void check_module(const Field& module) {
  if (std::find(modules.begin(), modules.end(), module.text()) == modules.end()) module.refuse(Field::one_of(modules));
}

std::string tuple_of(const EventClass& known) {
  const std::string fields = fmt::format("{}", fmt::join(known.fields, ", "));
  return fmt::format("[\"{}\", \"{}\"{}{}]", modules[0], known.name, fields.empty() ? "" : ", ", fields);
}

}  // namespace

Event::Event(const Field& event) : path_(event.path()) {
  if (event.value().is_object()) {
    read_object(event);
  } else if (event.value().is_array() && event.value().size() >= 2) {
    read_array(event);
  } else {
    event.refuse("an event: {\"module_name\", \"class_name\", ...fields} or [module_name, class_name, ...fields]");
  }
}

void Event::read_object(const Field& event) {
  check_module(event.require(module_key, Field::one_of(modules)));
  class_ = &event_class(event.require(class_key, "the name of an event class"));
  std::vector<std::string_view> keys{module_key, class_key};
  keys.insert(keys.end(), class_->fields.begin(), class_->fields.end());
  event.allow_only(keys);
  for (std::size_t i = 0; i < class_->fields.size(); ++i) {
    if (i < class_->required) event.require(class_->fields[i], fmt::format("a value: {} needs it", class_->name));
    values_.push_back(event.find(class_->fields[i]));
  }
}

void Event::read_array(const Field& event) {
  const auto items = event.items();
  check_module(items[0]);
  class_ = &event_class(items[1]);
  const std::size_t given = items.size() - 2;
  if (given < class_->required || given > class_->fields.size()) event.refuse(tuple_of(*class_));
  values_.assign(items.begin() + 2, items.end());
  values_.resize(class_->fields.size());
}

std::optional<Field> Event::find(std::string_view name) const {
  const auto field = std::find(class_->fields.begin(), class_->fields.end(), name);
  return values_.at(static_cast<std::size_t>(field - class_->fields.begin()));
}

Field Event::at(std::string_view name) const { return find(name).value(); }

Converted from_dp_events(const Field& record, Neighbors neighbors) {
  return assemble(read_event(record, neighbors), neighbors, record.path());
}

}  // namespace renyi::convert
