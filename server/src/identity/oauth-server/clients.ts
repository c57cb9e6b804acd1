import { createHash } from "node:crypto";
import { prolongArtifact, trimNeverUsed } from "#records/oauth-artifacts";
import type { MainDb } from "#storage/database";
import type { OAuthServerContext } from "./oauth-server-context.ts";
import { isLoopbackHost } from "./resources.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A client that registered and was never allowed anything is forgotten; one that was, when it is unused for long. */
export const UNUSED_CLIENT_MS = DAY_MS;
const IDLE_CLIENT_MS = 90 * DAY_MS;
/** How long a person may take to agree. */
export const INTERACTION_MS = 60 * 60 * 1000;
/** Of what strangers can cause without anybody's consent: the oldest go first. */
const MOST_NEVER_USED = 10_000;

/** Under which the library's own id is kept. */
export function artifactKey(model: string, id: string): string {
  return createHash("sha256").update(`${model}:${id}`).digest("hex");
}

/** So that it outlives what it was just allowed. */
export async function prolongClient({ databases, clock }: OAuthServerContext, clientId: string): Promise<void> {
  await prolongArtifact(databases.main, artifactKey("Client", clientId), clock.now() + IDLE_CLIENT_MS);
}

/** However many addresses a flood comes from, it fills no disk (decision 0042). */
export async function trimStrangers(db: MainDb): Promise<void> {
  await trimNeverUsed(db, { model: "Client", lifeMs: UNUSED_CLIENT_MS }, MOST_NEVER_USED);
  await trimNeverUsed(db, { model: "Interaction", lifeMs: INTERACTION_MS }, MOST_NEVER_USED);
}

/** A code never crosses a network in the clear: http leads to the user's own machine, or nowhere. */
export function isSafeRedirect(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && (url.protocol !== "http:" || isLoopbackHost(url.hostname));
}
