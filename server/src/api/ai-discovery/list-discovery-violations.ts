import { z } from "zod";
import { isoTime, pageOf, SkipPagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { emailOf, findDevices, findInstances, findItems, itemId, listRules, listViolations } from "#records/discovery";
import type { MainDb } from "#storage/database";
import type { DiscoveryViolationRow } from "#storage/discovery-tables";
import { DiscoveryViolation } from "./schema.ts";

export const listDiscoveryViolations = read({
  id: "listDiscoveryViolations",
  route: "GET /api/ai-discovery/violations",
  tag: "AI Discovery",
  summary: "List violations of the AI discovery policy",
  description:
    "Items on devices that the policy warns about or blocks, newest first. Webhooks report them as `discovery.violation`.",
  scope: "admin:read",
  query: {
    skip: offsetParameter("Number of violations to skip"),
    limit: limitParameter,
    status: choiceParameter("Only open or resolved ones", ["open", "resolved"]),
    action: choiceParameter("Only violations with this action", ["warn", "block"]),
    kind: choiceParameter("Only violations of this kind of item", ["mcp_server", "skill"]),
    device_id: searchParameter("Only violations of this device"),
    fingerprint: searchParameter("Only violations of this MCP server"),
    digest: searchParameter("Only violations of this skill"),
  },
  answers: { 200: z.object({ data: z.array(DiscoveryViolation), pagination: SkipPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve violations",
  async run({ db, query }) {
    const { skip, limit, status, action, kind, device_id: deviceId, fingerprint, digest } = query;
    const item =
      fingerprint !== undefined
        ? itemId("mcp_server", fingerprint)
        : digest !== undefined
          ? itemId("skill", digest)
          : undefined;
    const rows = await listViolations(db, { status, action, kind, deviceId, itemId: item }, { skip, limit: limit + 1 });
    const { page, hasMore } = pageOf(rows, limit);
    return { status: 200, body: { data: await present(db, page), pagination: { skip, limit, hasMore } } };
  },
});

async function present(
  db: MainDb,
  rows: readonly DiscoveryViolationRow[],
): Promise<z.input<typeof DiscoveryViolation>[]> {
  const ids = (of: (row: DiscoveryViolationRow) => string) => [...new Set(rows.map(of))];
  const devices = await findDevices(
    db,
    ids((row) => row.device_id),
  );
  const items = await findItems(
    db,
    ids((row) => row.item_id),
  );
  const instances = await findInstances(
    db,
    ids((row) => row.instance_id),
  );
  const rules = new Map((rows.length === 0 ? [] : await listRules(db)).map(({ id, name }) => [id, name]));
  return rows.map((row) => {
    const device = devices.get(row.device_id);
    const instance = instances.get(row.instance_id);
    return {
      ...{ id: row.id, kind: row.kind, key: items.get(row.item_id)?.key ?? null },
      ...{ name: instance?.name ?? null, client: instance?.client ?? null, path: instance?.path ?? null },
      ...{ device_id: row.device_id, hostname: device?.hostname ?? null, user_email: device ? emailOf(device) : null },
      ...{ action: row.action, rule_id: row.rule_id, policy_version: row.policy_version },
      rule_name: row.rule_id === null ? null : (rules.get(row.rule_id) ?? null),
      enforcement: row.enforcement,
      quarantined: row.resolved_at === null && instance?.details.quarantined === true,
      first_seen: isoTime(row.opened_at),
      resolved_at: row.resolved_at === null ? null : isoTime(row.resolved_at),
    };
  });
}
