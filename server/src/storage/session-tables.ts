/** The rows of MCP sessions. */

/** Only for sessions with stored state; everything else is in their sealed token. */
export interface McpSessionRow {
  /** The random ID inside the token; useless without the seal. */
  id: string;
  log_level: string | null;
  ended_at: number | null;
  updated_at: number;
}

/** A session at an upstream that any process can continue. */
export interface UpstreamSessionRow {
  /** Identifies this opening. A session that replaces it has another ID. */
  id: string;
  /** There is at most one row per key. */
  key_hash: string;
  mcp_session_id: string;
  server_id: string;
  user_id: string;
  /** Sealed, because anyone who knows the upstream's session ID can use the session. */
  sealed_session: string;
  opened_at: number;
  /** Accurate to some minutes. */
  used_at: number;
}

/** A resource that a session subscribed to. */
export interface McpSubscriptionRow {
  /** Hash of session, server and URI, which can be longer than an index allows. */
  key_hash: string;
  mcp_session_id: string;
  server_id: string;
  uri: string;
  asked_uri: string;
  /** The process that holds the subscription. */
  held_by: string | null;
  /** What the previous holder reported: whether the caller may have missed an update. */
  handed_over: "quiet" | "missed" | null;
  created_at: number;
  /** Accurate to some hours. */
  used_at: number;
}

/** Messages that one process received in a session for another process; they live for seconds. */
export interface ReplicaMessagesRow {
  id: string;
  mcp_session_id: string;
  /**
   * The process that needs it: one that can send requests to the caller, has the session's stream, or waits for the
   * call; `cancel` ends a call.
   */
  kind: "question" | "stream" | "call" | "cancel" | "mail";
  /** For `call` the gateway's call ID, for `cancel` the caller's. */
  call_id: string | null;
  /** Sealed with a key that every process has. */
  messages: string;
  created_at: number;
}

/** A link to a resource that a tool returned to a user. */
export interface LinkedResourceRow {
  /** Hash of user and URI. */
  key_hash: string;
  user_id: string;
  server_id: string;
  linked_at: number;
}

/** What the stream of a caller was notified of. */
export interface CallerStreamRow {
  id: string;
  /** Hash of user, client and scope. */
  caller_hash: string;
  /** Hashes of the lists, by kind. */
  lists: Record<string, string>;
  /** Hashes of the URIs that it subscribed to. */
  resources: string[];
  /** Accurate to some minutes. */
  seen_at: number;
}

export interface SessionTables {
  linked_resources: LinkedResourceRow;
  caller_streams: CallerStreamRow;
  passed_messages: ReplicaMessagesRow;
  mcp_subscriptions: McpSubscriptionRow;
  upstream_sessions: UpstreamSessionRow;
  mcp_sessions: McpSessionRow;
}
