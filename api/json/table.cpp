#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <functional>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/api.h"
#include "api/json/content.h"
#include "api/json/current_members.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "api/json/request_summary.h"
#include "api/json/run.h"
#include "api/secrets.h"
#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::api {

using json::Field;
using json::Json;

namespace table_file {
namespace {

constexpr std::array<std::string_view, 2> common_keys{"op", "id"};
constexpr std::string_view time_limit_key = "time_limit";
constexpr std::string_view memory_key = "memory";
constexpr std::array<std::string_view, 4> plan_keys{"neighbors", "unit", "steps", "run"};

constexpr std::array all_ops{
    &rdp_op,           &epsilon_op,  &delta_op,      &calibrate_op,     &profile_op,    &tradeoff_op,
    &explain_op,       &loss_op,     &compare_op,    &relate_op,        &divergence_op, &convert_op,
    &certify_op,       &verify_op,   &mechanisms_op, &report_op,        &accuracy_op,   &filter_op,
    &filter_design_op, &odometer_op, &ledger_op,     &matrix_design_op, &figure_op,
};

// Called only when a request is refused: it takes longer than reading a small request.
std::vector<std::string_view> known_names() {
  std::vector<std::string_view> names;
  for (const Op* op : all_ops) names.push_back(op->name);
  return names;
}

const Op& named_by(const Field& name) {
  for (const Op* op : all_ops) {
    if (op->name == name.value()) return *op;
  }
  name.refuse_name(known_names());
}

// Refuses keys the operation does not know.
void check_keys(const Op& op, const Request& request) {
  std::vector<std::string_view> keys(common_keys.begin(), common_keys.end());
  if (op.about_a_plan && !request.has_plan()) keys.insert(keys.end(), plan_keys.begin(), plan_keys.end());
  keys.insert(keys.end(), op.keys.begin(), op.keys.end());
  keys.push_back(time_limit_key);
  if (std::find(keys.begin(), keys.end(), memory_key) == keys.end()) keys.push_back(memory_key);
  request.allow_only(keys);
}

// Returns the operation that the request names by "op".
const Op& op_of(const Request& request) {
  const auto name = request.find("op");
  return named_by(name ? *name : request.require("op", Field::one_of(known_names())));
}

// Returns true for identifiers that can be echoed exactly.
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
  error["message"] = without_passwords(message);
  error["path"] = without_passwords(path);
  return answer;
}

// What to do about a store depends on how it failed.
Json error_answer(const Error& error) {
  Json answer = error_answer(to_string(error.kind()), error.what(), error.path());
  if (const auto* failure = dynamic_cast<const StoreFailure*>(&error)) {
    answer["error"]["fault"] = std::string(to_string(failure->fault()));
  }
  return answer;
}

Json internal_error(std::string_view message) { return error_answer("internal", message, ""); }

Json with_id(Json answer, const std::optional<Json>& id) {
  if (id) answer["id"] = *id;
  return answer;
}

// Returns what the values of the answer assume; the request has been accepted.
std::string assumed_by(const Request& request) {
  if (request.has_plan()) return assumption(request.plan());
  const Json& members = request.value();
  if (!members.contains("steps")) return {};
  return assumption_in(members.at("steps"), members.value("neighbors", to_string(Neighbors::add_or_remove_one)));
}

// Adds the members that every answer about a plan has.
Json completed(const Op& op, const Request& request, Json answer) {
  if (op.about_a_plan && &op != &certify_op) {  // a certificate stays what was proven
    if (std::string text = assumed_by(request); !text.empty()) answer["assumes"] = std::move(text);
  }
  // Every figure is valid, and some may be looser than without the limit.
  if (&op != &certify_op && !answer.contains("limit")) {
    if (std::string text = reached_limit(); !text.empty()) answer["limit"] = std::move(text);
  }
  return with_id(std::move(answer), id_of(request.value()));
}

// What an operation does with its request.
using Run = std::function<Json(const Request&)>;

// Evaluates the steps that the run results in. The answer, or the error, refers to the run.
Json evaluate_run(const Op& op, const Run& perform, const Request& request, const Field& told) {
  const ReadRun run(told);
  for (const std::string_view size : {"epochs", "batch_size"}) {
    const auto value = told.find(size);
    if (value && value->is_null() && &op != &calibrate_op) value->refuse("a number: only calibrate solves for it");
  }
  const Json members = written_out(request, run, &op == &report_op);
  const Request in_steps(members, nullptr, &run.parts());
  try {
    Json answer = perform(in_steps);
    if (&op != &certify_op) run.complete(answer, request);
    return completed(op, in_steps, std::move(answer));
  } catch (const InvalidArgument& error) {
    throw run.renamed(error);
  } catch (const Unsupported& error) {
    throw run.renamed(error);
  }
}

// The limits hold from the reading of the plan to the last figure.
Limits limits_of(const Request& request) {
  Limits limits;
  if (const auto field = request.find(time_limit_key)) {
    if (!field->value().is_number() || !(field->number() >= 0)) field->refuse("a number of seconds, at least 0");
    limits.time = time_of_seconds(field->path(), field->number());
  }
  if (const auto field = request.find(memory_key)) limits.memory = read_memory(*field);
  return limits;
}

// A request of fewer bytes is answered within `usual_time` unless a time is stated: it counts the processor's work, so
// that a busy machine does not change an answer.
constexpr std::size_t small_request = 1024;
constexpr std::chrono::seconds usual_time{2};

// Proofs take long by nature, and a ledger is never left half way.
bool takes_long(const Op& op) { return &op == &certify_op || &op == &verify_op || &op == &ledger_op; }

enum class Time { usual, unlimited };

// Evaluates a request in which nothing is deprecated.
Json evaluate_current(const Op& op, const Run& perform, const Request& request, Time time) {
  check_keys(op, request);
  check_id(request);
  Limits asked = limits_of(request);
  if (time == Time::usual && !asked.time && !has_time_limit() && !takes_long(op)) asked.cpu_time = usual_time;
  const LimitScope limits(asked);
  if (const auto told = request.find("run"); told && op.about_a_plan) {
    return evaluate_run(op, perform, request, *told);
  }
  return completed(op, request, perform(request));
}

Json evaluate(const Op& op, const Run& perform, const Request& request, Time time,
              std::span<const Deprecation> table = deprecations()) {
  const CurrentMembers current = current_members(request.value(), op.name, table);
  if (current.warnings.empty()) return evaluate_current(op, perform, request, time);
  Json answer = evaluate_current(op, perform, request.with(current.request), time);
  if (&op != &certify_op) current.warn_in(answer);
  return answer;
}

Json evaluate(const Request& request, Time time = Time::unlimited,
              std::span<const Deprecation> table = deprecations()) {
  const Op& op = op_of(request);
  return evaluate(op, op.run, request, time, table);
}

Time time_of(std::size_t bytes) { return bytes < small_request ? Time::usual : Time::unlimited; }

// Turns every failure of an evaluation into an answer.
Json evaluate_or_explain(const Json& request, Time time) {
  try {
    return evaluate(Request(request), time);
  } catch (const Error& error) {
    return error_answer(error);
  } catch (const std::bad_alloc&) {
    return internal_error("out of memory");
  } catch (const std::exception& error) {
    return internal_error(error.what());
  }
}

}  // namespace
}  // namespace table_file

