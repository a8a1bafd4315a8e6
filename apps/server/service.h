// What is answered at which path: the page, questions, the ledger, tokens and sessions.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "apps/server/access_log.h"
#include "apps/server/gate.h"
#include "apps/server/http.h"
#include "apps/server/ledger_routes.h"
#include "apps/server/metrics.h"
#include "apps/server/page.h"
#include "apps/server/token_file.h"
#include "apps/server/workers.h"

namespace renyi::server {

struct ServiceSettings {
  std::vector<std::string> hosts{};  // the names of this server, in lower case
  bool behind_proxy = false;
  bool asking_needs_token = false;
  api::TokenQuota quota{};  // that of tokens which state none
  bool logs = true;
  bool is_demo = false;
  std::span<const PageFile> page{};
  std::size_t ask_threads = 1;
  std::size_t ledger_threads = 32;
  std::size_t longest_queue = 256;
};

class Service {
 public:
  Service(const ServiceSettings& settings, std::shared_ptr<Ledger> ledger, TokenFile& tokens);

  // For HttpServer: answers every request, on threads of its own if that takes long.
  void handle(HttpRequest request, HttpServer::Reply reply);
  HttpResponse refuse(int status, const HttpRequest& request);

  // What the server knows about itself.
  struct Live {
    std::function<HttpCounts()> counts = [] { return HttpCounts{}; };
    std::function<bool()> is_stopping = [] { return false; };
    // The same as soon as it is told to stop: what is priced for a ledger then ends, and may be asked again.
    std::function<bool()> begins_to_stop = [] { return false; };
  };
  void watch(Live live) { live_ = std::move(live); }
  AccessLog& log() noexcept { return log_; }
  // Finishes what has begun, and drops what has not.
  void stop_workers();

 private:
  struct Exchange;
  enum class Place { here, askers, callers };
  struct Route;

  static const Route& route_of(const Exchange& exchange);
  HttpResponse answer(Exchange& exchange);
  HttpResponse answer_or_explain(Exchange& exchange) noexcept;
  void finish(Exchange& exchange, HttpResponse& response);

  HttpResponse ask(Exchange& exchange);
  HttpResponse call_ledger(Exchange& exchange);
  HttpResponse session(Exchange& exchange);
  HttpResponse tokens(Exchange& exchange);
  HttpResponse one_token(Exchange& exchange);
  HttpResponse describe(Exchange& exchange);
  HttpResponse health(Exchange& exchange);
  HttpResponse ready(Exchange& exchange);
  HttpResponse metrics(Exchange& exchange);
  HttpResponse page(Exchange& exchange);

  ServiceSettings settings_;
  TokenFile& tokens_;
  Metrics metrics_;
  AccessLog log_;
  Gate gate_;
  LedgerRoutes ledger_;
  Live live_;
  std::string id_prefix_;
  std::atomic<std::uint64_t> requests_{0};
  std::unique_ptr<Workers> askers_;
  std::unique_ptr<Workers> callers_;
};

}  // namespace renyi::server
