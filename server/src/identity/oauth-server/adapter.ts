/**
 * The library's storage. It uses codes and tokens as IDs, so IDs are hashed and payloads sealed. Access tokens are stored
 * as gateway credentials.
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
import {
  artifactKey,
  isSafeRedirect,
  STRANGERS_MODELS,
  TRIMMED_EVERY,
  trimUnused,
  UNUSED_CLIENT_MS,
} from "./clients.ts";
import { endGrantNow, recordTokenReuse } from "./grants.ts";
import type { AdapterNeeds, Errors, OAuthServerContext } from "./oauth-server-context.ts";

/** A refresh response can get lost, and processes that share a token can refresh it concurrently. */
const REFRESH_LEEWAY_MS = 10_000;

/** Used refresh tokens that are kept per grant to detect reuse. */
const MAX_USED_REFRESH_TOKENS = 100;

const STORED_MODELS = new Set([
  "Client",
  "Grant",
  "AuthorizationCode",
  "RefreshToken",
  "Interaction",
  "ReplayDetection",
]);

export function createAdapters(needs: AdapterNeeds): AdapterFactory {
  let stored = 0;
  /** Does not wait for the periodic job, because strangers can store much until it runs. */
  const trimSometimes = async (model: string) => {
    if (STRANGERS_MODELS.has(model) && ++stored % TRIMMED_EVERY === 0) await trimUnused(needs.databases.main);
  };
  return (model) => {
    if (model === "AccessToken") return accessTokenAdapter(needs);
    return STORED_MODELS.has(model) ? storedAdapter(model, needs, trimSometimes) : NO_STORAGE;
  };
}

/** For models that are not stored, such as the library's sessions; we use our own. */
const NO_STORAGE: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

function storedAdapter(model: string, needs: AdapterNeeds, trimSometimes: (model: string) => Promise<void>): Adapter {
  const { databases, clock, errors } = needs;
  const db = databases.main;
  return {
    ...NO_STORAGE,
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
      if (model === "ReplayDetection") await storeOnce(row, needs);
      else await putArtifact(db, row);
      if (model === "RefreshToken") await trimArtifacts(db, { id: key, model, grant_id }, MAX_USED_REFRESH_TOKENS);
      await trimSometimes(model);
    },
    async find(id) {
      const now = clock.now();
      const row = await findArtifact(db, artifactKey(model, id), now);
      const payload = row && openPayload(needs, row.id, row.sealed_payload);
      if (!row || !payload) return undefined;
      const leewayMs = model === "RefreshToken" ? REFRESH_LEEWAY_MS : 0;
      const isConsumed = row.consumed_at !== null && now - row.consumed_at >= leewayMs;
      // The library ends the grant next, which deletes this row, so each grant is recorded once.
      if (isConsumed && model === "RefreshToken" && row.grant_id !== null) await recordTokenReuse(needs, row.grant_id);
      return isConsumed ? { ...payload, consumed: Math.floor((row.consumed_at ?? now) / 1000) } : payload;
    },
    /** Only one of several concurrent requests with the same code succeeds. */
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

/** Concurrent requests with the same assertion both pass the library's check; only one is stored. */
async function storeOnce(row: Parameters<typeof addArtifact>[1], { databases, errors }: AdapterNeeds): Promise<void> {
  if (await addArtifact(databases.main, row)) return;
  throw new errors.InvalidClientAuth("client assertion tokens must only be used once");
}

/** A payload that cannot be opened is ignored; the vault logs it. */
function openPayload({ vault }: OAuthServerContext, key: string, sealed: string): AdapterPayload | undefined {
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
