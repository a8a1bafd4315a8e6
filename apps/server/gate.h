// Who calls: by a bearer token or by the cookie of a session, and whether a browser was made to call by another site.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/tokens.h"
#include "apps/server/attempts.h"
#include "apps/server/http.h"
#include "apps/server/metrics.h"
#include "apps/server/quotas.h"
#include "apps/server/sessions.h"
#include "apps/server/token_file.h"

namespace renyi::server {

struct Caller {
  api::Token token{};
  std::optional<Session> session{};  // if the cookie of one was presented
  std::string cookie{};
};

class Gate {
 public:
  Gate(TokenFile& tokens, Metrics& metrics, std::vector<std::string> hosts, bool behind_proxy,
       const api::TokenQuota& usual)
      : tokens_(tokens), metrics_(metrics), hosts_(std::move(hosts)), behind_proxy_(behind_proxy), quotas_(usual) {}

  // Throws Refused for a Host that is none of this server's names: a page of another site may have had its name point
  // here.
  void check_host(const HttpRequest& request) const;
  // Throws Refused if a page of another site sent the request.
  static void check_origin(const HttpRequest& request);

  // Returns who calls; nobody if the request has neither a token nor a cookie. Throws Refused for a token or a cookie
  // that is not valid, or has used up its quota, and for a cookie without the session's other secret where something is
  // changed.
  std::optional<Caller> identify(const HttpRequest& request);
  // The same, but nobody is refused.
  Caller require(const HttpRequest& request);
  // Returns the valid token that was presented. Throws Refused.
  api::Token check_token(const HttpRequest& request, const std::string& presented);
  // Takes the processor time of a call from the quota of its token.
  void spend(const api::Token& token, double cpu_seconds) {
    quotas_.spend(token, cpu_seconds, std::chrono::steady_clock::now());
  }

  // Begins and ends sessions; the text is the value of Set-Cookie.
  std::string begin_session(const HttpRequest& request, const api::Token& token, std::string& csrf);
  std::string end_session(const HttpRequest& request, const Caller& caller);

  // The address of the client, as a proxy tells it if there is one.
  std::string peer_of(const HttpRequest& request) const;
  // Whether what the client sends and gets is encrypted, by this server or by a proxy.
  bool is_encrypted(const HttpRequest& request) const;

 private:
  void admit(const api::Token& token);
  std::string cookie_text(const HttpRequest& request, const std::string& value, bool ends) const;

  TokenFile& tokens_;
  Metrics& metrics_;
  std::vector<std::string> hosts_;
  bool behind_proxy_;
  Attempts attempts_;
  Quotas quotas_;
  Sessions sessions_;
};

}  // namespace renyi::server