Plan Request::plan() const { return plan_ ? *plan_ : plan::read_plan(*this); }

Request checked(const Op& op, const Document& request) {
  Request members(opened(request));
  table_file::check_keys(op, members);
  return members;
}

std::string written(const Op& op, const Document& request, Json answer) {
  return json::write(table_file::completed(op, Request(opened(request)), std::move(answer)));
}

Json evaluate(const Json& request, std::span<const Deprecation> table) {
  return table_file::evaluate(Request(request), table_file::Time::unlimited, table);
}

Json evaluate_as(const Op& op, const Json& request, const std::function<Json(const Request&)>& run) {
  return table_file::evaluate(op, run, Request(request), table_file::Time::unlimited);
}

std::span<const Op* const> operations() noexcept { return table_file::all_ops; }

RemoteAnswer answer_remote(std::string_view request, const RemoteLimits& limits) {
  const json::Parsed parsed = json::try_parse(request);
  Json answer;
  const Op* op = nullptr;
  if (!parsed.error && parsed.value.is_object()) {
    const auto name = parsed.value.find("op");
    for (const Op* one : table_file::all_ops) {
      if (name != parsed.value.end() && one->name == *name) op = one;
    }
  }
  if (parsed.error) {
    answer = table_file::error_answer(*parsed.error);
  } else if (op == &ledger_op) {
    answer = table_file::error_answer("forbidden", "op: a ledger is asked by POST /v1/ledger/VERB", "op");
  } else if (op != nullptr && table_file::takes_long(*op) && !limits.may_prove) {
    answer = table_file::error_answer("unauthorized", "op: proofs take long, and need a token", "op");
  } else {
    Limits in_force{.time = limits.time, .memory = limits.memory, .stop = limits.stop};
    const bool is_usual =
        op != nullptr && !table_file::takes_long(*op) && !parsed.value.contains(table_file::time_limit_key);
    if (is_usual) in_force.cpu_time = table_file::usual_time;
    const LimitScope scope(in_force);
    answer = table_file::evaluate_or_explain(parsed.value, table_file::Time::unlimited);
  }
  if (!answer.contains("id")) answer = table_file::with_id(std::move(answer), table_file::id_of(parsed.value));
  RemoteAnswer result{.text = json::write(answer)};
  if (answer.contains("error")) result.error_kind = answer["error"]["kind"].get<std::string>();
  return result;
}

