import { queueEmails } from "#records/emails";
import { findPasswordHash, setPasswordHash } from "#records/passwords";
import type { SignedIn } from "#records/web-sessions";
import { type Confirmation, confirmPassword } from "./confirm-password.ts";
import { endEverywhere } from "./end-everywhere.ts";
import { type Client, type IdentityContext, inWrite, personAuthor } from "./identity-context.ts";

export type PasswordChange = { readonly outcome: "changed" } | Exclude<Confirmation, { readonly outcome: "confirmed" }>;

/** Requires the current password, so an open browser is not enough. All other web sessions and MCP clients end. */
export async function changePassword(
  context: IdentityContext,
  signedIn: SignedIn,
  { current, next }: { readonly current: string; readonly next: string },
  client: Pick<Client, "address" | "requestId">,
): Promise<PasswordChange> {
  const { user, session } = signedIn;
  const confirmation = await confirmPassword(context, signedIn, current, client);
  if (confirmation.outcome !== "confirmed") return confirmation;
  const nextHash = await context.passwords.hash(next);
  const outcome = await inWrite(context, personAuthor(user, client), async (tx, trail) => {
    // The password may have changed since it was confirmed.
    if ((await findPasswordHash(tx, user.id)) !== confirmation.hash) return "wrong" as const;
    await setPasswordHash(tx, user.id, nextHash, context.clock.now());
    const ended = await endEverywhere({ tx, trail }, user.id, session.id);
    await queueEmails(tx, context.newId, {
      ...{ kind: "password_changed", recipients: [user], now: context.clock.now() },
      data: { name: user.name, address: client.address },
    });
    const target = { kind: "user", id: user.id, name: user.email };
    trail.audit({ operation: "changeMyPassword", target, after: ended });
    return "changed" as const;
  });
  return { outcome };
}
