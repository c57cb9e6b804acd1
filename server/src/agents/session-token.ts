import type { RandomBytes } from "#lib/random";
import { insertGatewayToken } from "#records/credentials";
import { findUserById } from "#records/users";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";
import { type PublishContext, type WriteAuthor, writeTransaction } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import { GatewayFailure } from "./gateway-client.ts";

export interface TokenNeeds extends PublishContext {
  readonly vault: Vault;
  readonly random: RandomBytes;
}

const AUTHOR: WriteAuthor = { actor: { kind: "system", id: "agents", name: "Agents" }, requestId: "agents" };
/** The token outlives the session a little, so that its end is decided by the session. */
const TOKEN_SPARE_MS = 60_000;

/** The gateway knows the session by this token, which is deleted when the session ends. */
export async function makeSessionToken(
  needs: TokenNeeds,
  { identity_id: userId, slug, limits }: AgentRow,
  { id: sessionId }: AgentSessionRow,
): Promise<string> {
  const { clock, newId, vault, random, db } = needs;
  const user = userId === null ? undefined : await findUserById(db, userId);
  if (!user || user.disabled) throw new GatewayFailure("The agent's machine user was deleted or disabled");
  const now = clock.now();
  const { result, revision } = await writeTransaction(needs, AUTHOR, (tx, trail) =>
    insertGatewayToken(tx, trail, {
      ...{ id: newId("crd"), kind: "agent", userId: user.id, now, vault, random },
      ...{ expiresAt: now + limits.timeout_seconds * 1000 + TOKEN_SPARE_MS },
      ...{ clientId: `${slug}/${sessionId}`, grantId: sessionId },
    }),
  );
  if (revision !== undefined) await needs.waitUntilPublished(revision);
  return result;
}
