import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { notFound } from "#lib/errors";
import { endGrant, findGrantOfUser } from "#records/oauth-grants";
import type { MainTransaction } from "#storage/database";
import type { OAuthGrantRow } from "#storage/oauth-server-tables";
import type { WriteTrail } from "#storage/transaction";

/** A user's MCP client, as shown to the user and to admins. */
export const ConnectedClient = z
  .object({
    id: z.string().describe("ID of this connection; IDs are never reused"),
    client_id: z.string().meta({
      description: "The client: the ID that it received when it registered, or the URL of its metadata document",
      example: "https://client.example/oauth.json",
    }),
    client_name: z.string().meta({ description: "Name that the client gave itself; not verified", example: "Claude" }),
    redirect_uri: z.string().meta({
      description: "Redirect URI that was used when the user consented",
      example: "http://127.0.0.1:33418/callback",
    }),
    server_slug: z.string().nullable().meta({
      description: "The only MCP server that the client can use; null if it can use all of the user's servers",
      example: null,
    }),
    connected_at: timestamp("When the user consented"),
    last_used_at: timestamp("When the client last received a token; clients in use receive one every hour"),
    expires_at: timestamp("When the connection expires unless the client uses it before then"),
  })
  .meta({ id: "ConnectedClient", description: "An MCP client that acts on behalf of a user" });

export function presentClient(row: OAuthGrantRow): z.input<typeof ConnectedClient> {
  return {
    id: row.id,
    client_id: row.client_id,
    client_name: row.client_name,
    redirect_uri: row.redirect_uri,
    server_slug: row.resource_path?.split("/").at(-1) ?? null,
    connected_at: isoTime(row.created_at),
    last_used_at: isoTime(row.last_used_at),
    expires_at: isoTime(row.expires_at),
  };
}

/** AZ-3: another user's client is treated like one that does not exist. */
export async function endClientOf(
  { tx, trail }: { readonly tx: MainTransaction; readonly trail: WriteTrail },
  user: { readonly id: string; readonly email: string },
  id: string,
  operation: string,
): Promise<void> {
  const grant = await findGrantOfUser(tx, user.id, id);
  if (!grant) throw notFound.client();
  await endGrant(tx, trail, id);
  const target = { kind: "user", id: user.id, name: user.email };
  trail.audit({ operation, target, before: presentClient(grant) });
}
