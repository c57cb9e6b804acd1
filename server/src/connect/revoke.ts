import { openConnection } from "#records/connections";
import { findServerById } from "#records/mcp-servers";
import type { ConnectionRow } from "#storage/user-tables";
import { usedClient } from "./client.ts";
import type { ConnectNeeds } from "./needs.ts";
import { ANSWER_BYTES, sendRequest } from "./oauth-request.ts";
import { authenticatedForm } from "./token-endpoint.ts";

/**
 * OA-12, RFC 7009: revokes the user's tokens at the authorization server. The connection is already deleted, so a failure
 * is only logged.
 */
export async function revoke(needs: ConnectNeeds, connection: ConnectionRow): Promise<void> {
  const secret = openConnection(needs.vault, connection);
  if (secret.kind !== "oauth" || secret.revocationEndpoint === undefined) return;
  const server = await findServerById(needs.db, connection.server_id);
  const client = server && (await usedClient(needs, server, secret));
  if (!client) return;
  const [token, hint] =
    secret.refreshToken === undefined ? [secret.accessToken, "access_token"] : [secret.refreshToken, "refresh_token"];
  const response = await sendRequest(needs.egress, {
    method: "POST",
    url: secret.revocationEndpoint,
    ...authenticatedForm(client, { token, token_type_hint: hint }),
    maxBytes: ANSWER_BYTES,
  });
  if ("failure" in response || response.status !== 200) {
    needs.logger.warn({ server: server?.slug, answered: response.summary }, "tokens could not be revoked");
  }
}
