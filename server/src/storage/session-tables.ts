/** The rows about sessions of MCP clients. */

/** Only of sessions of which there is something to say: what else they are stands in their sealed token. */
export interface McpSessionRow {
  /** The random id inside of the token; without its seal it opens nothing. */
  id: string;
  log_level: string | null;
  ended_at: number | null;
  updated_at: number;
}

/** A session at an upstream that any process may go on with. */
export interface UpstreamSessionRow {
  /** Of this opening: when it is lost, another one takes its place under another id. */
  id: string;
  /** Of what there is one at most for. */
  key_hash: string;
  mcp_session_id: string;
  server_id: string;
  user_id: string;
  /** Whoever knows the upstream's id of it can speak in it. */
  sealed_session: string;
  opened_at: number;
  /** To some minutes. */
  used_at: number;
}

/** A resource that a session wants to hear of. */
export interface McpSubscriptionRow {
  /** Of session, server and address: these may be longer than an index takes. */
  key_hash: string;
  mcp_session_id: string;
  server_id: string;
  uri: string;
  asked_uri: string;
  /** The process that took it, or took it over. */
  held_by: string | null;
  /** What the one before it said since: whether the caller may have missed something. */
  handed_over: "quiet" | "missed" | null;
  created_at: number;
  /** To some hours. */
  used_at: number;
}

/** What a process heard in a session and another is to take; it lives for seconds. */
export interface ReplicaMessagesRow {
  id: string;
  mcp_session_id: string;
  /** Who can take it: whoever can ask the caller, has the session's stream, or waits for that call, which `cancel` ends. */
  kind: "question" | "stream" | "call" | "cancel";
  /** Of `call` our id of it, of `cancel` the caller's. */
  call_id: string | null;
  /** Under a key that every process has. */
  messages: string;
  created_at: number;
}

export interface SessionTables {
  passed_messages: ReplicaMessagesRow;
  mcp_subscriptions: McpSubscriptionRow;
  upstream_sessions: UpstreamSessionRow;
  mcp_sessions: McpSessionRow;
}
