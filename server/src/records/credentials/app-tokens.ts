import type { NewId } from "#lib/ids";
import type { RandomBytes } from "#lib/random";
import type { MainTransaction } from "#storage/database";
import type { WriteTrail } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import { endOldestTokens, insertGatewayToken } from "./gateway-tokens.ts";

/** A browser has few open pages. If a script requests more tokens, the oldest ones are ended. */
const MAX_PER_SESSION = 20;

export interface AppTokenMaking {
  readonly userId: string;
  readonly webSessionId: string;
  readonly now: number;
  readonly expiresAt: number;
  readonly newId: NewId;
  readonly random: RandomBytes;
  readonly vault: Vault;
}

/** The token with which the admin app calls the gateway as the signed-in person. It expires with the web session. */
export async function makeAppToken(tx: MainTransaction, trail: WriteTrail, making: AppTokenMaking) {
  const { webSessionId, newId, ...rest } = making;
  await endOldestTokens(tx, trail, webSessionId, MAX_PER_SESSION);
  const id = newId("crd");
  const token = await insertGatewayToken(tx, trail, { ...rest, id, kind: "app", grantId: webSessionId });
  return { id, token };
}

/** Deletes the tokens of ended web sessions. */
export async function endAppTokens(
  tx: MainTransaction,
  trail: WriteTrail,
  webSessionIds: readonly string[],
): Promise<void> {
  if (webSessionIds.length === 0) return;
  const ended = await tx.deleteFrom("credentials").where("grant_id", "in", webSessionIds).returning("id").execute();
  trail.changed("credential", ...ended.map((row) => row.id));
}
