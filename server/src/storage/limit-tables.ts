/** Limits of calls (F57). Null: no limit. */
export interface CallLimitColumns {
  calls_per_minute: number | null;
  concurrent_calls: number | null;
}

/** By the server's name of the tool, apart from the tools, because each sync replaces those. */
interface ToolLimitRow extends CallLimitColumns {
  server_id: string;
  tool_name: string;
}

export interface LimitTables {
  tool_limits: ToolLimitRow;
}
