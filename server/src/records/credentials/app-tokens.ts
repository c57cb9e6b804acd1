import type { NewId } from "#lib/ids";
import type { RandomBytes } from "#lib/random";
import type { MainTransaction } from "#storage/database";
import type { WriteTrail } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import { endOldestTokens, insertGatewayToken } from "./gateway-tokens.ts";

/** A browser has a few open pages; a program that asks again and again ends its own oldest tokens. */
const MOST_PER_SESSION = 20;

export interface AppTokenMaking {
  readonly userId: string;
  readonly webSessionId: string;
  readonly now: number;
  readonly expiresAt: number;
  readonly newId: NewId;
  readonly random: RandomBytes;
  readonly vault: Vault;
}

/** What the admin app calls the gateway with, as the person in whose web session it runs. It ends with that session. */
export async function makeAppToken(tx: MainTransaction, trail: WriteTrail, making: AppTokenMaking) {
  const { webSessionId, newId, ...rest } = making;
  const ended = await endOldestTokens(tx, webSessionId, MOST_PER_SESSION);
  const id = newId("crd");
  const token = await insertGatewayToken(tx, { ...rest, id, kind: "app", grantId: webSessionId });
  trail.changed("credential", id, ...ended);
  return { id, token };
}

/** Those of web sessions that are over. */
export async function endAppTokens(
  tx: MainTransaction,
  trail: WriteTrail,
  webSessionIds: readonly string[],
): Promise<void> {
  if (webSessionIds.length === 0) return;
  const ended = await tx.deleteFrom("credentials").where("grant_id", "in", webSessionIds).returning("id").execute();
  trail.changed("credential", ...ended.map((row) => row.id));
}