std::string answer_or_throw(std::string_view request_line) {
  const json::Parsed parsed = json::try_parse(request_line);
  Json answer = parsed.error ? table_file::error_answer(*parsed.error)
                             : table_file::evaluate_or_explain(parsed.value, table_file::time_of(request_line.size()));
  if (answer.contains("id")) return json::write(answer);
  return json::write(table_file::with_id(std::move(answer), table_file::id_of(parsed.value)));
}

std::string error_line(std::string_view kind, std::string_view message, std::string_view path) {
  return json::write(table_file::error_answer(kind, message, path));
}

std::string error_line(const Error& error) { return json::write(table_file::error_answer(error)); }

std::string answer(std::string_view request_line) noexcept {
  try {
    return answer_or_throw(request_line);
  } catch (const std::exception&) {
    // Only writing the answer itself can fail here, for lack of memory.
    return R"({"error":{"kind":"internal","message":"the answer could not be written","path":""}})";
  }
}

Document request_from_plan(std::string_view plan_file) {
  Json document = json::parse(plan_file);
  plan::check_header(Field(document));
  document.erase("renyi");
  return document_of(std::move(document));
}

Document pair_from_file(std::string_view text) {
  constexpr std::array<std::string_view, 3> keys{"p", "q", "normalize"};
  Json pair = json::parse(text);
  const Field field(pair);
  field.allow_only(keys);
  field.require("p", "an array of probabilities");
  field.require("q", "an array of probabilities");
  pair["family"] = "discrete";
  return document_of(std::move(pair));
}

Document read(std::string_view text) { return document_of(json::parse(text)); }

std::string evaluate_request(std::string_view request) {
  const Json members = json::parse(request);
  return json::write(table_file::evaluate(Request(members), table_file::time_of(request.size())));
}

std::string evaluate(std::string_view request, const Plan& plan) {
  const Json members = json::parse(request);
  return json::write(table_file::evaluate(Request(members, &plan)));
}

}  // namespace renyi::api
