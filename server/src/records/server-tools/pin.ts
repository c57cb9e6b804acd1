import type { McpServerRow, ServerToolRow } from "#storage/server-tables";

/** Whether an admin approved a tool's definition, and the last approved definition (GW-17). */
export type Pin = Pick<ServerToolRow, "pin" | "held" | "pinned_definition" | "pinned_digest" | "rejected_digest">;

/** The server whose tools are pinned. Before its first sync there is nothing to compare with. */
export type PinningServer = Pick<McpServerRow, "id" | "tool_policy" | "tools_synced_at">;

export const ACCEPTED: Pin = {
  pin: "accepted",
  held: false,
  pinned_definition: null,
  pinned_digest: null,
  rejected_digest: null,
};
