/** A request of a person for access, and the decision about it. */
export interface AccessRequestRow {
  id: string;
  user_id: string;
  server_id: string;
  /** The requested tools, by their names at the server. Empty: the whole server. */
  tool_names: string[];
  reason: string;
  status: "pending" | "approved" | "denied" | "withdrawn";
  /** What the admin wrote about the decision. */
  message: string | null;
  /** The group through which access was granted, by its name at that time. */
  group_name: string | null;
  /** The name of the actor who decided. */
  decided_by: string | null;
  decided_at: number | null;
  created_at: number;
}

export interface RequestTables {
  access_requests: AccessRequestRow;
}
