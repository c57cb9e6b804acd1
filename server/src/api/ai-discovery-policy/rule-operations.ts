import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { CursorPagination, Message, pageOf, totalCount } from "#api/kit/answers";
import { read, write } from "#api/kit/operation";
import { flagParameter, limitParameter, offsetParameter, targetParameter } from "#api/kit/parameters";
import { invalid, notFound, Refusal } from "#lib/errors";
import {
  countRules,
  deleteRule,
  findRule,
  insertRule,
  listRules,
  MOST_RULES,
  storeOrder,
  updateRule,
} from "#records/discovery";
import { findGroup } from "#records/groups";
import type { MainDb, MainTransaction } from "#storage/database";
import type { DiscoveryRuleRow } from "#storage/discovery-tables";
import { changePolicy } from "./change-policy.ts";
import { CreateRuleBody, DiscoveryRule, type GivenRule, presentRule, UpdateRuleBody } from "./schema.ts";

const TAG = "AI Discovery Policy";
const REEVALUATES = "All decisions about discovered items are made again, as after a change of the policy.";

export const listDiscoveryRules = read({
  id: "listDiscoveryRules",
  route: "GET /api/ai-discovery-policy/rules",
  tag: TAG,
  summary: "List rules",
  description: "In order of position. The first rule that matches an item decides.",
  scope: "admin:read",
  query: {
    cursor: offsetParameter("Zero-based offset of the first rule"),
    limit: limitParameter,
    includeTotal: flagParameter("Adds totalCount"),
  },
  answers: {
    200: z.object({
      data: z.array(DiscoveryRule),
      pagination: CursorPagination,
      totalCount: totalCount.optional(),
    }),
  },
  refusals: [400],
  onCrash: "Failed to retrieve rules",
  async run({ db, query: { cursor, limit, includeTotal } }) {
    const { page, hasMore } = pageOf(await listRules(db, { offset: cursor, limit: limit + 1 }), limit);
    const data = await Promise.all(page.map(async (row) => presentRule(row, await warningsOf(db, row))));
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    const total = includeTotal ? { totalCount: await countRules(db) } : {};
    return { status: 200, body: { data, pagination, ...total } };
  },
});

/** A rule keeps the name of a deleted group, and then never matches. */
async function warningsOf(db: MainDb, { match }: DiscoveryRuleRow): Promise<string[]> {
  const names = Array.isArray(match.groups) ? match.groups.filter((name) => typeof name === "string") : [];
  const groups = await Promise.all(names.map(async (name) => ({ name, group: await findGroup(db, name) })));
  return groups.filter(({ group }) => !group).map(({ name }) => `Group not found: ${name}`);
}

export const createDiscoveryRule = write({
  id: "createDiscoveryRule",
  route: "POST /api/ai-discovery-policy/rules",
  tag: TAG,
  summary: "Create a rule",
  description: REEVALUATES,
  scope: "admin:write",
  body: CreateRuleBody,
  answers: { 201: z.object({ data: DiscoveryRule }) },
  refusals: [400, 409, 429],
  onCrash: "Failed to create rule",
  async run({ tx, trail, body, actor, context }) {
    const id = context.newId("rule");
    await changePolicy({ tx, trail, actor, context }, "createDiscoveryRule", async (_policy, now) => {
      const others = await listRules(tx);
      if (others.length >= MOST_RULES) throw new Refusal("limit", `A policy can have at most ${MOST_RULES} rules`);
      const row: DiscoveryRuleRow = {
        ...{ id, position: others.length + 1, name: body.name, description: body.description ?? "" },
        ...{ enabled: body.enabled ?? true, kind: body.kind, action: body.action, match: matchOf(body.match) },
        ...{ message: body.message ?? null, expires_at: timeOf(body.expires_at) ?? null },
        ...{ created_at: now, updated_at: now },
      };
      await insertRule(tx, row);
      const position = await place(tx, others, id, body.position);
      return { rule: row, after: auditedRule({ ...row, position }) };
    });
    return { status: 201, body: { data: await present(tx, id) } };
  },
  async finish(answer, { context }) {
    await context.discovery.settle();
    return answer;
  },
});

