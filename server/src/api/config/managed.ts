/** Decision 0155: what files declare is changed by files. */

import type { RefuseManaged } from "#api/kit/router";
import { Refusal } from "#lib/errors";
import { fold } from "#lib/fold";
import { isObject } from "#lib/is-object";
import { findRequest } from "#records/access-requests";
import { findGrant, findGroup, isGranted } from "#records/groups";
import type { MainDb } from "#storage/database";

interface Request {
  readonly db: MainDb;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly prepared: unknown;
}

interface Target {
  readonly kind: string;
  readonly keys: readonly unknown[];
  /** Undefined: all, because the object is deleted. */
  readonly fields?: readonly string[];
}

type TargetOf = (request: Request) => Target | Promise<Target>;

/** The fields of files that fields of a request change, if they have other names. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  upstream: ["url", "transport", "headers"],
  mcp_proxy: ["url", "transport", "headers"],
  auth_settings: ["auth_settings", "headers", "client_secret"],
  owner_ids: ["owners"],
};

/** What a version of a skill consists of. */
const VERSIONED = ["description", "license", "compatibility", "metadata", "allowed_tools", "content", "files"];

const changed = (body: object): string[] => Object.keys(body).flatMap((name) => FIELDS[name] ?? [name]);

const isEmpty = (list: unknown): boolean => !Array.isArray(list) || list.length === 0;

const updates =
  (kind: string, key = "slug"): TargetOf =>
  ({ query, body }) => ({ kind, keys: [query[key]], fields: changed(body) });
const deletes =
  (kind: string, key = "slug"): TargetOf =>
  ({ query }) => ({ kind, keys: [query[key]] });
const within =
  (kind: string, key: string, fields: readonly string[]): TargetOf =>
  ({ path }) => ({ kind, keys: [path[key]], fields });
/** Toolkits and others declare their groups. */
const linked =
  (kind: string): TargetOf =>
  ({ query, body }) => ({ kind, keys: Array.isArray(body.slugs) ? body.slugs : [query.slug], fields: ["groups"] });

const machineUser: TargetOf = async ({ db, query, body }) => {
  const email = fold(String(query.email));
  const row = await db.selectFrom("users").select("slug").where("email_key", "=", email).executeTakeFirst();
  return { kind: "machine-users", keys: [row?.slug], fields: changed(body) };
};
/** Files name what the API identifies by ID. */
const named =
  (kind: string, table: "webhooks" | "log_destinations"): TargetOf =>
  async ({ db, query, body }) => {
    const row = await db.selectFrom(table).select("name").where("id", "=", String(query.id)).executeTakeFirst();
    return { kind, keys: [row?.name], fields: changed(body) };
  };
const webhook = named("webhooks", "webhooks");
const logDestination = named("log-destinations", "log_destinations");
const discoveryRules: TargetOf = () => ({ kind: "discovery-policy", keys: ["organization"], fields: ["rules"] });
/** Other approvals only add the person to the group. */
const granted: TargetOf = async ({ db, path, body }) => {
  const request = await findRequest(db, String(path.id));
  const group = await findGroup(db, String(body.group));
  const grant = request && group && (await findGrant(db, { groupId: group.id, memberId: request.server_id }));
  const fields = body.grant !== true || isGranted(grant, request?.tool_names ?? []) ? [] : ["servers"];
  return { kind: "groups", keys: [body.group], fields };
};
const serversOfGroups: TargetOf = ({ body: { groups } }) => ({
  ...{ kind: "groups", keys: Array.isArray(groups) ? groups : [], fields: ["servers"] },
});
/** Its name is in the archive. */
const overwrittenSkill: TargetOf = ({ query, prepared }) => {
  const checked = isObject(prepared) && isObject(prepared.checked) ? prepared.checked : {};
  const name = isObject(checked.fields) ? checked.fields.name : undefined;
  return { kind: "skills", keys: query.overwrite ? [name] : [], fields: VERSIONED };
};
const withoutFields =
  (targetOf: TargetOf): TargetOf =>
  async (request) => {
    const { kind, keys } = await targetOf(request);
    return { kind, keys };
  };

