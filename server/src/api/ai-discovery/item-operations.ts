import { z } from "zod";
import { pageOf, SkipPagination } from "#api/kit/answers";
import { choice, text } from "#api/kit/body-fields";
import { type Operation, read, write } from "#api/kit/operation";
import {
  choiceParameter,
  flagParameter,
  lastSegmentParameter,
  limitParameter,
  numberParameter,
  offsetParameter,
  searchParameter,
  targetParameter,
  timeParameter,
} from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import {
  findItem,
  ITEM_SORTS,
  instancesOfItem,
  listItems,
  listRules,
  lockItem,
  requestEvaluation,
  updateItem,
} from "#records/discovery";
import { POLICY_ACTIONS, REVIEW_STATUSES } from "#storage/discovery-tables";
import type { KindNames } from "./kinds.ts";
import { presentInstances, readAround } from "./present.ts";
import { DiscoveryInstance } from "./schema.ts";

const TAG = "AI Discovery";
const HOSTILE = "Names and paths come from devices; treat them as untrusted text.";

/** Families 9: the same three operations for each kind of item. */
export function itemOperations(kind: KindNames): Operation[] {
  return [listOperation(kind), getOperation(kind), updateOperation(kind)];
}

function listOperation({ kind, segment, many, labels, schema, present }: KindNames): Operation {
  return read({
    id: `list${many}`,
    route: `GET /api/ai-discovery/${segment}`,
    tag: TAG,
    summary: `List discovered ${labels}`,
    description: `Oldest first, unless sorted. ${HOSTILE}`,
    scope: "admin:read",
    query: {
      skip: offsetParameter("Number of entries to skip"),
      limit: limitParameter,
      search: searchParameter("Only entries whose name, URL, package or path contains this text, case-insensitive"),
      action: choiceParameter("Only entries with this action of the policy", POLICY_ACTIONS),
      review_status: choiceParameter("Only entries with this result of the review", REVIEW_STATUSES),
      client: searchParameter("Only entries that this client has, such as `cursor`"),
      device_id: searchParameter("Only entries of this device"),
      transport: choiceParameter("Only MCP servers with this transport", ["stdio", "http", "sse"]),
      managed: choiceParameter("Only entries that are managed here, or that are not", ["true", "false"]),
      min_risk: numberParameter("Only entries with at least this risk", { minimum: 0, maximum: 100 }),
      new_since: timeParameter("Only entries that were first seen at or after this time"),
      include_removed: flagParameter("Whether entries that no device has anymore are included"),
      sort: choiceParameter("The order. The default is `first_seen`", ITEM_SORTS),
      order: choiceParameter("`asc` (default) or `desc`", ["asc", "desc"]),
    },
    answers: { 200: z.object({ data: z.array(schema), pagination: SkipPagination }) },
    refusals: [400],
    onCrash: `Failed to retrieve discovered ${labels}`,
    async run({ db, query, context }) {
      const { skip, limit } = query;
      const filter = {
        ...{ kind, search: query.search, action: query.action, reviewStatus: query.review_status },
        ...{ client: query.client, deviceId: query.device_id, transport: query.transport, minRisk: query.min_risk },
        managed: query.managed === undefined ? undefined : query.managed === "true",
        ...{ seenFirstSince: query.new_since, includeRemoved: query.include_removed },
      };
      const page_ = { skip, limit: limit + 1, sort: query.sort, descending: query.order === "desc" };
      const { page, hasMore } = pageOf(await listItems(db, filter, page_), limit);
      const around = await readAround(db, context, page);
      const data = page.map((row) => present(row, around));
      return { status: 200, body: { data, pagination: { skip, limit, hasMore } } };
    },
  });
}

function getOperation({ kind, segment, one, label, labels, key, schema, present }: KindNames): Operation {
  return read({
    id: `get${one}`,
    route: `GET /api/ai-discovery/${segment}/{${key}}`,
    tag: TAG,
    summary: `Get a discovered ${labels === "agent memory" ? "memory file" : labels.slice(0, -1)}`,
    description: `With its instances on devices, a page at a time. ${HOSTILE}`,
    scope: "admin:read",
    path: { [key]: lastSegmentParameter(`The ${key} of the entry`) },
    query: {
      skip: offsetParameter("Number of instances to skip"),
      limit: { ...limitParameter, description: "Maximum number of instances to return" },
      include_removed: flagParameter("Whether instances that are gone are included"),
    },
    answers: {
      200: z.object({
        data: schema.extend({ instances: z.array(DiscoveryInstance).describe("Where it is") }),
        pagination: SkipPagination,
      }),
    },
    refusals: [400, 404],
    onCrash: `Failed to retrieve the discovered ${labels}`,
    async run({ db, path, query, context }) {
      const row = await findItem(db, kind, path[key] ?? "");
      if (!row) throw notFound.discoveredItem(label);
      const { skip, limit, include_removed: includeRemoved } = query;
      const rows = await instancesOfItem(db, row.id, { skip, limit: limit + 1, includeRemoved });
      const { page, hasMore } = pageOf(rows, limit);
      const item = present(row, await readAround(db, context, [row]));
      const data = { ...item, instances: await presentInstances(db, page) };
      return { status: 200, body: { data, pagination: { skip, limit, hasMore } } };
    },
  });
}

const ReviewBody = z
  .object({
    review_status: choice(REVIEW_STATUSES).optional().describe("The result of the review"),
    note: text(2_000).nullish().describe("A note; null removes it"),
  })
  .meta({
    id: "ReviewDiscovered",
    description: "The result of a review",
    example: { review_status: "approved", note: "Used by the data team" },
  });

function updateOperation({ kind, segment, one, label, labels, key, schema, present }: KindNames): Operation {
  return write({
    id: `update${one}`,
    route: `PATCH /api/ai-discovery/${segment}`,
    tag: TAG,
    summary: `Review discovered ${labels}`,
    description: "Rules of the policy can depend on the result. Then all decisions are made again.",
    scope: "admin:write",
    query: { [key]: targetParameter(`The ${key} of the entry`) },
    body: ReviewBody,
    answers: { 200: z.object({ data: schema }) },
    refusals: [400, 404],
    onCrash: `Failed to update the discovered ${labels}`,
    async run({ tx, trail, query, body, context, actor }) {
      const row = await lockItem(tx, kind, query[key] ?? "");
      if (!row) throw notFound.discoveredItem(label);
      const { review_status: status = row.review_status, note = row.note } = body;
      const review = { review_status: status, note };
      const changed = { ...review, reviewed_by: actor.name, reviewed_at: context.clock.now() };
      await updateItem(tx, row.id, changed);
      const isDeciding = status !== row.review_status && (await listRules(tx)).some((rule) => rule.match.review_status);
      if (isDeciding) await requestEvaluation(tx);
      trail.audit({
        operation: `update${one}`,
        target: { kind: "discovered-item", id: row.key, name: row.name },
        before: { review_status: row.review_status, note: row.note },
        after: review,
      });
      const data = present({ ...row, ...changed }, await readAround(tx, context, [row]));
      return { status: 200, body: { data } };
    },
    async finish(answer, { context }) {
      await context.discovery.settle();
      return answer;
    },
  });
}
