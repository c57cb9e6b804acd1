import { z } from "zod";
import { CursorPagination, totalCount } from "#api/kit/answers";
import type { ApiContext } from "#api/kit/api-context";
import { read } from "#api/kit/operation";
import { choiceParameter, limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { type Resolution, resolve } from "#gateway/snapshot/resolve";
import type { ServerEntry, Snapshot, UserEntry } from "#gateway/snapshot/shape";
import { invalid, notFound } from "#lib/errors";
import { groupNames } from "#records/groups";
import { findServer } from "#records/mcp-servers";
import { matchingUserIds, userNames } from "#records/users";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import { grantAccess } from "./explanation.ts";
import { type ConnectionState, connectionStates, hiddenTool } from "./facts.ts";
import { REASON_TEXT, type Reason, type Refusal, reasonOf, verdictOf } from "./reasons.ts";
import { AccessCaller, CallersSummary, VERDICTS } from "./schema.ts";

/** D22, AZ-2: decides for every user of this process's snapshot, with the function that decides calls. */
export const listCallers = read({
  id: "listCallers",
  route: "GET /api/access/callers",
  tag: "Access",
  summary: "List the users who can call a tool, and why others cannot",
  description:
    "Requires either `tool` or `server`. Returns all users and machine users: first those who can call it, then those who are not connected, then those without access, each ordered by email.",
  scope: "admin:read",
  query: {
    tool: searchParameter("The gateway name of the tool, such as `github__create_issue`"),
    server: searchParameter("The slug of an MCP server, to list who can call its tools"),
    verdict: choiceParameter("Only users with this verdict", VERDICTS),
    search: searchParameter("Only users whose name or email contains this text, case-insensitive"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
  },
  answers: {
    200: z.object({
      data: z.array(AccessCaller),
      summary: CallersSummary,
      pagination: CursorPagination,
      totalCount,
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to retrieve callers",
  async run({ db, query, context }) {
    const { verdict, search, cursor, limit } = query;
    const snapshot = context.snapshots.current();
    const target = await findTarget(db, snapshot, query);
    const { callers, blockedBy } = await evaluateAll(db, context, snapshot, target);
    const matching = search === undefined ? undefined : await matchingUserIds(db, search);
    const found = callers.filter(
      ({ user, reason }) =>
        (verdict === undefined || verdictOf(reason) === verdict) && (matching?.has(user.id) ?? true),
    );
    const hasMore = cursor + limit < found.length;
    return {
      status: 200,
      body: {
        data: await presentCallers(db, snapshot, target, found.slice(cursor, cursor + limit)),
        summary: {
          server: target.server.slug,
          tool: target.tool === undefined ? null : `${target.server.slug}__${target.tool}`,
          ...countVerdicts(callers),
          blocked_by: blockedBy ?? null,
          next_step: blockedBy ? REASON_TEXT[blockedBy].next : null,
        },
        pagination: { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null },
        totalCount: found.length,
      },
    };
  },
});

interface Target {
  readonly server: ServerEntry;
  readonly record: McpServerRow;
  /** The part of the gateway name after the slug. Undefined: any tool of the server. */
  readonly tool: string | undefined;
}

async function findTarget(
  db: MainDb,
  snapshot: Snapshot,
  { tool: name, server: slug }: { readonly tool: string | undefined; readonly server: string | undefined },
): Promise<Target> {
  if ((name === undefined) === (slug === undefined)) throw invalid("tool", "either tool or server is required");
  const split = name?.indexOf("__") ?? -1;
  if (name !== undefined && split <= 0) throw invalid("tool", "must have the form {server}__{tool}");
  const record = await findServer(db, slug ?? name?.slice(0, split) ?? "");
  const server = record && snapshot.serversById.get(record.id);
  if (!server) throw notFound.mcpServer();
  return { server, record, tool: name?.slice(split + "__".length) };
}

interface Caller {
  readonly user: UserEntry;
  readonly reason: Reason;
  readonly connection: ConnectionState;
}

/** Every user with a verdict, in the order of the list, and the reason that blocks all users, if there is one. */
async function evaluateAll(
  db: MainDb,
  { vault }: Pick<ApiContext, "vault">,
  snapshot: Snapshot,
  { server, record, tool }: Target,
): Promise<{ callers: Caller[]; blockedBy: Reason | undefined }> {
  const stateOf = await connectionStates(db, vault, record);
  const hidden = tool === undefined ? undefined : await hiddenTool(db, server, tool);
  const callers: Caller[] = [];
  for (const [, user] of snapshot.usersById) {
    const connection = stateOf(user.id);
    const refusal = refusalOf(resolve(snapshot, { user }), server, tool);
    callers.push({ user, connection, reason: reasonOf(refusal, { hiddenTool: hidden, connection }) });
  }
  const anyUser = { id: "", email: "", isMachine: false, disabled: false, groupIds: [] };
  const refusal = refusalOf(grantAccess(snapshot, server, anyUser), server, tool);
  const blockedBy = refusal && reasonOf(refusal, { hiddenTool: hidden, connection: "not_required" });
  return { callers: callers.sort(byVerdictThenEmail), blockedBy };
}

/** Undefined: the gateway forwards calls of this tool, or of any tool of the server. */
function refusalOf(resolution: Resolution, server: ServerEntry, tool: string | undefined): Refusal | undefined {
  // Without a tool, any name reaches the checks of the user and the server.
  const decision = resolution.named("tools", `${server.slug}__${tool ?? server.tools.items[0]?.slug ?? "_"}`);
  if (decision.kind !== "refused") return undefined;
  if (tool !== undefined) return decision.reason;
  if (decision.reason === "not-in-toolkit" && resolution.exposure(server)?.tools().length === 0) return decision.reason;
  return CONCERNS_ONE_TOOL.has(decision.reason) ? undefined : decision.reason;
}

const CONCERNS_ONE_TOOL: ReadonlySet<Refusal> = new Set(["unknown-tool", "not-selected", "not-in-toolkit"]);

function byVerdictThenEmail(a: Caller, b: Caller): number {
  const rank = ({ reason }: Caller) => VERDICTS.indexOf(verdictOf(reason));
  return rank(a) - rank(b) || (a.user.email < b.user.email ? -1 : 1);
}

function countVerdicts(callers: readonly Caller[]) {
  const counts = { allowed: 0, not_connected: 0, refused: 0 };
  for (const { reason } of callers) counts[verdictOf(reason)]++;
  return counts;
}

async function presentCallers(
  db: MainDb,
  snapshot: Snapshot,
  { server, tool }: Target,
  callers: readonly Caller[],
): Promise<z.input<typeof AccessCaller>[]> {
  const upstreamName = tool === undefined ? undefined : (server.tools.byKey.get(tool)?.upstreamName ?? tool);
  const through = callers.map(({ user }) => resolve(snapshot, { user }).groupsThrough(server, upstreamName));
  const groups = await groupNames(db, [...new Set(through.flat().map(({ id }) => id))]);
  const people = await userNames(
    db,
    callers.map(({ user }) => user.id),
  );
  return callers.map(({ user, reason, connection }, at) => ({
    email: user.email,
    name: people.get(user.id)?.name ?? user.email,
    is_machine_user: user.isMachine,
    verdict: verdictOf(reason),
    reason,
    says: REASON_TEXT[reason].says,
    groups: (through[at] ?? []).flatMap(({ id }) => groups.get(id) ?? []).sort(),
    connection,
  }));
}
