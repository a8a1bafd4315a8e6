#include "api/json/current_members.h"

#include <algorithm>
#include <utility>

#include "json/field.h"

namespace renyi::api {

using json::Json;

namespace current_members_file {
namespace {

// Returns the path of the member in requests of this operation; "" if the entry is not about them.
std::string path_in(std::string_view op, const Deprecation& entry) {
  const auto blank = entry.name.find(' ');
  const bool is_of_all = blank == std::string_view::npos;
  if (entry.interface != Interface::request || !(is_of_all || entry.name.substr(0, blank) == op)) return "";
  return std::string(entry.name.substr(is_of_all ? 0 : blank + 1));
}

Json::json_pointer pointer_to(const std::string& path) {
  std::string text = "/" + path;
  std::replace(text.begin(), text.end(), '.', '/');
  return Json::json_pointer(text);
}

void rename(Json& object, const std::string& path, const std::string& old, const std::string& instead) {
  if (object.contains(instead)) json::Field(object.at(old), path).refuse("nothing beside \"" + instead + "\"");
  object[instead] = Json(object.at(old));
  object.erase(old);
}

}  // namespace
}  // namespace current_members_file

CurrentMembers current_members(const Json& request, std::string_view op, std::span<const Deprecation> table) {
  CurrentMembers current;
  for (const Deprecation& entry : table) {
    const std::string path = current_members_file::path_in(op, entry);
    if (path.empty()) continue;
    const Json::json_pointer place = current_members_file::pointer_to(path);
    if (!request.contains(place)) continue;
    if (current.warnings.empty()) current.request = request;
    current_members_file::rename(current.request.at(place.parent_pointer()), path, place.back(),
                                 std::string(entry.instead));
    current.warnings.push_back(warning_of(entry));
  }
  return current;
}

void CurrentMembers::warn_in(Json& answer) const {
  for (const std::string& warning : warnings) {
    answer["warnings"].push_back(Json::object({{"kind", "deprecated"}, {"message", warning}}));
  }
}

}  // namespace renyi::api
