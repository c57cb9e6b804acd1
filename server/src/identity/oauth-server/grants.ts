import { endGrant, takeGrant } from "#records/oauth-grants";
import { findUserById } from "#records/users";
import { type WriteAuthor, writeTransaction } from "#storage/transaction";
import type { OAuthServerContext } from "./world.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A client that does not come back for this long must ask the user again. */
export const IDLE_GRANT_MS = 30 * DAY_MS;

/** Clients renew and end what they were given by themselves. */
export const OAUTH_CLIENT: WriteAuthor = {
  actor: { kind: "system", id: "oauth-client", name: "OAuth client" },
  requestId: "oauth",
};

/** RFC 7009, and where a code or a refresh token came twice. Resolves when the gateway obeys. */
export async function endGrantNow(context: OAuthServerContext, grantId: string): Promise<void> {
  const { databases, clock, newId } = context;
  const writing = { db: databases.main, clock, newId };
  const { revision } = await writeTransaction(writing, OAUTH_CLIENT, async (tx, trail) => {
    const grant = await takeGrant(tx, grantId);
    const user = grant && (await findUserById(tx, grant.user_id));
    if (user) {
      const { client_id, client_name } = grant;
      const target = { kind: "user", id: user.id, name: user.email };
      trail.audit({ operation: "disconnectClient", target, before: { client_id, client_name } });
    }
    trail.changed("credential", ...(await endGrant(tx, grantId)));
  });
  if (revision !== undefined) await context.waitUntilPublished(revision);
}
