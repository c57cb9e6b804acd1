import { z } from "zod";
import { CursorPagination, isoTime, pageOf, timestamp } from "#api/kit/answers";
import { read, write } from "#api/kit/operation";
import { limitParameter, offsetParameter } from "#api/kit/parameters";
import { countDevicesToEvaluate, countRules, listHistory, readPolicy } from "#records/discovery";
import type { MainDb } from "#storage/database";
import type { DiscoveryPolicyRow } from "#storage/discovery-tables";
import { changePolicy } from "./change-policy.ts";
import { DiscoveryPolicy, presentPolicy, UpdatePolicyBody } from "./schema.ts";

const TAG = "AI Discovery Policy";

export const getDiscoveryPolicy = read({
  id: "getDiscoveryPolicy",
  route: "GET /api/ai-discovery-policy",
  tag: TAG,
  summary: "Get the AI discovery policy",
  scope: "admin:read",
  answers: { 200: z.object({ data: DiscoveryPolicy }) },
  refusals: [],
  onCrash: "Failed to retrieve the policy",
  async run({ db }) {
    return { status: 200, body: { data: await present(db, await readPolicy(db)) } };
  },
});

export const updateDiscoveryPolicy = write({
  id: "updateDiscoveryPolicy",
  route: "PATCH /api/ai-discovery-policy",
  tag: TAG,
  summary: "Update the AI discovery policy",
  description:
    "All decisions about discovered items are made again: before the response if that is fast, otherwise in the background.",
  scope: "admin:write",
  body: UpdatePolicyBody,
  answers: { 200: z.object({ data: DiscoveryPolicy }) },
  refusals: [400, 409],
  onCrash: "Failed to update the policy",
  async run({ tx, trail, body, actor, context }) {
    const row = await changePolicy({ tx, trail, actor, context }, "updateDiscoveryPolicy", async (policy) => {
      const fields = {
        enforcement: body.enforcement ?? policy.enforcement,
        default_mcp_servers: body.default_actions?.mcp_servers ?? policy.default_mcp_servers,
        default_skills: body.default_actions?.skills ?? policy.default_skills,
        always_allow_managed: body.always_allow_managed ?? policy.always_allow_managed,
        notify_users: body.notify_users ?? policy.notify_users,
      };
      return { fields, before: fieldsOf(policy), after: fields };
    });
    return { status: 200, body: { data: await present(tx, row) } };
  },
  async finish(answer, { db, context }) {
    await context.discovery.settle();
    return { ...answer, body: { data: await present(db, await readPolicy(db)) } };
  },
});

function fieldsOf(row: DiscoveryPolicyRow) {
  const { enforcement, default_mcp_servers, default_skills, always_allow_managed, notify_users } = row;
  return { enforcement, default_mcp_servers, default_skills, always_allow_managed, notify_users };
}

async function present(db: MainDb, row: DiscoveryPolicyRow) {
  const toEvaluate = await countDevicesToEvaluate(db, row.evaluation);
  return presentPolicy(row, { rules: await countRules(db), toEvaluate });
}

const HistoryEntry = z.object({
  id: z.string().describe("ID of the change"),
  version: z.int().describe("The version of the policy since the change"),
  ts: timestamp("When"),
  actor: z.string().describe("Who"),
  operation: z.string().describe("The operation"),
  rule_id: z.string().nullable().describe("The rule that was changed"),
  rule_name: z.string().nullable().describe("Its name"),
  before: z.record(z.string(), z.unknown()).nullable().describe("The changed fields before"),
  after: z.record(z.string(), z.unknown()).nullable().describe("The changed fields after"),
});

export const listDiscoveryPolicyHistory = read({
  id: "listDiscoveryPolicyHistory",
  route: "GET /api/ai-discovery-policy/history",
  tag: TAG,
  summary: "List changes of the AI discovery policy",
  description: "Newest first.",
  scope: "admin:read",
  query: { cursor: offsetParameter("Zero-based offset of the first entry"), limit: limitParameter },
  answers: { 200: z.object({ data: z.array(HistoryEntry), pagination: CursorPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve the history",
  async run({ db, query: { cursor, limit } }) {
    const { page, hasMore } = pageOf(await listHistory(db, { offset: cursor, limit: limit + 1 }), limit);
    const data = page.map(({ at, actor_id: _, actor_name: actor, before, after, ...row }) => ({
      ...row,
      ts: isoTime(at),
      actor,
      // Written by `changePolicy`, from plain objects.
      before: before as Record<string, unknown> | null,
      after: after as Record<string, unknown> | null,
    }));
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    return { status: 200, body: { data, pagination } };
  },
});
