import { deleteWebSession, type SignedIn } from "#records/web-sessions";
import { endEverywhere } from "./end-everywhere.ts";
import { type Client, type IdentityContext, inWrite, personAuthor } from "./identity-context.ts";

/** Signs out of this web session, or of all web sessions and MCP clients. */
export async function signOut(
  context: Omit<IdentityContext, "passwords">,
  { user, session }: SignedIn,
  everywhere: boolean,
  client: Pick<Client, "requestId" | "address">,
): Promise<void> {
  await inWrite(context, personAuthor(user, client), async (tx, trail) => {
    if (everywhere) await endEverywhere({ tx, trail }, user.id);
    else await deleteWebSession({ tx, trail }, user.id, session.id);
    const target = { kind: "user", id: user.id, name: user.email };
    trail.audit({ operation: "signOut", target, before: { web_session_id: everywhere ? "all" : session.id } });
  });
}
