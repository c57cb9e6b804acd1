/** Every write of commands once, in an order in which each can succeed: its name, request, and sides in the audit log. */
export const COMMAND_WRITES: readonly [string, string, string, object | undefined, string][] = [
  ["createCommand", "POST", "/api/commands", { name: "Notes", content: "Write notes for {{version}}" }, "after"],
  ["updateCommand", "PATCH", "/api/commands?slug=notes", { content: "Changed" }, "both"],
  ["importCommand", "POST", "/api/commands/import", { markdown: "Fix issue $1", slug: "fix" }, "after"],
  ["addCommandsToGroup", "POST", "/api/groups/changed/commands", { slugs: ["notes"] }, "after"],
  ["removeCommandFromGroup", "DELETE", "/api/groups/changed/commands?slug=notes", undefined, "before"],
  ["deleteCommand", "DELETE", "/api/commands?slug=notes", undefined, "before"],
];
