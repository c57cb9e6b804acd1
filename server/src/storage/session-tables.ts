/** The rows about sessions of MCP clients. */

/** Only of sessions of which there is something to say: what else they are stands in their sealed token. */
export interface McpSessionRow {
  /** The random id inside of the token; without its seal it opens nothing. */
  id: string;
  log_level: string | null;
  ended_at: number | null;
  updated_at: number;
}

export interface SessionTables {
  mcp_sessions: McpSessionRow;
}
