import { endGrant, lockGrant, takeGrant } from "#records/oauth-grants";
import { findUserById } from "#records/users";
import type { WriteAuthor } from "#storage/transaction";
import { inWrite } from "../identity-context.ts";
import type { OAuthServerContext } from "./oauth-server-context.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A client that stays idle for longer needs the user's consent again. */
export const IDLE_GRANT_MS = 30 * DAY_MS;

/** Author of the writes that OAuth clients cause when they refresh or revoke tokens. */
export const OAUTH_CLIENT: WriteAuthor = {
  actor: { kind: "system", id: "oauth-client", name: "OAuth client" },
  requestId: "oauth",
};

/** A used refresh token was presented again: it was stolen, or the client lost its successor. */
export async function recordTokenReuse(context: OAuthServerContext, grantId: string): Promise<void> {
  await inWrite(context, OAUTH_CLIENT, async (tx, trail) => {
    const grant = await lockGrant(tx, grantId, context.clock.now());
    const user = grant && (await findUserById(tx, grant.user_id));
    if (!user) return;
    const { client_id, client_name } = grant;
    const target = { kind: "user", id: user.id, name: user.email };
    trail.audit({ operation: "refreshTokenReused", target, after: { client_id, client_name } });
  });
}

/** RFC 7009, and after a code or a refresh token is used twice. Resolves when the gateway applies it. */
export async function endGrantNow(context: OAuthServerContext, grantId: string): Promise<void> {
  await inWrite(context, OAUTH_CLIENT, async (tx, trail) => {
    const grant = await takeGrant(tx, grantId);
    const user = grant && (await findUserById(tx, grant.user_id));
    if (user) {
      const { client_id, client_name } = grant;
      const target = { kind: "user", id: user.id, name: user.email };
      trail.audit({ operation: "disconnectClient", target, before: { client_id, client_name } });
    }
    await endGrant(tx, trail, grantId);
  });
}
