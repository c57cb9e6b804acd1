import type { Generated } from "kysely";

/** The rows of the call log database. */

export interface CallTables {
  log_names: { id: number; value: string };
  calls: {
    id: number;
    at: number;
    duration_us: number;
    outcome: number;
    method: number;
    user_id: number;
    user_email: number;
    server: number | null;
    tool: number | null;
    request_bytes: number;
    response_bytes: number;
    request_id: string;
    error: string | null;
    via: number | null;
    client: number | null;
    /** 1 once the call is counted in `call_minutes`. */
    rolled_up: Generated<number>;
    forwarded_us: Generated<number | null>;
    trace_id: Generated<string | null>;
    toolkit: Generated<number | null>;
    exposed_tool: Generated<number | null>;
    toolkit_conflict: Generated<number | null>;
    guard_action: Generated<number | null>;
    guard: Generated<number | null>;
    /** JSON: which checks found how much, without any text. */
    guard_findings: Generated<string | null>;
    approval_id: Generated<string | null>;
    agent_session: Generated<string | null>;
  };
  /** `id` is the request ID. */
  call_payloads: { id: string; at: number; bytes: number; capture: string; sealed: string };
  call_minutes: {
    minute: number;
    server: number;
    tool: number;
    user_email: number;
    method: number;
    outcome: number;
    bucket: number;
    calls: number;
    duration_us: number;
  };
  /** Ten minutes each. */
  call_spans: { span: number; method: number; outcome: number; bucket: number; calls: number; duration_us: number };
  call_hours: {
    /** 1: a server, 2: a tool of the server `within`, 3: a user. */
    kind: number;
    hour: number;
    name: number;
    within: number;
    method: number;
    outcome: number;
    calls: number;
  };
  /** The kinds of `call_hours`, and 0: everyone. */
  call_days: {
    kind: number;
    day: number;
    name: number;
    within: number;
    method: number;
    outcome: number;
    calls: number;
  };
  call_day_durations: {
    kind: number;
    name: number;
    within: number;
    day: number;
    method: number;
    outcome: number;
    bucket: number;
    calls: number;
    duration_us: number;
  };
  call_errors: {
    minute: number;
    server: number;
    outcome: number;
    message: string;
    calls: number;
    first_at: number;
    last_at: number;
  };
  /** How often guards were evaluated and fired, by their IDs. */
  guard_counts: {
    guard_id: string;
    evaluated: number;
    fired: number;
    last_fired_at: number | null;
    updated_at: number;
  };
  spool_positions: { spool: string; position: number; updated_at: number };
  log_counters: { name: string; value: number };
}
