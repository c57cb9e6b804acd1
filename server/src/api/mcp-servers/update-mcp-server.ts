import type { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { mergeLimits } from "#api/presenters/server-limits";
import { invalid, notFound } from "#lib/errors";
import { expireApprovalsOfServer } from "#records/approvals";
import { deleteConnectionsOfServer } from "#records/connections";
import {
  freeSlugForRename,
  lockServer,
  movesClientSecret,
  movesCredentials,
  movesSharedHeaders,
  type SharedHeadersPatch,
  serverSearchText,
  updateServer,
} from "#records/mcp-servers";
import { renameInPlugins } from "#records/plugins";
import { applyItemPolicy, forgetItems } from "#records/server-items";
import { applyToolPolicy, forgetEnabledTools } from "#records/server-tools";
import { findUser } from "#records/users";
import type { MainTransaction } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { Vault } from "#storage/vault";
import { checkExchangedToken, mergeAuthSettings, withSharedHeaders } from "./auth-settings.ts";
import { presentForAudit } from "./present-settings.ts";
import { SlugAnswer, UpdateMcpServerBody } from "./schema.ts";
import { givenHeaders, givenUpstream } from "./upstream-field.ts";

/** Spec 4.1, D5, D6, D11, AZ-8: omitted fields keep their values. */
export const updateMcpServer = write({
  id: "updateMcpServer",
  route: "PATCH /api/mcp-servers",
  tag: "MCP Servers",
  summary: "Update an MCP server",
  description:
    "Omitted fields keep their values. The client secret is deleted when the token endpoint changes, unless a new one is set. Shared headers are deleted when the URL gets another origin or `authType` changes, unless the same request sets them. If the upstream changes, its tools are synced in the background.",
  scope: "admin:write",
  query: { slug: targetParameter("The server's current slug", "github") },
  body: UpdateMcpServerBody,
  answers: { 200: SlugAnswer },
  refusals: [400, 404, 409],
  onCrash: "Failed to update MCP server",
  async run({ tx, trail, query, body, context, afterCommit }) {
    const before = await lockServer(tx, query.slug);
    if (!before) throw notFound.mcpServer();
    if (before.is_local) refuseChangeOfLocal(body);
    const merged = await applyChanges(tx, before, body, context.vault);
    const patch = givenHeaders(body);
    const after = withSharedHeaders(
      withoutMovedSecret(before, merged, body.auth_settings?.clientSecret),
      { patch, dropsStored: movesSharedHeaders(before, merged) },
      context.vault,
    );
    if (body.auth_settings) await checkExchangedToken(tx, after);
    const moved = before.upstream_url !== after.upstream_url || before.upstream_transport !== after.upstream_transport;
    const credentialsMove = movesCredentials(before, after);
    const { id, created_at: _created, ...columns } = after;
    await updateServer(tx, trail, id, {
      ...columns,
      updated_at: context.clock.now(),
      ...(credentialsMove ? { discovered_oauth: null, oauth_change: null } : {}),
      ...(moved
        ? { eras: [], sync_tried_at: null, tools_synced_at: null, sync_error: null, sync_failed_at: null }
        : {}),
    });
    if (after.slug !== before.slug) await renameInPlugins(tx, "server", { from: before.slug, to: after.slug });
    if (moved) {
      await forgetEnabledTools(tx, trail, id);
      await forgetItems(tx, trail, id);
      await expireApprovalsOfServer(tx, trail, id);
    }
    if (after.tool_policy !== before.tool_policy) {
      await applyToolPolicy(tx, trail, id, after.tool_policy);
      await applyItemPolicy(tx, trail, id, after.tool_policy);
    }
    const voided = credentialsMove ? await deleteConnectionsOfServer(tx, trail, id) : 0;
    trail.audit({
      operation: "updateMcpServer",
      target: { kind: "mcp-server", id, name: after.slug },
      before: presentForAudit(before),
      after: {
        ...presentForAudit(after),
        ...headerChanges(before, after, patch),
        ...(voided > 0 ? { connections_voided: voided } : {}),
      },
    });
    if (after.upstream_url !== null) afterCommit(() => context.syncSoon(id));
    return { status: 200, body: { data: { slug: after.slug } } };
  },
});

/** D3: the operator's file defines these fields. */
function refuseChangeOfLocal(body: z.output<typeof UpdateMcpServerBody>): void {
  const field = (["name", "slug", "mcp_proxy", "upstream", "auth_settings"] as const).find(
    (key) => body[key] !== undefined,
  );
  if (field) throw invalid(field, "cannot be changed: the server comes from the operator's LOCAL_SERVERS_FILE");
}

function resultLimitOf({ result_limit_bytes }: z.output<typeof UpdateMcpServerBody>) {
  return result_limit_bytes === undefined ? {} : { result_limit_bytes };
}

async function applyChanges(
  tx: MainTransaction,
  before: McpServerRow,
  body: z.output<typeof UpdateMcpServerBody>,
  vault: Vault,
): Promise<McpServerRow> {
  const name = body.name ?? before.name;
  const description = body.description === undefined ? before.description : (body.description ?? "");
  const upstream = givenUpstream(body);
  return {
    ...before,
    slug: body.slug === undefined ? before.slug : await freeSlugForRename(tx, before, body.slug),
    name,
    description,
    search_text: serverSearchText(name, description),
    status: body.status ?? before.status,
    tool_policy: body.tool_policy ?? before.tool_policy,
    pass_instructions: body.pass_instructions ?? before.pass_instructions,
    ...resultLimitOf(body),
    upstream_url: upstream === undefined ? before.upstream_url : (upstream?.url ?? null),
    upstream_transport: upstream === undefined ? before.upstream_transport : (upstream?.transport ?? null),
    limits: body.limits === undefined ? (before.limits ?? null) : mergeLimits(before.limits, body.limits),
    ...(body.auth_settings ? mergeAuthSettings(before, body.auth_settings, vault) : {}),
    ...(body.sync_user_email === undefined ? {} : { sync_user_id: await syncUserId(tx, body.sync_user_email) }),
  };
}

/** Names of the shared headers that a request set or that are gone. A changed value is visible only here. */
function headerChanges(before: McpServerRow, after: McpServerRow, patch: SharedHeadersPatch | undefined) {
  const set = [...(patch ?? [])].flatMap(([name, value]) => (value === null ? [] : [name]));
  const kept = new Set(after.auth_settings.sharedHeaderNames?.map((name) => name.toLowerCase()));
  const removed = before.auth_settings.sharedHeaderNames?.filter((name) => !kept.has(name.toLowerCase())) ?? [];
  return {
    ...(set.length > 0 ? { shared_headers_set: set } : {}),
    ...(removed.length > 0 ? { shared_headers_removed: removed } : {}),
  };
}

function withoutMovedSecret(before: McpServerRow, after: McpServerRow, given: string | null | undefined): McpServerRow {
  return given === undefined && movesClientSecret(before, after) ? { ...after, sealed_client_secret: null } : after;
}

async function syncUserId(tx: MainTransaction, email: string | null): Promise<string | null> {
  if (email === null) return null;
  const user = await findUser(tx, email);
  if (!user) throw invalid("sync_user_email", `user not found: ${email}`);
  return user.id;
}
