// The document of a release: what was published, what it cost, and which entry of the ledger paid
// (docs/format/release.md).
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "release/draw.h"
#include "renyi/error.h"

namespace renyi::release {
namespace document_file {
namespace {

using json::Field;
using json::Json;

constexpr double confidence = 0.95;

Json json_of(const Number& number) {
  if (const auto* whole = std::get_if<std::int64_t>(&number)) return *whole;
  return json::number(std::get<double>(number));
}

void put_result(Json& object, const PublishedNumber& number) {
  object["value"] = json_of(number.value);
  object["interval"] = Json::array({json_of(number.lower), json_of(number.upper)});
}

Json json_of(const Payment& payment) {
  Json object{{"id", payment.ledger}, {"scope", payment.scope}};
  if (!payment.blocks.empty()) object["blocks"] = payment.blocks;
  object["key"] = payment.key;
  object["ticket"] = payment.ticket;
  object["entry"] = payment.entry;
  object["hash"] = payment.hash;
  object["time"] = payment.time;
  if (!payment.note.empty()) object["note"] = payment.note;
  return object;
}

Json cost_of(const Document& document) {
  Json cost = Json::object();
  if (document.rho) cost["rho"] = json::number(*document.rho);
  if (document.epsilon) cost["epsilon"] = json::number(*document.epsilon);
  if (document.epsilon && document.delta) cost["delta"] = *document.delta;
  return cost;
}

// The noise of a statistic, without what was drawn.
Json law_of(const Statistic& statistic, const StatisticNoise& noise) {
  Json object{{"name", statistic.name}, {"integer", statistic.is_integer}, {"mechanism", noise.mechanism}};
  object[noise.mechanism.ends_with("gaussian") ? "stddev" : "scale"] = noise.size;
  object["l1_sensitivity"] = noise.sensitivity.l1;
  object["l2_sensitivity"] = noise.sensitivity.l2;
  if (noise.grid > 0) object["grid"] = noise.grid;
  object["range"] = Json::array({json_of(noise.range.lower), json_of(noise.range.upper)});
  object["standard_error"] = noise.standard_error;
  object["half_width"] = noise.half_width;
  if (noise.equal_split_error) {
    object["equal_split"] = {{"standard_error", *noise.equal_split_error},
                             {"ratio", *noise.equal_split_error / noise.standard_error}};
  }
  return object;
}

// ---- Reading.

std::optional<double> optional_number(const Field& field, std::string_view key) {
  const auto found = field.find(key);
  return found ? std::optional(found->number_or_infinity()) : std::nullopt;
}

std::int64_t positive(const Field& field, std::string_view key) {
  return field.require(key, "a whole number").integer(0, std::numeric_limits<std::int64_t>::max());
}

std::string text(const Field& field, std::string_view key) { return field.require(key, "a string").text(); }

std::vector<std::string> texts(const Field& field, std::string_view key) {
  std::vector<std::string> all;
  if (const auto found = field.find(key)) {
    for (const Field& each : found->items()) all.push_back(each.text());
  }
  return all;
}

Number number_in(const Field& field, bool is_integer) {
  using Whole = std::numeric_limits<std::int64_t>;
  if (is_integer) return field.integer(Whole::min(), Whole::max());
  return field.number();
}

Range ends_of(const Field& field, bool is_integer) {
  const std::vector<Field> ends = field.items();
  if (ends.size() != 2) throw InvalidArgument(field.path(), "another number of ends", "two numbers");
  return {number_in(ends[0], is_integer), number_in(ends[1], is_integer)};
}

PublishedNumber number_of(const Field& field, bool is_integer, std::string bin) {
  const Range interval = ends_of(field.require("interval", "two numbers"), is_integer);
  return {std::move(bin), number_in(field.require("value", "a number"), is_integer), interval.lower, interval.upper};
}

PublishedStatistic statistic_of(const Field& field) {
  const Field integer = field.require("integer", "true or false");
  if (!integer.value().is_boolean()) integer.refuse("true or false");
  const bool is_integer = integer.value().get<bool>();
  PublishedStatistic published{.name = text(field, "name"), .mechanism = text(field, "mechanism")};
  published.size = field.require(published.mechanism.ends_with("gaussian") ? "stddev" : "scale", "a number").number();
  if (const auto range = field.find("range")) published.range = ends_of(*range, is_integer);
  published.standard_error = field.require("standard_error", "a number").number();
  if (const auto split = field.find("equal_split")) {
    published.equal_split_error = split->require("standard_error", "a number").number();
  }
  published.post_processing = texts(field, "post_processing");
  const auto bins = field.find("bins");
  if (!bins) published.numbers.push_back(number_of(field, is_integer, ""));
  if (bins) {
    for (const Field& bin : bins->items()) published.numbers.push_back(number_of(bin, is_integer, text(bin, "name")));
  }
  return published;
}

Payment payment_of(const Field& field) {
  const auto note = field.find("note");
  return {.ledger = text(field, "id"),
          .scope = text(field, "scope"),
          .blocks = texts(field, "blocks"),
          .key = text(field, "key"),
          .ticket = positive(field, "ticket"),
          .entry = positive(field, "entry"),
          .hash = text(field, "hash"),
          .time = text(field, "time"),
          .note = note ? note->text() : ""};
}

}  // namespace
}  // namespace document_file

std::string write_document(const Terms& terms, const Design& design, const Document& document) {
  namespace file = document_file;
  using json::Json;
  Json statistics = Json::array();
  for (std::size_t i = 0; i < document.statistics.size(); ++i) {
    const PublishedStatistic& published = document.statistics[i];
    Json object = file::law_of(terms.statistics[i], design.noise[i]);
    if (!published.post_processing.empty()) object["post_processing"] = published.post_processing;
    if (terms.statistics[i].bins.empty()) {
      file::put_result(object, published.numbers.front());
    } else {
      Json bins = Json::array();
      for (const PublishedNumber& number : published.numbers) {
        Json bin{{"name", number.bin}};
        file::put_result(bin, number);
        bins.push_back(std::move(bin));
      }
      object["bins"] = std::move(bins);
    }
    statistics.push_back(std::move(object));
  }
  Json whole{
      {"renyi-released", 1}, {"plan", json::parse(write_plan(document.plan))}, {"cost", file::cost_of(document)}};
  if (terms.division) whole["divide"] = to_string(*terms.division);
  whole["ledger"] = document.payment ? file::json_of(*document.payment) : Json(nullptr);
  whole["terms_sha256"] = document.terms_sha256;
  whole["timing_delta"] = json::number(document.timing_delta);
  whole["confidence"] = file::confidence;
  whole["beyond_range"] = range_rule;
  whole["statistics"] = std::move(statistics);
  return json::write(whole) + '\n';
}

Document read_document(std::string_view text) {
  namespace file = document_file;
  const json::Json parsed = json::parse(text);
  const json::Field field(parsed);
  field.require("renyi-released", "the format version, 1").integer(1, 1);
  Document document{.plan = read_plan(json::write(field.require("plan", "a plan").value()))};
  const json::Field cost = field.require("cost", "an object");
  document.epsilon = file::optional_number(cost, "epsilon");
  document.delta = file::optional_number(cost, "delta");
  document.rho = file::optional_number(cost, "rho");
  const json::Field ledger = field.require("ledger", "an object, or null");
  if (!ledger.is_null()) document.payment = file::payment_of(ledger);
  document.terms_sha256 = file::text(field, "terms_sha256");
  document.timing_delta = field.require("timing_delta", "a number").number();
  for (const json::Field& each : field.require("statistics", "an array").items()) {
    document.statistics.push_back(file::statistic_of(each));
  }
  return document;
}

}  // namespace renyi::release
