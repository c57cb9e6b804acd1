import type { Adapter, AdapterPayload } from "oidc-provider";
import { endOldestTokens, findGatewayToken, storeGatewayToken } from "#records/credentials";
import { grantUsed, lockGrant } from "#records/oauth-grants";
import { inWrite } from "../identity-context.ts";
import { extendClient } from "./clients.ts";
import { endGrantNow, IDLE_GRANT_MS, OAUTH_CLIENT } from "./grants.ts";
import type { AdapterNeeds } from "./oauth-server-context.ts";
import { onlyPath, resourcePath, SCOPE, serverIdAt } from "./resources.ts";

/** Clients can refresh without limit, and each token stays in every snapshot for an hour. */
const MOST_PER_GRANT = 20;

/** Access tokens are credentials in the snapshot, so the gateway verifies them without a lookup. */
export function accessTokenAdapter(needs: AdapterNeeds): Adapter {
  const { databases, vault, clock } = needs;
  const db = databases.main;
  return {
    upsert: (token, payload, expiresIn = 0) => issue(needs, token, payload, expiresIn),
    async find(token) {
      const row = await findGatewayToken(db, token, vault);
      if (row?.kind !== "oauth" || (row.expires_at ?? 0) <= clock.now()) return undefined;
      const of = { accountId: row.user_id, clientId: row.client_id ?? "", grantId: row.grant_id ?? "" };
      return { jti: token, kind: "AccessToken", scope: SCOPE, ...of };
    },
    consume: async () => {},
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    /** The library revokes the whole grant immediately afterwards. */
    destroy: async () => {},
    revokeByGrantId: (grantId) => endGrantNow(needs, grantId),
  };
}

/** Resolves when the gateway of this process accepts the token. */
async function issue(needs: AdapterNeeds, token: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
  const { clock, newId, vault, gatewayUrl, errors } = needs;
  const { accountId: userId = "", clientId = "", grantId = "", aud } = payload;
  const path = resourcePath(gatewayUrl, typeof aud === "string" ? aud : "");
  if (path === undefined) throw new errors.InvalidTarget();
  const now = clock.now();
  const id = newId("crd");
  await inWrite(needs, OAUTH_CLIENT, async (tx, trail) => {
    // The grant may have been revoked since the request arrived.
    const grant = await lockGrant(tx, grantId, now);
    if (!grant) throw new errors.InvalidGrant("grant not found");
    const serverId = await serverIdAt(tx, path);
    // AZ-7: the person consented for the server that had the slug then.
    if (onlyPath(path) !== undefined && serverId !== (grant.server_id ?? undefined)) {
      throw new errors.InvalidGrant("the server has changed");
    }
    await endOldestTokens(tx, trail, grantId, MOST_PER_GRANT);
    await storeGatewayToken(tx, trail, token, {
      id,
      kind: "oauth",
      userId,
      clientId,
      grantId,
      vault,
      now,
      expiresAt: now + expiresIn * 1000,
      scopes: [SCOPE],
      path: onlyPath(path),
      serverId,
    });
    await grantUsed(tx, grantId, now, now + IDLE_GRANT_MS);
  });
  await extendClient(needs, clientId);
}
