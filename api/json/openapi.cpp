// The description is made of the table itself: of its operations and their keys, and of the verbs and theirs.
#include "api/openapi.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "api/json/ledger_keys.h"
#include "api/json/openapi_members.h"
#include "api/json/ops.h"
#include "api/ledger.h"
#include "json/write.h"
#include "renyi/version.h"

namespace renyi::api {

namespace openapi_file {
namespace {

using json::Json;

Json text_of(std::string_view text) { return std::string(text); }

Json object(std::initializer_list<std::pair<const char*, Json>> members) {
  Json out = Json::object();
  for (const auto& [key, value] : members) out[key] = value;
  return out;
}

Json list(std::initializer_list<Json> items) {
  Json out = Json::array();
  for (const Json& item : items) out.push_back(item);
  return out;
}

Json schema_of(const MemberText& member) {
  Json schema = object({{"description", text_of(member.text)}});
  if (!member.type.empty()) schema["type"] = text_of(member.type);
  if (member.type == "array") schema["items"] = Json::object();
  return schema;
}

Json request_schema(const std::vector<std::string_view>& keys) {
  Json schema = object({{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}});
  for (const std::string_view key : keys) schema["properties"][std::string(key)] = schema_of(member_text(key));
  return schema;
}

Json reference(const std::string& to) { return object({{"$ref", "#/components/" + to}}); }

Json json_content(Json schema) { return object({{"application/json", object({{"schema", std::move(schema)}})}}); }

Json answered(const char* text, Json schema) {
  return object({{"description", text}, {"content", json_content(std::move(schema))}});
}

// An operation of the interface; `status` is that of success.
Json operation(const std::string& id, const std::string& summary, Json answer, const char* status = "200") {
  return object({{"operationId", id},
                 {"summary", summary},
                 {"responses", object({{status, std::move(answer)}, {"default", reference("responses/Error")}})}});
}

Json with_body(Json what, Json schema, bool required = true) {
  what["requestBody"] = object({{"required", required}, {"content", json_content(std::move(schema))}});
  return what;
}

Json secured(Json what) {
  what["security"] = list({object({{"bearer", Json::array()}}), object({{"cookie", Json::array()}})});
  return what;
}

Json any_object() { return object({{"type", "object"}}); }

// ---- Questions.

std::string schema_name(std::string_view op) {
  std::string name = "ask-";
  return name += op;
}

void add_questions(Json& paths, Json& schemas) {
  Json choices = Json::array();
  for (const Op* op : operations()) {
    if (op == &ledger_op) continue;
    std::vector<std::string_view> keys{"op", "id", "time_limit", "memory"};
    if (op->about_a_plan) keys.insert(keys.end(), {"neighbors", "unit", "steps", "run"});
    for (const std::string_view key : op->keys) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
    Json schema = request_schema(keys);
    schema["required"] = list({"op"});
    schema["properties"]["op"]["enum"] = list({text_of(op->name)});
    const std::string name = schema_name(op->name);
    schemas[name] = std::move(schema);
    choices.push_back(reference("schemas/" + name));
  }
  paths["/v1/ask"]["post"] = with_body(operation("ask", "One request of the table (docs/format/requests.md)",
                                                 answered("The answer of the table.", any_object())),
                                       object({{"oneOf", std::move(choices)}}));
}

// ---- The ledger.

void add_verbs(Json& paths, Json& schemas) {
  for (const LedgerVerb verb : offered_verbs()) {
    const std::string name(to_string(verb));
    schemas["ledger-" + name] = request_schema(keys_of_call(verb));
    Json call =
        secured(operation("ledger-" + name, "The verb " + name + " of the ledger",
                          answered("The answer of the table; a refusal has \"accepted\": false.", any_object())));
    call = with_body(std::move(call), reference("schemas/ledger-" + name), false);
    if (is_writing(verb)) call["parameters"] = list({reference("parameters/IdempotencyKey")});
    paths["/v1/ledger/" + name]["post"] = std::move(call);
  }
}

// ---- Tokens, sessions, and the rest.

Json texts() { return object({{"type", "array"}, {"items", object({{"type", "string"}})}}); }

void add_tokens(Json& paths, Json& schemas) {
  const Json text = object({{"type", "string"}});
  const Json calls = object({{"type", "integer"}, {"minimum", 1}});
  const Json seconds = object({{"type", "number"}, {"exclusiveMinimum", true}, {"minimum", 0}});
  const Json role = object({{"type", "string"}, {"enum", list({"admin", "analyst", "auditor"})}});
  schemas["Session"] = object({{"type", "object"},
                               {"properties", object({{"name", text},
                                                      {"role", role},
                                                      {"scopes", texts()},
                                                      {"expires", object({{"type", "string"}, {"nullable", true}})},
                                                      {"csrf", text},
                                                      {"demo", object({{"type", "boolean"}})}})}});
  schemas["Token"] = object({{"type", "object"},
                             {"properties", object({{"id", text},
                                                    {"name", text},
                                                    {"role", role},
                                                    {"scopes", texts()},
                                                    {"created", text},
                                                    {"expires", text},
                                                    {"revoked", text},
                                                    {"lineage", text},
                                                    {"calls_per_minute", calls},
                                                    {"cpu_per_minute", seconds},
                                                    {"token", text}})}});
  const Json order = object({{"type", "object"},
                             {"additionalProperties", false},
                             {"required", list({"name", "role"})},
                             {"properties", object({{"name", text},
                                                    {"role", role},
                                                    {"scopes", texts()},
                                                    {"expires_in", object({{"type", "integer"}, {"minimum", 1}})},
                                                    {"calls_per_minute", calls},
                                                    {"cpu_per_minute", seconds}})}});
  const Json rotation = object({{"type", "object"},
                                {"additionalProperties", false},
                                {"properties", object({{"expires_in", object({{"type", "integer"}, {"minimum", 1}})},
                                                       {"keep_for", object({{"type", "integer"}, {"minimum", 0}})}})}});
  const Json presented = object({{"type", "object"},
                                 {"additionalProperties", false},
                                 {"required", list({"token"})},
                                 {"properties", object({{"token", text}})}});
  const Json token = answered("The token.", reference("schemas/Token"));
  const Json session = answered("Who is signed in.", reference("schemas/Session"));
  Json& sessions = paths["/v1/session"];
  sessions["get"] = secured(operation("session", "Who is signed in", session));
  sessions["post"] =
      with_body(operation("sign-in", "Signs in by a token; sets the cookie of the session", session), presented);
  sessions["delete"] = secured(operation("sign-out", "Ends the session", answered("It has ended.", any_object())));
  Json& tokens = paths["/v1/tokens"];
  tokens["get"] = secured(operation("tokens", "All tokens", answered("Without the tokens themselves.", any_object())));
  tokens["post"] = with_body(secured(operation("new-token", "Makes a token, shown once", token, "201")), order);
  Json revoke = secured(operation("revoke-token", "Revokes a token", token));
  const Json id = list({object({{"name", "id"}, {"in", "path"}, {"required", true}, {"schema", text}})});
  revoke["parameters"] = id;
  paths["/v1/tokens/{id}"]["delete"] = std::move(revoke);
  Json rotate =
      with_body(secured(operation("rotate-token", "Makes a token that replaces one and has its lineage, shown once",
                                  token, "201")),
                rotation, false);
  rotate["parameters"] = id;
  paths["/v1/tokens/{id}/rotate"]["post"] = std::move(rotate);
}

void add_rest(Json& paths) {
  const Json plain =
      object({{"description", "Text."},
              {"content", object({{"text/plain", object({{"schema", object({{"type", "string"}})}})}})}});
  paths["/v1/openapi.json"]["get"] = operation("describe", "This document", answered("This document.", any_object()));
  paths["/healthz"]["get"] = operation("health", "Whether the server works", answered("It does.", any_object()));
  paths["/readyz"]["get"] =
      operation("ready", "Whether tokens and ledger can be read", answered("They can.", any_object()));
  paths["/metrics"]["get"] = operation(
      "metrics", "Counts, in Prometheus' text format; those about the ledger are for auditors and admins", plain);
}

Json components() {
  Json error =
      object({{"type", "object"},
              {"required", list({"error"})},
              {"properties",
               object({{"error", object({{"type", "object"},
                                         {"required", list({"kind", "message", "path"})},
                                         {"properties", object({{"kind", object({{"type", "string"}})},
                                                                {"message", object({{"type", "string"}})},
                                                                {"path", object({{"type", "string"}})}})}})}})}});
  Json key = object(
      {{"name", "Idempotency-Key"},
       {"in", "header"},
       {"required", true},
       {"description", "1 to 200 visible characters of ASCII; the same key and content give the stored answer again"},
       {"schema", object({{"type", "string"}, {"minLength", 1}, {"maxLength", 200}})}});
  return object({{"schemas", object({{"Error", std::move(error)}})},
                 {"responses", object({{"Error", answered("An error.", reference("schemas/Error"))}})},
                 {"parameters", object({{"IdempotencyKey", std::move(key)}})},
                 {"securitySchemes",
                  object({{"bearer", object({{"type", "http"}, {"scheme", "bearer"}})},
                          {"cookie", object({{"type", "apiKey"}, {"in", "cookie"}, {"name", "renyi_session"}})}})}});
}

}  // namespace
}  // namespace openapi_file

std::string openapi() {
  using namespace openapi_file;
  Json document = object(
      {{"openapi", "3.0.3"},
       {"info",
        object({{"title", "renyi"},
                {"version", text_of(version)},
                {"description", "Renyi differential privacy: questions, and budgets that outlive the process."}})},
       {"paths", Json::object()},
       {"components", components()}});
  add_questions(document["paths"], document["components"]["schemas"]);
  add_verbs(document["paths"], document["components"]["schemas"]);
  add_tokens(document["paths"], document["components"]["schemas"]);
  add_rest(document["paths"]);
  return json::write(document);
}

}  // namespace renyi::api
