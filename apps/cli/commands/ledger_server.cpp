#include "apps/cli/commands/ledger_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>
#include <utility>

#include "apps/cli/io/files.h"
#include "apps/http_client/http_client.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace ledger_server_file {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* token_flag = "--token-file";
constexpr const char* authorities_flag = "--ca";
constexpr const char* insecure_flag = "--insecure";
constexpr std::chrono::milliseconds timeout{30'000}, first_pause{100}, longest_pause{2'000};
constexpr int most_attempts = 6;
constexpr std::size_t longest_token = 1000;

std::string of_environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
  return value == nullptr ? std::string() : std::string(value);
}

bool is_visible(char c) { return c > ' ' && c < '\x7f'; }

// A token on the command line could be read by every user of the machine. It is in no message.
std::string token_of(const Flags& flags) {
  std::string token;
  const auto file = flags.text(token_flag);
  if (file) {
    Input input(*file);
    if (const auto line = input.next_line(longest_token)) token = line->text;
    while (!token.empty() && !is_visible(token.back())) token.pop_back();
  } else {
    token = of_environment("RENYI_TOKEN");
  }
  if ((file && token.empty()) || !std::all_of(token.begin(), token.end(), is_visible)) {
    throw InvalidArgument(file ? token_flag : "RENYI_TOKEN", "something else",
                          "a token as `renyi token new` prints it");
  }
  return token;
}

// A header carries visible ASCII: other bytes are written as %20, and so is %.
std::string header_of(const std::string& key) {
  constexpr std::size_t longest = 200;
  std::string text;
  for (const char c : key) {
    if (is_visible(c) && c != '%') {
      text += c;
    } else {
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  const auto is_control = [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; };
  if (std::any_of(key.begin(), key.end(), is_control) || text.size() > longest) {
    throw InvalidArgument("key", key, "a text without control characters, of at most 200 visible ASCII characters");
  }
  return text;
}

bool is_error(const http::Response& response) { return response.body.find("\"error\"") != std::string::npos; }

// The store lost its connection while it wrote.
bool is_unknown(const http::Response& response) {
  return response.status == 503 && response.body.find("\"fault\":\"unknown\"") != std::string::npos;
}

// Nothing was decided, and the same call may be made again; 502 and 504 are answers of proxies.
bool is_passing(const http::Response& response) {
  const int status = response.status;
  if (is_unknown(response)) return true;
  const bool is_of_the_store = response.body.find("\"store_failure\"") != std::string::npos;
  return (status == 408 || status == 429 || status == 502 || status == 503 || status == 504) && !is_of_the_store;
}

class Server : public api::LedgerServer {
 public:
  Server(std::string url, http::Address address, const std::string& authorities, std::string token)
      : url_(std::move(url)),
        token_(std::move(token)),
        client_(std::move(address), {.authorities = authorities, .timeout = timeout}) {}

  std::string new_key() override { return "client-" + http::random_digits(); }

  // Further attempts have the same key, so that a call is carried out once.
  std::string ask(std::string_view verb, const std::string& members, const std::string& key) override {
    const http::Request request{.path = fmt::format("/v1/ledger/{}", verb),
                                .body = members,
                                .authorization = token_.empty() ? "" : "Bearer " + token_,
                                .key = header_of(key)};
    const auto end = Clock::now() + timeout;
    auto pause = first_pause;
    for (int attempt = 1;; ++attempt) {
      std::optional<int> wait;
      try {
        const http::Response response = client_.post(request);
        if (!is_passing(response)) return text_of(response);
        wait = response.retry_after;
        if (attempt == most_attempts || Clock::now() + pause > end) {
          if (is_unknown(response)) fail({"its database was lost while it wrote", "", true}, key);
          throw StoreFailure(StoreFault::busy,
                             fmt::format("the server {} has too much to do (HTTP {})", url_, response.status),
                             "try again later");
        }
      } catch (const http::Failure& failure) {
        if (!failure.may_pass || attempt == most_attempts || Clock::now() + pause > end) fail(failure, key);
      }
      const auto asked = std::chrono::milliseconds(1000 * std::clamp(wait.value_or(0), 0, 10));
      std::this_thread::sleep_for(std::max(pause, asked));
      pause = std::min(2 * pause, longest_pause);
    }
  }

 private:
  // Only a call that writes and was sent may have changed something.
  [[noreturn]] void fail(const http::Failure& failure, const std::string& key) const {
    const std::string why = fmt::format("the server {} gave no answer: {}", url_, failure.why);
    if (!failure.was_sent || key.empty()) throw StoreFailure(StoreFault::unreachable, why, failure.instead);
    throw StoreFailure(StoreFault::unknown, why,
                       fmt::format("repeat the command with --key {}, which is carried out once", key));
  }

  static std::string text_of(const http::Response& response) {
    if (response.status >= 300 && response.status < 400) {
      throw http::Failure{fmt::format("it redirects (HTTP {}), which is not followed", response.status),
                          "give the address where the server is", true, false};
    }
    if (response.status == 200 || is_error(response)) return response.body;
    throw http::Failure{fmt::format("HTTP {}, and no answer of renyi serve", response.status),
                        "is the address that of a renyi server?", response.status >= 500, false};
  }

  std::string url_;
  std::string token_;
  http::Client client_;
};

}  // namespace
}  // namespace ledger_server_file

std::string server_of_environment() { return ledger_server_file::of_environment("RENYI_SERVER"); }

std::vector<FlagText> server_flags(const std::string& group) {
  using namespace ledger_server_file;
  return {{server_flag, "URL", "ask a server, instead of LEDGER (default: RENYI_SERVER)", group},
          {.name = token_flag,
           .value = "FILE",
           .help = "the file with the token for it, or - (default: RENYI_TOKEN)",
           .group = group,
           .rare = true},
          {.name = authorities_flag,
           .value = "FILE",
           .help = "the CA (PEM) that signed its certificate (default: those that the system trusts)",
           .group = group,
           .rare = true},
          {.name = insecure_flag,
           .value = "",
           .help = "take http:// to another machine: whoever listens can read the token",
           .group = group,
           .rare = true}};
}

bool is_server(const std::string& location) {
  return location.starts_with("http://") || location.starts_with("https://");
}

std::shared_ptr<api::LedgerServer> server_at(const std::string& url, const Flags& flags) {
  using namespace ledger_server_file;
  http::Address address = http::read_address(server_flag, url);
  if (!address.is_secure && !flags.given(insecure_flag) && !http::is_loopback(address.host)) {
    throw InvalidArgument(server_flag, url,
                          fmt::format("https://...: over http:// to another machine, whoever listens can read the "
                                      "token; {} takes it all the same",
                                      insecure_flag));
  }
  return std::make_shared<Server>(url, std::move(address), flags.text(authorities_flag).value_or(""), token_of(flags));
}

}  // namespace renyi::cli
