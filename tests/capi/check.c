#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renyi/c.h"

static int failed = 0;

int failures(void) { return failed; }

bool check(bool holds, const char* what, const char* file, int line) {
  if (holds) return true;
  ++failed;
  printf("%s:%d: does not hold: %s\n", file, line, what);
  return false;
}

bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 && !isnan(a); }

static const char* behind(const char* json, const char* key) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\":", key);
  const char* found = json == NULL ? NULL : strstr(json, quoted);
  return found == NULL ? NULL : found + strlen(quoted);
}

double number_at(const char* json, const char* outer, const char* key) {
  const char* text = behind(json, outer);
  if (key != NULL) text = behind(text, key);
  if (text != NULL && *text == '[') ++text;
  if (text != NULL && strncmp(text, "\"inf\"", 5) == 0) return INFINITY;
  char* end = NULL;
  const double value = text == NULL ? NAN : strtod(text, &end);
  if (CHECK(text != NULL && end != text)) return value;
  printf("  no %s.%s in %s\n", outer, key == NULL ? "" : key, json == NULL ? "NULL" : json);
  return NAN;
}

char* ask(const char* format, ...) {
  char request[1024];
  va_list values;
  va_start(values, format);
  vsnprintf(request, sizeof request, format, values);
  va_end(values);
  return renyi_call(request);
}

bool says(const renyi_error* error, renyi_status status, const char* field, const char* message) {
  const bool right = error->status == status && strcmp(error->field, field) == 0 &&
                     strncmp(error->message, message, strlen(message)) == 0;
  if (!right) printf("  got %d, %s, %s\n", (int)error->status, error->field, error->message);
  return right;
}
