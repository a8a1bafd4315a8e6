#include "api/server_config.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "json/field.h"
#include "json/parse.h"

namespace renyi::api {

namespace server_config_file {
namespace {

using json::Field;

std::string list_in(const Field& field) {
  std::string joined;
  for (const Field& item : field.items()) {
    if (item.text().empty() || item.text().find(',') != std::string::npos) item.refuse("a text without commas");
    joined += (joined.empty() ? "" : ",") + item.text();
  }
  return joined;
}

std::string text_in(const Field& field, SettingKind kind) {
  switch (kind) {
    case SettingKind::count: return std::to_string(field.integer(1, std::numeric_limits<std::int64_t>::max()));
    case SettingKind::list: return list_in(field);
    case SettingKind::flag: return {};
    case SettingKind::text: break;
  }
  return field.text();
}

bool is_set(const Field& field, SettingKind kind) {
  if (kind != SettingKind::flag) return true;
  if (!field.value().is_boolean()) field.refuse("true or false");
  return field.value().get<bool>();
}

}  // namespace
}  // namespace server_config_file

std::vector<std::pair<std::string, std::string>> read_server_config(std::string_view text,
                                                                    const std::vector<Setting>& settings) {
  using namespace server_config_file;
  const json::Json document = json::parse(text);
  const Field all(document);
  std::vector<std::string_view> names;
  for (const Setting& setting : settings) names.push_back(setting.name);
  all.allow_only(names);
  std::vector<std::pair<std::string, std::string>> found;
  for (const Setting& setting : settings) {
    const auto field = all.find(setting.name);
    if (field && is_set(*field, setting.kind)) found.emplace_back(setting.name, text_in(*field, setting.kind));
  }
  return found;
}

}  // namespace renyi::api
