import { Lru } from "#lib/lru";
import { apiTokenHash } from "#records/api-tokens";
import type { MainDb } from "#storage/database";
import type { ApiContext } from "./api-context.ts";
import { lookUpCaller } from "./bearer.ts";
import type { Caller } from "./caller.ts";

const RECENT_MS = 5_000;
const MAX_RECENT = 1_000;

interface Recent {
  readonly caller: Caller;
  readonly until: number;
}

/** By the hash of their API token. */
const recentCallers = new WeakMap<MainDb, Lru<Recent>>();

/** The caller with this API token, who is looked up only every few seconds (decision 0265). */
export async function recentCaller(context: ApiContext, token: string): Promise<Caller | undefined> {
  const { main } = context.databases;
  const recent = recentCallers.get(main) ?? new Lru<Recent>(MAX_RECENT);
  recentCallers.set(main, recent);
  const hash = apiTokenHash(token);
  const now = context.clock.monotonic();
  const known = recent.get(hash);
  if (known && now < known.until) return known.caller;
  const caller = await lookUpCaller(context, token);
  if (caller) recent.set(hash, { caller, until: now + RECENT_MS });
  else recent.delete(hash);
  return caller;
}