export const updateDiscoveryRule = write({
  id: "updateDiscoveryRule",
  route: "PATCH /api/ai-discovery-policy/rules",
  tag: TAG,
  summary: "Update a rule",
  description: REEVALUATES,
  scope: "admin:write",
  query: { id: targetParameter("ID of the rule") },
  body: UpdateRuleBody,
  answers: { 200: z.object({ data: DiscoveryRule }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to update rule",
  async run({ tx, trail, query, body, actor, context }) {
    await changePolicy({ tx, trail, actor, context }, "updateDiscoveryRule", async (_policy, now) => {
      const row = await findRule(tx, query.id);
      if (!row) throw notFound.discoveryRule();
      const changes = changesOf(row, body);
      const others = (await listRules(tx)).filter(({ id }) => id !== row.id);
      const position = await place(tx, others, row.id, body.position ?? row.position);
      const rule = { ...row, ...changes, position };
      if (!isDeepStrictEqual(rule, row)) await updateRule(tx, row.id, { ...changes, updated_at: now });
      return { rule, before: auditedRule(row), after: auditedRule(rule) };
    });
    return { status: 200, body: { data: await present(tx, query.id) } };
  },
  async finish(answer, { context }) {
    await context.discovery.settle();
    return answer;
  },
});

export const deleteDiscoveryRule = write({
  id: "deleteDiscoveryRule",
  route: "DELETE /api/ai-discovery-policy/rules",
  tag: TAG,
  summary: "Delete a rule",
  description: REEVALUATES,
  scope: "admin:write",
  query: { id: targetParameter("ID of the rule") },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete rule",
  async run({ tx, trail, query, actor, context }) {
    await changePolicy({ tx, trail, actor, context }, "deleteDiscoveryRule", async () => {
      const rule = await findRule(tx, query.id);
      if (!rule) throw notFound.discoveryRule();
      await deleteRule(tx, rule.id);
      await storeOrder(
        tx,
        (await listRules(tx)).map(({ id }) => id),
      );
      return { rule, before: auditedRule(rule) };
    });
    return { status: 200, body: { message: "Rule deleted successfully" } };
  },
  async finish(answer, { context }) {
    await context.discovery.settle();
    return answer;
  },
});

const OrderBody = z
  .object({
    ids: z
      .array(z.string({ error: "must be a string" }), {
        error: ({ input }) => (input === undefined ? "ids is required" : "must be an array"),
      })
      .max(MOST_RULES, { error: "must contain every rule exactly once" })
      .describe("IDs of all rules in the new order"),
  })
  .meta({
    id: "OrderDiscoveryRules",
    description: "The new order",
    example: { ids: ["rule_01kc5v6q3zt9x4m2e8h7d5n1pw"] },
  });

export const orderDiscoveryRules = write({
  id: "orderDiscoveryRules",
  route: "PUT /api/ai-discovery-policy/rules/order",
  tag: TAG,
  summary: "Order the rules",
  description: REEVALUATES,
  scope: "admin:write",
  body: OrderBody,
  answers: { 200: z.object({ data: z.array(DiscoveryRule) }) },
  refusals: [400, 409],
  onCrash: "Failed to order rules",
  async run({ tx, trail, body, actor, context }) {
    await changePolicy({ tx, trail, actor, context }, "orderDiscoveryRules", async () => {
      const before = (await listRules(tx)).map(({ id }) => id);
      const given = new Set(body.ids);
      const isPermutation = given.size === body.ids.length && before.every((id) => given.has(id));
      if (!isPermutation || before.length !== body.ids.length) {
        throw invalid("ids", "must contain every rule exactly once");
      }
      await storeOrder(tx, body.ids);
      return { before: { ids: before }, after: { ids: body.ids } };
    });
    const rules = await listRules(tx);
    const data = await Promise.all(rules.map(async (row) => presentRule(row, await warningsOf(tx, row))));
    return { status: 200, body: { data } };
  },
  async finish(answer, { context }) {
    await context.discovery.settle();
    return answer;
  },
});

async function present(tx: MainTransaction, id: string) {
  const row = await findRule(tx, id);
  if (!row) throw notFound.discoveryRule();
  return presentRule(row, await warningsOf(tx, row));
}

/** Inserts the rule among the others, and resolves to its position. Without a position it is the last. */
async function place(
  tx: MainTransaction,
  others: readonly Pick<DiscoveryRuleRow, "id">[],
  id: string,
  position = others.length + 1,
): Promise<number> {
  const ids = others.map((rule) => rule.id);
  ids.splice(Math.min(position - 1, ids.length), 0, id);
  await storeOrder(tx, ids);
  return ids.indexOf(id) + 1;
}

function changesOf(row: DiscoveryRuleRow, body: GivenRule) {
  return {
    name: body.name ?? row.name,
    description: body.description ?? row.description,
    enabled: body.enabled ?? row.enabled,
    kind: body.kind ?? row.kind,
    action: body.action ?? row.action,
    match: body.match === undefined ? row.match : matchOf(body.match),
    message: body.message === undefined ? row.message : body.message,
    expires_at: body.expires_at === undefined ? row.expires_at : (timeOf(body.expires_at) ?? null),
  };
}

function matchOf(match: NonNullable<GivenRule["match"]>): DiscoveryRuleRow["match"] {
  return Object.fromEntries(Object.entries(match).filter(([, value]) => value !== undefined));
}

function timeOf(text: string | null | undefined): number | null | undefined {
  return text === null || text === undefined ? text : Date.parse(text);
}

function auditedRule(row: DiscoveryRuleRow) {
  const { name, description, enabled, position, kind, action, match, message, expires_at } = row;
  return { name, description, enabled, position, kind, action, match, message, expires_at };
}
