import { newWebSessionToken } from "#lib/tokens";
import { deleteWebSessionByToken, insertWebSession } from "#records/web-sessions";
import type { MainTransaction } from "#storage/database";
import type { WebSessionRow } from "#storage/sign-in-tables";
import type { WriteTrail } from "#storage/transaction";
import type { Client, IdentityContext } from "./identity-context.ts";

export const MAX_USER_AGENT_LENGTH = 300;

/**
 * Starts a web session with a new ID in the transaction that authenticated the person, which prevents session fixation
 * (WEB-5). Returns the token; only its hash is stored.
 */
export async function startSession(
  { tx, trail }: { tx: MainTransaction; trail: WriteTrail },
  { clock, newId, random }: Pick<IdentityContext, "clock" | "newId" | "random">,
  user: { readonly id: string; readonly email: string },
  method: WebSessionRow["method"],
  client: Client,
  authenticatedAt = clock.now(),
): Promise<string> {
  if (client.sessionToken !== undefined) await deleteWebSessionByToken({ tx, trail }, client.sessionToken);
  const token = newWebSessionToken(random);
  const id = newId("ses");
  const from = { address: client.address, user_agent: client.userAgent.slice(0, MAX_USER_AGENT_LENGTH) };
  const session = { id, user_id: user.id, method, authenticated_at: authenticatedAt, ...from };
  await insertWebSession({ tx, trail }, session, token, clock.now());
  const target = { kind: "user", id: user.id, name: user.email };
  trail.audit({ operation: "signIn", target, after: { web_session_id: id, method, ...from } });
  return token;
}
