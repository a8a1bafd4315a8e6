// What a server answers about budgets; docs/format/requests.md and docs/format/ledger.md describe it all.
import type { Cost } from '../engine/answers';

export type Role = 'admin' | 'analyst' | 'auditor';

export interface Session {
  name: string;
  role: Role;
  scopes: string[];
  /** Of the token, in UTC; null if it is valid until it is revoked. */
  expires: string | null;
  csrf?: string;
  demo?: boolean;
}

export interface ApiError {
  kind: string;
  message: string;
  path: string;
}

export interface Budget {
  kind: string;
  [member: string]: unknown;
}

export interface Balance {
  name: string;
  order?: number | 'inf';
  spent: number | 'inf';
  limit: number | 'inf';
  left: number | 'inf';
  within?: boolean;
}

export interface ScopeBalances {
  scope: string;
  balances: Balance[];
  costs?: (number | 'inf')[];
}

export interface BurnDownPoint {
  time: string;
  entry: number;
  charges: number;
  budget_changed?: boolean;
  balances: Balance[];
}

export interface BlockRule {
  rule: string;
  unit_in_one_block: boolean;
  block_is_fixed: boolean;
}

export interface Scope {
  scope: string;
  budget: Budget;
  cap?: Budget;
  neighbors: string;
  unit: number;
  analysts_may_collude: boolean;
  may_cancel: boolean;
  block_rule?: BlockRule;
  blocks?: string[];
  blocks_add_up?: boolean;
  block_balances?: { block: string; balances: Balance[] }[];
  balances: Balance[];
  charges: number;
  reserved: number;
  note?: string;
  guarantee?: Cost;
  burn_down?: BurnDownPoint[];
}

export interface Head {
  ledger: string;
  entry: number;
  hash: string;
}

export interface Shown extends Head {
  witness: boolean;
  note?: string;
  scopes: Scope[];
}

export interface Fitting {
  parameter: string;
  value: number;
  is_closest?: boolean;
}

export interface Receipt {
  verb: string;
  scope?: string;
  accepted: boolean;
  repeated?: boolean;
  entry?: number;
  hash?: string;
  time?: string;
  key?: string;
  person?: string;
  ticket?: number;
  state?: 'reserved' | 'opened' | 'committed' | 'cancelled' | 'expired';
  expires?: string;
  note?: string;
  refused_by?: string;
  reason?: string;
  left?: ScopeBalances[];
  fitting_count?: number;
  fitting_step?: Fitting | null;
}

export interface TicketShown extends Receipt {
  output?: string;
  output_sha256?: string;
}

export type Step = Record<string, unknown>;

export interface Entry {
  entry: number;
  previous: string;
  time: string;
  request: {
    verb: string;
    key?: string;
    person?: string;
    comment?: string;
    scope?: string;
    steps?: Step[];
    count?: number;
    blocks?: string[];
    budget?: Budget;
    reason?: string;
    ticket?: number;
    expires_in?: number;
    output_sha256?: string;
    event?: 'made' | 'revoked';
    token?: { id: string; holder: string; role?: string; scopes?: string[]; expires?: string };
    [member: string]: unknown;
  };
  outcome: {
    accepted: boolean;
    refused_by?: string;
    reason?: string;
    expires?: string;
    note?: string;
    left?: ScopeBalances[];
    fitting_count?: number;
    fitting_step?: Fitting;
  };
  hash: string;
}

export interface Verification {
  valid: boolean;
  entries: number;
  wrong_entry?: number;
  fault?: string;
  notes?: string[] | string;
  witnessed?: number;
  head?: Head;
}

export interface Token {
  id: string;
  name: string;
  role: Role;
  scopes?: string[];
  created: string;
  expires?: string;
  revoked?: string;
  /** Told once, when the token is made. */
  token?: string;
}
