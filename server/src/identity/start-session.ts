import { newWebSessionToken } from "#lib/tokens";
import { deleteWebSessionByToken, insertWebSession } from "#records/web-sessions";
import type { MainTransaction } from "#storage/database";
import type { WebSessionRow } from "#storage/sign-in-tables";
import type { WriteTrail } from "#storage/transaction";
import type { Client, IdentityContext } from "./identity-context.ts";

export const LONGEST_USER_AGENT = 300;

/**
 * A new web session with a new id, in the transaction that found out who it is (WEB-5): nobody can have planted it.
 * Answers its token, which is kept as a hash only.
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
  const from = { address: client.address, user_agent: client.userAgent.slice(0, LONGEST_USER_AGENT) };
  const making = { id, user_id: user.id, method, authenticated_at: authenticatedAt, ...from };
  await insertWebSession({ tx, trail }, making, token, clock.now());
  const target = { kind: "user", id: user.id, name: user.email };
  trail.audit({ operation: "signIn", target, after: { web_session_id: id, method, ...from } });
  return token;
}