/** Rotations, syncs, reviews, releases and sessions are not declared, so they are not locked. */
const TARGETS: Readonly<Record<string, TargetOf>> = {
  updateSettings: ({ body }) => ({ kind: "settings", keys: ["organization"], fields: changed(body) }),
  updateMcpServer: updates("servers"),
  updateMcpServerTools: ({ query, body }) => ({
    ...{ kind: "servers", keys: [query.slug] },
    fields: [
      ...(isEmpty(body.enable) && isEmpty(body.disable) ? [] : ["disabled_tools"]),
      ...(isEmpty(body.limits) ? [] : ["tool_limits"]),
    ],
  }),
  deleteMcpServer: deletes("servers"),
  updateUser: machineUser,
  deleteUser: withoutFields(machineUser),
  setClientCredentials: machineUser,
  updateGroup: updates("groups", "name"),
  deleteGroup: deletes("groups", "name"),
  addUsersToGroup: within("groups", "name", ["members"]),
  removeUserFromGroup: within("groups", "name", ["members"]),
  addIntegrationsToGroup: within("groups", "name", ["servers"]),
  removeIntegrationFromGroup: within("groups", "name", ["servers"]),
  updateGroupIntegration: within("groups", "name", ["servers"]),
  approveAccessRequest: granted,
  importDiscoveredMcpServer: serversOfGroups,
  addToolkitsToGroup: linked("toolkits"),
  removeToolkitFromGroup: linked("toolkits"),
  addSkillsToGroup: linked("skills"),
  removeSkillFromGroup: linked("skills"),
  addCommandsToGroup: linked("commands"),
  removeCommandFromGroup: linked("commands"),
  addPluginsToGroup: linked("plugins"),
  removePluginFromGroup: linked("plugins"),
  updateSkill: updates("skills"),
  importSkill: overwrittenSkill,
  deleteSkill: deletes("skills"),
  rollbackSkill: within("skills", "slug", VERSIONED),
  updateCommand: updates("commands"),
  deleteCommand: deletes("commands"),
  updateToolkit: updates("toolkits"),
  deleteToolkit: deletes("toolkits"),
  addToolkitTools: within("toolkits", "slug", ["tools"]),
  removeToolkitTool: within("toolkits", "slug", ["tools"]),
  updatePlugin: updates("plugins"),
  deletePlugin: deletes("plugins"),
  updateGuard: updates("guards"),
  deleteGuard: deletes("guards"),
  updateExchangeProvider: updates("issuers"),
  deleteExchangeProvider: deletes("issuers"),
  updateBackgroundAgent: updates("agents"),
  deleteBackgroundAgent: deletes("agents"),
  updateWebhook: webhook,
  deleteWebhook: withoutFields(webhook),
  updateLogDestination: logDestination,
  deleteLogDestination: withoutFields(logDestination),
  updateDiscoveryPolicy: ({ body }) => ({ kind: "discovery-policy", keys: ["organization"], fields: changed(body) }),
  createDiscoveryRule: discoveryRules,
  updateDiscoveryRule: discoveryRules,
  deleteDiscoveryRule: discoveryRules,
  orderDiscoveryRules: discoveryRules,
};

/** The operations that can be refused. */
export const LOCKED_OPERATIONS: readonly string[] = Object.keys(TARGETS);

export async function refuseManaged(
  db: MainDb,
  operation: string,
  { path, query, body, prepared }: Parameters<RefuseManaged>[2],
): Promise<void> {
  const targetOf = Object.hasOwn(TARGETS, operation) ? TARGETS[operation] : undefined;
  if (!targetOf) return;
  const request = { db, path: { ...path }, query: { ...query }, body: isObject(body) ? body : {}, prepared };
  const { kind, keys, fields } = await targetOf(request);
  const wanted = keys.map((key) => fold(String(key)));
  const rows = await db.selectFrom("managed_objects").selectAll().where("kind", "=", kind).execute();
  for (const row of rows.filter(({ object_key: key }) => wanted.includes(fold(key)))) {
    const locked = fields?.filter((name) => fieldsOf(row).includes(name));
    if (locked?.length === 0) continue;
    const what = locked === undefined ? "" : ` (${[...new Set(locked)].join(", ")})`;
    throw new Refusal(
      "conflict",
      `${kind} ${row.object_key} is managed by files${what}. Change the files and run gatehouse apply, or release it first: gatehouse release ${kind} ${quoted(row.object_key)}`,
    );
  }
}

export function fieldsOf({ fields }: { readonly fields: string }): string[] {
  return fields === "" ? [] : fields.split(",");
}

function quoted(key: string): string {
  return /^[\w.-]+$/.test(key) ? key : JSON.stringify(key);
}
