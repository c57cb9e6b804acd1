import { z } from "zod";
import { read } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { connectsAutomatically } from "#connect/connect";
import { shows } from "#gateway/snapshot/resolve";
import type { ServerEntry, Snapshot, UserEntry } from "#gateway/snapshot/shape";
import { findConnection } from "#records/connections";
import { groupNames } from "#records/groups";
import { findServerById } from "#records/mcp-servers";
import { listedToolsOf } from "#records/server-tools";
import { findUser } from "#records/users";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { UserRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";
import { evaluate, type Facts, type Reason, reasonOf, stepsOf } from "./explanation.ts";
import { CHECKS, Explanation } from "./schema.ts";

/** D22, AZ-2: the verdict comes from the function that decides calls. */
export const explainAccess = read({
  id: "explainAccess",
  route: "GET /api/access/explain",
  tag: "Access",
  summary: "Explain why a user can or cannot call a tool",
  description:
    "Returns every step of the gateway's decision, the verdict, and how to change it. The tool does not have to exist.",
  scope: "admin:read",
  query: {
    email: targetParameter("The user's email", "ada@example.com"),
    tool: targetParameter("The gateway name of the tool", "github__create_issue"),
  },
  answers: { 200: z.object({ data: Explanation }) },
  refusals: [400],
  onCrash: "Failed to explain access",
  async run({ db, query: { email, tool }, context }) {
    const row = await findUser(db, email);
    const snapshot = context.snapshots.current();
    const user = row && snapshot.usersById.get(row.id);
    if (!user) return { status: 200, body: { data: unknownUser(email, tool) } };
    const evaluation = evaluate(snapshot, user, tool);
    const facts = await readFacts(db, evaluation.server, tool, (server) =>
      connectionState(db, context.vault, row, server),
    );
    const reason = reasonOf(evaluation, facts);
    const verdict = reason === "allowed" || reason === "not_connected" ? reason : "refused";
    const groups = evaluation.server ? groupsWithServer(snapshot, user, evaluation.server, facts) : [];
    const { says, next } = TEXT[reason];
    const steps = stepsOf(evaluation, facts);
    return {
      status: 200,
      body: { data: { email: user.email, tool, verdict, reason, says, next_step: next, groups, steps } },
    };
  },
});

function unknownUser(email: string, tool: string): z.input<typeof Explanation> {
  const steps = CHECKS.map((check) =>
    check === "user"
      ? { check, passed: false, says: "No user has this email" }
      : { check, passed: null, says: "Not checked, because the user does not exist" },
  );
  const { says, next } = TEXT.unknown_user;
  return { email, tool, verdict: "refused", reason: "unknown_user", says, next_step: next, groups: [], steps };
}

async function readFacts(
  db: MainDb,
  server: ServerEntry | undefined,
  name: string,
  connectionTo: (server: McpServerRow) => Promise<Facts["connection"]>,
): Promise<Facts> {
  const nothing = { groupNames: new Map(), syncError: undefined, hiddenTool: undefined } as const;
  if (!server) return { ...nothing, connection: "not_required" };
  const toolName = name.slice(server.slug.length + "__".length);
  const tools = await listedToolsOf(db, server.id);
  const tool = tools.find((one) => one.slug === toolName) ?? tools.find((one) => one.upstream_name === toolName);
  const record = await findServerById(db, server.id);
  return {
    groupNames: await groupNames(db, [...server.groupIds]),
    syncError: record?.sync_error ?? undefined,
    hiddenTool: tool?.enabled === false ? "disabled" : tool?.held ? "held" : undefined,
    connection: record ? await connectionTo(record) : "not_required",
  };
}

async function connectionState(
  db: MainDb,
  vault: Vault,
  user: UserRow,
  server: McpServerRow,
): Promise<Facts["connection"]> {
  if (server.upstream_url === null || server.auth_type === "none") return "not_required";
  const connection = await findConnection(db, user.id, server.id);
  return connection?.state ?? (connectsAutomatically(vault, user, server) ? "connected" : "not_connected");
}

function groupsWithServer(snapshot: Snapshot, user: UserEntry, server: ServerEntry, { groupNames: names }: Facts) {
  const groups = [...server.groupIds].flatMap((id) => {
    const group = snapshot.groups.get(id);
    const name = names.get(id);
    if (!group || name === undefined) return [];
    return [{ name, member: user.groupIds.includes(id), gives: shows(group, server) }];
  });
  return groups.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const TEXT: Readonly<Record<Reason, { readonly says: string; readonly next: string | null }>> = {
  allowed: { says: "The user can call this tool.", next: null },
  unknown_user: { says: "No user has this email.", next: "Check the email, or create the user." },
  user_disabled: { says: "The user is disabled and has no access.", next: "Enable the user." },
  malformed_name: {
    says: "This is not a gateway tool name.",
    next: "Use the form {server}__{tool}, such as github__create_issue.",
  },
  unknown_server: {
    says: "No server has this slug.",
    next: "Check the part before the double underscore, or create the server.",
  },
  no_group: {
    says: "No group gives the user access to this server.",
    next: "Add the user to a group that contains the server, or add the server to one of the user's groups.",
  },
  draft: {
    says: "The server is a draft, and none of the user's groups shows drafts.",
    next: "Activate the server, or turn on show_draft_mcps for a group that contains the user and the server.",
  },
  no_upstream: {
    says: "The server needs setup: it has no upstream yet.",
    next: "Set the server's upstream (mcp_proxy).",
  },
  not_synced: {
    says: "The server's tools have not been synced yet.",
    next: "Sync the server and fix the reported error. A server with per-user authentication syncs after the first user connects.",
  },
  unknown_tool: {
    says: "The server has no tool with this name.",
    next: "Check the part after the double underscore, or sync the server if the tool is new.",
  },
  tool_disabled: { says: "The tool is disabled.", next: "Enable the tool." },
  tool_held: {
    says: "The tool is new or has changed and is held for review.",
    next: "Review the server's tool changes and accept the tool.",
  },
  not_connected: {
    says: "The user has access to this tool but is not connected to the server.",
    next: "Connect the user's account to the server.",
  },
};
