/**
 * Where the library keeps what it must remember. It hands out codes and tokens as their own ids, so ids are hashed here
 * and payloads sealed; access tokens are credentials like any other at the gateway.
 */
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";
import {
  addArtifact,
  consumeArtifact,
  deleteArtifact,
  findArtifact,
  putArtifact,
  trimArtifacts,
} from "#records/oauth-artifacts";
import { VaultFault } from "#storage/vault";
import { accessTokenAdapter } from "./access-tokens.ts";
import { artifactKey, isSafeRedirect, UNUSED_CLIENT_MS } from "./clients.ts";
import { endGrantNow } from "./grants.ts";
import type { AdapterNeeds, Errors, OAuthServerContext } from "./oauth-server-context.ts";

/** The answer to a renewal may get lost, and programs that share a token may renew it at the same moment. */
const RENEWED_TWICE_MS = 10_000;

/** Beside the newest: they tell when one is used a second time, and a client may renew as often as it likes. */
const MOST_EARLIER_RENEWALS = 100;

const KEPT = new Set(["Client", "Grant", "AuthorizationCode", "RefreshToken", "Interaction", "ReplayDetection"]);

export function createAdapters(needs: AdapterNeeds): AdapterFactory {
  return (model) => {
    if (model === "AccessToken") return accessTokenAdapter(needs);
    return KEPT.has(model) ? keepingAdapter(model, needs) : FORGETTING;
  };
}

/** Web sessions are ours, and nothing else is used that would have to be remembered. */
const FORGETTING: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

function keepingAdapter(model: string, needs: AdapterNeeds): Adapter {
  const { databases, clock, errors } = needs;
  const db = databases.main;
  return {
    ...FORGETTING,
    async upsert(id, payload, expiresIn) {
      if (model === "Client") requireSafeRedirects(payload, errors);
      const now = clock.now();
      const key = artifactKey(model, id);
      const lifeMs = expiresIn === undefined ? UNUSED_CLIENT_MS : expiresIn * 1000;
      const grant_id = model === "Grant" ? id : (payload.grantId ?? null);
      const row = {
        id: key,
        model,
        user_id: payload.accountId ?? null,
        client_id: payload.clientId ?? payload.client_id ?? null,
        grant_id,
        sealed_payload: needs.vault.seal("oauth-artifact", placeOf(key), JSON.stringify(payload)),
        expires_at: now + lifeMs,
        created_at: now,
      };
      if (model === "ReplayDetection") await rememberOnce(row, needs);
      else await putArtifact(db, row);
      if (model === "RefreshToken") await trimArtifacts(db, { id: key, model, grant_id }, MOST_EARLIER_RENEWALS);
    },
    async find(id) {
      const now = clock.now();
      const row = await findArtifact(db, artifactKey(model, id), now);
      const payload = row && opened(needs, row.id, row.sealed_payload);
      if (!row || !payload) return undefined;
      const leewayMs = model === "RefreshToken" ? RENEWED_TWICE_MS : 0;
      const isConsumed = row.consumed_at !== null && now - row.consumed_at >= leewayMs;
      return isConsumed ? { ...payload, consumed: Math.floor((row.consumed_at ?? now) / 1000) } : payload;
    },
    /** Of two who bring the same code at once, one is too late. */
    async consume(id) {
      const isFirst = await consumeArtifact(db, artifactKey(model, id), clock.now());
      if (!isFirst && model === "AuthorizationCode") throw new errors.InvalidGrant("authorization code already used");
    },
    async destroy(id) {
      if (model === "Grant") await endGrantNow(needs, id);
      else await deleteArtifact(db, artifactKey(model, id));
    },
  };
}

/** Of two who bring the same assertion at once, both were told that it is new: one is too late here. */
async function rememberOnce(
  row: Parameters<typeof addArtifact>[1],
  { databases, errors }: AdapterNeeds,
): Promise<void> {
  if (await addArtifact(databases.main, row)) return;
  throw new errors.InvalidClientAuth("client assertion tokens must only be used once");
}

/** One that does not open is lost; the vault has raised the alarm. */
function opened({ vault }: OAuthServerContext, key: string, sealed: string): AdapterPayload | undefined {
  try {
    // Only `upsert` seals for this place.
    return JSON.parse(vault.open("oauth-artifact", placeOf(key), sealed)) as AdapterPayload;
  } catch (error) {
    if (error instanceof VaultFault) return undefined;
    throw error;
  }
}

function placeOf(key: string) {
  return { table: "oauth_artifacts", row: key, column: "sealed_payload" };
}

function requireSafeRedirects({ redirect_uris: uris }: AdapterPayload, { InvalidRedirectUri }: Errors): void {
  if (!(uris ?? []).every(isSafeRedirect)) throw new InvalidRedirectUri();
}
