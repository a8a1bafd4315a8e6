// Ledgers as handles: scopes, tickets, keys, refusals, faults.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "renyi/c.h"

static const char* const half = "{\"kind\":\"zcdp\",\"rho\":0.5}";

static renyi_plan* gaussian(double noise_multiplier) {
  const char* const name = "noise_multiplier";
  renyi_plan* plan = renyi_plan_new(NULL, NULL);
  CHECK(renyi_plan_add(plan, "gaussian", &name, &noise_multiplier, 1, 1, NULL) == RENYI_OK);
  return plan;
}

// A name in the directory of this run that no other file has.
static const char* new_place(const char* name) {
  static char place[200];
  snprintf(place, sizeof place, "%s", name);
  const char* const endings[] = {"", "-wal", "-shm", "-sync"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
    char file[220];
    snprintf(file, sizeof file, "%s%s", name, endings[i]);
    remove(file);
  }
  return place;
}

static renyi_ledger* new_ledger(const char* name) {
  renyi_error error;
  renyi_receipt receipt;
  renyi_ledger* ledger = renyi_ledger_create(new_place(name), NULL, &error);
  CHECK(ledger != NULL && error.status == RENYI_OK);
  CHECK(renyi_ledger_add_scope(ledger, "clinic", half, NULL, NULL, 0, NULL, &receipt, &error) == RENYI_OK);
  CHECK(receipt.accepted == 1 && receipt.entry == 1 && strlen(receipt.hash) == 64 && strlen(receipt.time) == 24);
  return ledger;
}

