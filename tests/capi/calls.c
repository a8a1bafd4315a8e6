// Requests as texts, and versions.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "renyi/c.h"

static void check_answer(const char* request, const char* expected) {
  char* answer = renyi_call(request);
  if (!CHECK(answer != NULL && strstr(answer, expected) != NULL)) printf("  got %s\n", answer);
  renyi_free(answer);
}

void test_calls(void) {
  CHECK(renyi_abi_version() == RENYI_ABI_VERSION);
  CHECK(strcmp(renyi_version(), RENYI_EXPECTED_VERSION) == 0);
  check_answer("{\n  \"id\": 7,\n  \"op\": \"rdp\",\n  \"steps\": [],\n  \"orders\": [2]\n}\n",
               "{\"rdp\":[0],\"id\":7}");
  check_answer("{\"op\":\"divergence\",\"pair\":{\"family\":\"bernoulli\",\"p\":0.5,\"q\":0.25}}",
               "\"total_variation\":");
  check_answer(NULL, "{\"error\":{\"kind\":\"invalid_argument\",\"message\":\"request: got NULL");
  check_answer("", "{\"error\":{\"kind\":\"invalid_argument\"");
  check_answer("nonsense", "{\"error\":{\"kind\":\"invalid_argument\"");
  check_answer("{\"op\":\"nonsense\",\"id\":\"\xc3\xa9\"}", "\"path\":\"op\"},\"id\":\"\xc3\xa9\"}");
  check_answer("{\"op\":\"epsilon\",\"steps\":[{\"mechanism\":\"zcdp\",\"rho\":1}],\"delta\":0.1}",
               "\"exact\":{\"unavailable\":");
  check_answer(
      "{\"op\":\"epsilon\",\"neighbors\":\"replace-one\",\"delta\":0.1,\"steps\":[{\"mechanism\":"
      "\"zcdp\",\"rho\":1,\"sampling\":{\"scheme\":\"poisson\",\"rate\":0.1}}]}",
      "{\"error\":{\"kind\":\"unsupported\"");
  renyi_free(NULL);
}
