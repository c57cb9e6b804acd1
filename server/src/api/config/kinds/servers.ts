import { NO_LIMITS } from "#api/presenters/server-limits";
import { isObject } from "#lib/is-object";
import { openSharedHeaders } from "#records/mcp-servers";
import type { McpServerRow } from "#storage/server-tables";
import type { Vault } from "#storage/vault";
import { changeTools, normalizedTools, readDeclaredTools } from "../declared-tools.ts";
import {
  type ConfigObject,
  dataOf,
  type Kind,
  pick,
  readAll,
  requireKey,
  sortedMembers,
  withoutNulls,
} from "../kind.ts";

const FIELDS = [
  ...["slug", "name", "description", "status", "connector_id", "url", "transport", "auth_settings", "headers"],
  ...["client_secret", "tool_policy", "pass_instructions", "result_limit_bytes", "limits"],
  ...["disabled_tools", "tool_limits"],
];

/** MCP servers. Local servers are declared in the operator's file. Tools come from syncs; files disable and limit them. */
export const servers: Kind = {
  name: "servers",
  key: "slug",
  fields: FIELDS,
  exact: ["headers", "auth_settings", "tool_limits"],
  fixed: ["connector_id"],
  normalize: (object) => ({
    ...object,
    ...(object.limits === null && { limits: NO_LIMITS }),
    ...normalizedTools(object),
  }),
  // Its issuer is a later kind, because issuers refer to groups, and groups to servers.
  deferred: ({ auth_settings: settings }) =>
    isObject(settings) && settings.authType === "exchanged-token" ? ["auth_settings"] : [],
  secrets({ headers, client_secret: secret }) {
    const names = Object.keys(isObject(headers) ? headers : {}).map((name) => `headers.${name}`);
    return [...names, ...(secret == null ? [] : ["client_secret"])];
  },
  async read({ invoke, db, context }) {
    const rows = await readAll(invoke, "listMcpServers");
    const objects: ConfigObject[] = [];
    for (const { slug } of rows.filter(({ is_local_mcp: isLocal }) => isLocal !== true)) {
      const detail = dataOf(await invoke("getMcpServer", { path: { slug: String(slug) } }));
      const row = await db.selectFrom("mcp_servers").selectAll().where("slug", "=", String(slug)).executeTakeFirst();
      if (!row) continue;
      const tools = await readDeclaredTools(db, row.id);
      objects.push(pick({ ...detail, ...storedFields(row, context.vault), ...tools }, FIELDS));
    }
    return objects;
  },
  async create({ invoke }, object) {
    const { limits, disabled_tools: _disabled, tool_limits: _limits, ...rest } = object;
    const created = await invoke("createMcpServer", { body: bodyOf(withoutNulls(rest)) });
    requireKey(object.slug, dataOf(created).slug);
    if (limits != null) await invoke("updateMcpServer", { query: { slug: String(object.slug) }, body: { limits } });
    await changeTools(invoke, object, object);
  },
  async update({ invoke }, before, changes) {
    const moved = changes.url !== undefined || changes.transport !== undefined;
    const { disabled_tools: _disabled, tool_limits: _limits, ...rest } = changes;
    const whole = moved ? { url: before.url, transport: before.transport, headers: before.headers, ...rest } : rest;
    if (Object.keys(whole).length > 0)
      await invoke("updateMcpServer", { query: { slug: String(before.slug) }, body: bodyOf(whole, before) });
    await changeTools(invoke, before, changes, before);
  },
  async remove({ invoke }, { slug }) {
    await invoke("deleteMcpServer", { query: { slug: String(slug) } });
  },
};

function storedFields(row: McpServerRow, vault: Vault): ConfigObject {
  const flat = openSharedHeaders(vault, row);
  const names = flat.filter((_, index) => index % 2 === 0);
  const headers = Object.fromEntries(names.map((name, index) => [name, flat[index * 2 + 1]]));
  const { sharedHeaderNames: _names, ...settings } = row.auth_settings;
  const place = { table: "mcp_servers", row: row.id, column: "sealed_client_secret" };
  const sealed = row.sealed_client_secret;
  return {
    url: row.upstream_url,
    transport: row.upstream_transport,
    auth_settings: { authType: row.auth_type, ...sortedMembers(settings) },
    headers: names.length > 0 ? sortedMembers(headers) : undefined,
    limits: row.limits == null ? null : sortedMembers(row.limits),
    client_secret: sealed === null ? undefined : vault.open("server-secret", place, sealed),
  };
}

/** Headers and authentication settings are replaced: a name that is no longer declared is removed. */
function bodyOf(object: ConfigObject, before: ConfigObject = {}): object {
  const {
    url,
    transport,
    headers,
    client_secret: clientSecret,
    auth_settings: settings,
    connector_id: id,
    ...rest
  } = object;
  const auth = {
    ...(settings !== undefined && { ...cleared(before.auth_settings), ...Object(settings) }),
    ...(headers !== undefined && {
      sharedHeaders: headers === null ? null : { ...cleared(before.headers), ...Object(headers) },
    }),
    ...(clientSecret !== undefined && { clientSecret }),
  };
  return {
    ...rest,
    ...(before.slug === undefined && id != null && { connector_id: id }),
    ...(url != null && { upstream: { url, type: transport ?? "both" } }),
    ...(Object.keys(auth).length > 0 && { auth_settings: auth }),
  };
}

function cleared(value: unknown): object {
  return Object.fromEntries(Object.keys(isObject(value) ? value : {}).map((name) => [name, null]));
}