static void check_charges(void) {
  renyi_error error;
  renyi_receipt receipt;
  renyi_ledger* ledger = new_ledger("capi_charges.ledger");
  renyi_plan *small = gaussian(2), *large = gaussian(1);
  const renyi_charge eighth = {"clinic", small, 1, NULL, 0}, all = {"clinic", large, 1, NULL, 0};
  const renyi_ledger_call call = {"november", "mira", "visits"};
  CHECK(renyi_ledger_may_run(ledger, &all, &receipt, &error) == RENYI_OK && receipt.accepted == 1);
  CHECK(renyi_ledger_charge(ledger, &eighth, &call, &receipt, &error) == RENYI_OK && receipt.accepted == 1);
  CHECK(receipt.repeated == 0 && receipt.ticket == 2 && strcmp(receipt.state, "committed") == 0);
  CHECK(renyi_ledger_charge(ledger, &eighth, &call, &receipt, &error) == RENYI_OK && receipt.repeated == 1);
  // The same key for something else.
  CHECK(renyi_ledger_charge(ledger, &all, &call, &receipt, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(receipt.accepted == 0 && strcmp(error.field, "key") == 0);
  // A refusal is an answer.
  CHECK(renyi_ledger_charge(ledger, &all, NULL, &receipt, &error) == RENYI_OK && receipt.accepted == 0);
  CHECK(strcmp(receipt.refused_by, "clinic") == 0 && strstr(receipt.reason, "rho would be 0.625") == receipt.reason);
  CHECK(receipt.entry == 3 && receipt.fitting_count == 0 && receipt.fit.found == 1);
  CHECK(strcmp(receipt.fit.parameter, "noise_multiplier") == 0 && receipt.fit.value > 1.15 && receipt.fit.value < 1.16);
  size_t quantities = 0;
  renyi_balance balance;
  CHECK(renyi_ledger_remaining(ledger, "clinic", &balance, 1, &quantities, &error) == RENYI_OK && quantities == 1);
  CHECK(strcmp(balance.name, "rho") == 0 && balance.spent >= 0.125 && balance.spent < 0.1250001);
  // It is still there when it is opened again.
  renyi_ledger_free(ledger);
  ledger = renyi_ledger_open("capi_charges.ledger", NULL, &error);
  CHECK(ledger != NULL);
  CHECK(renyi_ledger_remaining(ledger, "clinic", &balance, 1, &quantities, NULL) == RENYI_OK && balance.spent >= 0.125);
  renyi_plan_free(large);
  renyi_plan_free(small);
  renyi_ledger_free(ledger);
}

static void check_tickets(void) {
  renyi_error error;
  renyi_receipt ticket, receipt;
  renyi_ledger* ledger = new_ledger("capi_tickets.ledger");
  renyi_plan* step = gaussian(1);
  const renyi_charge charge = {"clinic", step, 1, NULL, 0};
  CHECK(renyi_ledger_reserve(ledger, &charge, 60, NULL, &ticket, &error) == RENYI_OK && ticket.accepted == 1);
  CHECK(ticket.secret[0] != '\0' && strcmp(ticket.state, "reserved") == 0 && strcmp(ticket.expires, ticket.time) > 0);
  CHECK(renyi_ledger_cancel(ledger, ticket.ticket, NULL, &receipt, &error) == RENYI_OK && receipt.accepted == 1);
  CHECK(renyi_ledger_reserve(ledger, &charge, 60, NULL, &ticket, &error) == RENYI_OK && ticket.accepted == 1);
  CHECK(renyi_ledger_commit(ledger, ticket.ticket, NULL, 0, NULL, &receipt, NULL) == RENYI_OK && !receipt.accepted);
  CHECK(renyi_ledger_open_ticket(ledger, ticket.ticket, "x", NULL, &receipt, NULL) == RENYI_OK && !receipt.accepted);
  CHECK(renyi_ledger_open_ticket(ledger, ticket.ticket, ticket.secret, NULL, &receipt, NULL) == RENYI_OK);
  CHECK(receipt.accepted == 1 && receipt.repeated == 0);
  CHECK(renyi_ledger_open_ticket(ledger, ticket.ticket, ticket.secret, NULL, &receipt, NULL) == RENYI_OK);
  CHECK(receipt.accepted == 0);
  CHECK(renyi_ledger_cancel(ledger, ticket.ticket, NULL, &receipt, NULL) == RENYI_OK && !receipt.accepted);
  size_t size = 9;
  CHECK(renyi_ledger_output(ledger, ticket.ticket, &size, &error) == NULL && size == 0 && error.status == RENYI_OK);
  CHECK(renyi_ledger_commit(ledger, ticket.ticket, "a\0b", 3, NULL, &receipt, &error) == RENYI_OK && receipt.accepted);
  char* output = renyi_ledger_output(ledger, ticket.ticket, &size, &error);
  CHECK(output != NULL && size == 3 && memcmp(output, "a\0b", 4) == 0);
  renyi_free(output);
  renyi_plan_free(step);
  renyi_ledger_free(ledger);
}

static void check_scopes(void) {
  renyi_error error;
  renyi_receipt receipt;
  renyi_ledger* ledger = new_ledger("capi_scopes.ledger");
  CHECK(renyi_ledger_add_scope(ledger, "lab", half, "{\"kind\":\"zcdp\",\"rho\":1}", "replace-one", 2, NULL, &receipt,
                               &error) == RENYI_OK);
  CHECK(renyi_ledger_add_scope(ledger, "lab/a", half, NULL, NULL, 0, NULL, &receipt, &error) == RENYI_OK);
  static const struct {
    const char *name, *budget, *cap, *neighbors, *field;
  } bad[] = {
      {NULL, "{\"kind\":\"zcdp\",\"rho\":1}", NULL, NULL, "name"},
      {"x", NULL, NULL, NULL, "budget"},
      {"x", "{\"kind\":\"zcdp\"}", NULL, NULL, "budget.rho"},
      {"x", "{\"kind\":\"zcdp\",\"rho\":1}", "{\"kind\":\"rho\"}", NULL, "cap.kind"},
      {"x", "{\"kind\":\"zcdp\",\"rho\":1}", NULL, "one", "neighbors"},
      {"clinic", "{\"kind\":\"zcdp\",\"rho\":1}", NULL, NULL, "scope"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    receipt.accepted = 1;
    CHECK(renyi_ledger_add_scope(ledger, bad[i].name, bad[i].budget, bad[i].cap, bad[i].neighbors, 0, NULL, &receipt,
                                 &error) == RENYI_INVALID_ARGUMENT);
    CHECK(receipt.accepted == 0 && says(&error, RENYI_INVALID_ARGUMENT, bad[i].field, ""));
  }
  renyi_plan* step = gaussian(9);
  const renyi_charge other_relation = {"lab/a", step, 1, NULL, 0}, no_blocks = {"clinic", step, 1, NULL, 1};
  const char* const block = "2026-11";
  const renyi_charge no_rule = {"clinic", step, 1, &block, 1}, no_scope = {NULL, step, 1, NULL, 0};
  const renyi_charge no_steps = {"clinic", NULL, 1, NULL, 0}, no_count = {"clinic", step, 0, NULL, 0};
  const renyi_charge* const charges[] = {&other_relation, &no_blocks, &no_rule, &no_scope, &no_steps, &no_count, NULL};
  for (size_t i = 0; i < sizeof charges / sizeof *charges; ++i) {
    receipt.accepted = 1;
    CHECK(renyi_ledger_charge(ledger, charges[i], NULL, &receipt, &error) == RENYI_INVALID_ARGUMENT);
    CHECK(receipt.accepted == 0 && error.field[0] != '\0');
  }
  CHECK(renyi_ledger_charge(NULL, &no_count, NULL, &receipt, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(strcmp(error.field, "ledger") == 0);
  CHECK(renyi_ledger_open_ticket(ledger, 1, NULL, NULL, &receipt, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_ledger_commit(ledger, 1, NULL, 3, NULL, &receipt, &error) == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_ledger_output(ledger, 1, NULL, &error) == NULL && strcmp(error.field, "size") == 0);
  CHECK(renyi_ledger_cancel(ledger, 99, NULL, &receipt, &error) == RENYI_INVALID_ARGUMENT);
  renyi_plan_free(step);
  renyi_ledger_free(ledger);
  renyi_ledger_free(NULL);
}

static void check_faults(void) {
  renyi_error error;
  const char* place = new_place("capi_faults.ledger");
  CHECK(renyi_ledger_open(place, NULL, &error) == NULL && error.status == RENYI_INVALID_ARGUMENT);
  CHECK(renyi_ledger_open(NULL, NULL, &error) == NULL && strcmp(error.field, "location") == 0);
  FILE* file = fopen(place, "wb");
  CHECK(file != NULL);
  if (file == NULL) return;
  for (int i = 0; i < 1000; ++i) fputs("no ledger ", file);
  fclose(file);
  CHECK(renyi_ledger_open(place, NULL, &error) == NULL);
  CHECK(says(&error, RENYI_STORE_FAILURE, "ledger", "ledger: "));
  remove(place);
}

void test_ledger(void) {
  check_charges();
  check_tickets();
  check_scopes();
  check_faults();
}
