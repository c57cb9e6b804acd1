import { createHash } from "node:crypto";
import { prolongArtifact, trimModel, trimNeverUsed } from "#records/oauth-artifacts";
import type { MainDb } from "#storage/database";
import type { OAuthServerContext } from "./oauth-server-context.ts";
import { isLoopbackHost } from "./resources.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Lifetimes of registered clients: without any consent, and after the last use. */
export const UNUSED_CLIENT_MS = DAY_MS;
const IDLE_CLIENT_MS = 90 * DAY_MS;
/** Time limit for the consent page. */
export const INTERACTION_MS = 60 * 60 * 1000;
/** Limit of records that are created without authentication; the oldest are deleted first. */
const MAX_NEVER_USED = 10_000;

/** The key under which the library's ID is stored. */
export function artifactKey(model: string, id: string): string {
  return createHash("sha256").update(`${model}:${id}`).digest("hex");
}

/** Extends the client's lifetime beyond its new grant. */
export async function extendClient({ databases, clock }: OAuthServerContext, clientId: string): Promise<void> {
  await prolongArtifact(databases.main, artifactKey("Client", clientId), clock.now() + IDLE_CLIENT_MS);
}

/** The models that anyone can create. */
export const STRANGERS_MODELS: ReadonlySet<string> = new Set(["Client", "Interaction", "ReplayDetection"]);
/** After this many of them, a process trims the table. */
export const TRIMMED_EVERY = 500;

/** Bounds the storage that unauthenticated requests can use (decision 0042). */
export async function trimUnused(db: MainDb, most = MAX_NEVER_USED): Promise<void> {
  await trimNeverUsed(db, { model: "Client", lifeMs: UNUSED_CLIENT_MS }, most);
  await trimNeverUsed(db, { model: "Interaction", lifeMs: INTERACTION_MS }, most);
  // An assertion that is forgotten early can be replayed only with the client's code or refresh token.
  await trimModel(db, "ReplayDetection", most);
}

/** A redirect that stays on the person's machine. */
export function isLoopbackRedirect(uri: string): boolean {
  const url = URL.parse(uri);
  return url?.protocol === "http:" && isLoopbackHost(url.hostname);
}

/** Authorization codes must not cross a network unencrypted, so http is allowed only for loopback. */
export function isSafeRedirect(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && (url.protocol !== "http:" || isLoopbackHost(url.hostname));
}
