import { z } from "zod";
import { read } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { connectsByItself } from "#connect/connect";
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
import { type Facts, judge, type Reason, reasonOf, stepsOf } from "./explanation.ts";
import { CHECKS, Explanation } from "./schema.ts";

/** D22, AZ-2: the verdict is that of the function which decides the call; the rest says why and what to do. */
export const explainAccess = read({
  id: "explainAccess",
  route: "GET /api/access/explain",
  tag: "Access",
  summary: "Explain why a user can or cannot call a tool",
  description: "Every step that the gateway takes, its verdict, and what would change it. The tool need not exist.",
  scope: "admin:read",
  query: {
    email: targetParameter("The user's e-mail", "ada@example.com"),
    tool: targetParameter("The tool's name at the gateway", "github__create_issue"),
  },
  answers: { 200: z.object({ data: Explanation }) },
  refusals: [400],
  onCrash: "Failed to explain access",
  async run({ db, query: { email, tool }, context }) {
    const row = await findUser(db, email);
    const snapshot = context.snapshots.current();
    const user = row && snapshot.usersById.get(row.id);
    if (!user) return { status: 200, body: { data: unknownUser(email, tool) } };
    const judgement = judge(snapshot, user, tool);
    const facts = await readFacts(db, judgement.server, tool, (server) => standing(db, context.vault, row, server));
    const reason = reasonOf(judgement, facts);
    const verdict = reason === "allowed" || reason === "not_connected" ? reason : "refused";
    const groups = judgement.server ? holdingGroups(snapshot, user, judgement.server, facts) : [];
    const { says, next } = WORDS[reason];
    const steps = stepsOf(judgement, facts);
    return {
      status: 200,
      body: { data: { email: user.email, tool, verdict, reason, says, next_step: next, groups, steps } },
    };
  },
});

function unknownUser(email: string, tool: string): z.input<typeof Explanation> {
  const steps = CHECKS.map((check) =>
    check === "user"
      ? { check, passed: false, says: "No user has this e-mail" }
      : { check, passed: null, says: "Not looked at: there is no such user" },
  );
  const { says, next } = WORDS.unknown_user;
  return { email, tool, verdict: "refused", reason: "unknown_user", says, next_step: next, groups: [], steps };
}

async function readFacts(
  db: MainDb,
  server: ServerEntry | undefined,
  name: string,
  standingWith: (server: McpServerRow) => Promise<Facts["connection"]>,
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
    connection: record ? await standingWith(record) : "not_required",
  };
}

async function standing(db: MainDb, vault: Vault, user: UserRow, server: McpServerRow): Promise<Facts["connection"]> {
  if (server.upstream_url === null || server.auth_type === "none") return "not_required";
  const connection = await findConnection(db, user.id, server.id);
  return connection?.state ?? (connectsByItself(vault, user, server) ? "connected" : "not_connected");
}

function holdingGroups(snapshot: Snapshot, user: UserEntry, server: ServerEntry, { groupNames: names }: Facts) {
  const groups = [...server.groupIds].flatMap((id) => {
    const group = snapshot.groups.get(id);
    const name = names.get(id);
    if (!group || name === undefined) return [];
    return [{ name, member: user.groupIds.includes(id), gives: shows(group, server) }];
  });
  return groups.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const WORDS: Readonly<Record<Reason, { readonly says: string; readonly next: string | null }>> = {
  allowed: { says: "The user may call this tool.", next: null },
  unknown_user: { says: "There is no user with this e-mail.", next: "Check the e-mail, or create the user." },
  user_disabled: { says: "The user is disabled and reaches nothing.", next: "Enable the user." },
  malformed_name: {
    says: "This is no name of a tool at the gateway.",
    next: "Give the name as {server}__{tool}, such as github__create_issue.",
  },
  unknown_server: {
    says: "There is no server with this slug.",
    next: "Check the part before the two underscores, or create the server.",
  },
  no_group: {
    says: "No group gives the user this server.",
    next: "Add the user to a group that holds the server, or the server to a group of the user.",
  },
  draft: {
    says: "The server is a draft, and no group of the user shows drafts.",
    next: "Make the server active, or turn on show_draft_mcps for a group that the user and the server are in.",
  },
  no_upstream: { says: "The server has no upstream yet.", next: "Give the server its upstream with mcp_proxy." },
  not_synced: {
    says: "The server's tools have never been read, so none can be called.",
    next: "Sync the server and mend what that reports; a server that asks users to connect is read once one has.",
  },
  unknown_tool: {
    says: "The server lists no tool of this name.",
    next: "Check the part after the two underscores, or sync the server if the tool is new.",
  },
  tool_disabled: { says: "An admin has switched the tool off.", next: "Switch the tool on." },
  tool_held: {
    says: "The tool is new or has changed, and the server's tool_policy holds it.",
    next: "Look at the server's tool changes and accept the tool.",
  },
  not_connected: {
    says: "The user may call this tool once they have connected to the server.",
    next: "Let the user connect to the server.",
  },
};
