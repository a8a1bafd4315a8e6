#include "api/api.h"

#include <exception>
#include <new>
#include <optional>

#include "api/ops.h"
#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/error.h"

namespace renyi::api {
namespace {

using json::Field;

// Identifiers that can be echoed exactly.
bool can_echo(const Json& id) { return id.is_string() || id.is_number_integer() || id.is_null(); }

std::optional<Json> id_of(const Json& request) {
  if (!request.is_object()) return std::nullopt;
  const auto id = request.find("id");
  if (id == request.end() || !can_echo(*id)) return std::nullopt;
  return *id;
}

void check_id(const Field& request) {
  const auto id = request.find("id");
  if (id && !can_echo(id->value())) id->refuse("a string, an integer literal of 64 bits, or null");
}

Json error_answer(std::string_view kind, std::string_view message, std::string_view path) {
  Json answer = Json::object();
  Json& error = answer["error"] = Json::object();
  error["kind"] = std::string(kind);
  error["message"] = std::string(message);
  error["path"] = std::string(path);
  return answer;
}

Json error_answer(const Error& error) { return error_answer(to_string(error.kind()), error.what(), error.path()); }

Json internal_error(std::string_view message) { return error_answer("internal", message, ""); }

// Every failure of an evaluation as an answer.
Json evaluate_or_explain(const Json& request) {
  try {
    return evaluate(request);
  } catch (const Error& error) {
    return error_answer(error);
  } catch (const std::bad_alloc&) {
    return internal_error("out of memory");
  } catch (const std::exception& error) {
    return internal_error(error.what());
  }
}

Json with_id(Json answer, const std::optional<Json>& id) {
  if (id) answer["id"] = *id;
  return answer;
}

Json evaluate(const Request& request) {
  const Op& op = op_of(request);
  check_id(request);
  return with_id(op.run(request), id_of(request.value()));
}

}  // namespace

Json evaluate(const Json& request) { return evaluate(Request(request)); }

Json evaluate(const Json& request, const Plan& plan) { return evaluate(Request(request, &plan)); }

std::string answer_or_throw(std::string_view request_line) {
  const json::Parsed parsed = json::try_parse(request_line);
  Json answer = parsed.error ? error_answer(*parsed.error) : evaluate_or_explain(parsed.value);
  if (answer.contains("id")) return write(answer);
  return write(with_id(std::move(answer), id_of(parsed.value)));
}

std::string answer(std::string_view request_line) noexcept {
  try {
    return answer_or_throw(request_line);
  } catch (const std::exception&) {
    // Only writing the answer itself can fail here: no memory for it.
    return R"({"error":{"kind":"internal","message":"the answer could not be written","path":""}})";
  }
}

Json request_from_plan(std::string_view plan_file) {
  Json document = json::parse(plan_file);
  plan::check_header(Field(document));
  document.erase("renyi");
  return document;
}

Json read(std::string_view text) { return json::parse(text); }

std::string write(const Json& document) { return json::write(document); }

}  // namespace renyi::api
