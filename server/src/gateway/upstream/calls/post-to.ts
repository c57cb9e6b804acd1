import type { UpstreamAddress, UpstreamCredentials } from "../../ports.ts";
import type { ServerEntry } from "../../snapshot/shape.ts";
import type { UpstreamSessions } from "../sessions/upstream-sessions.ts";
import { legacyHeaders } from "../transport/headers.ts";
import { notifyAt } from "../transport/notify.ts";

/** To the very address that was given, if the server still has it, with the user's own credential where it asks for one. */
export async function postTo(
  { routes, credentials }: { readonly routes: UpstreamSessions; readonly credentials: UpstreamCredentials },
  server: ServerEntry,
  userId: string,
  to: UpstreamAddress,
  body: Buffer,
): Promise<void> {
  const { upstream } = server;
  if (upstream?.url !== to.url || upstream.transport === "stdio") return;
  const credential = upstream.authType === "none" ? undefined : await credentials.of(server, userId);
  if (typeof credential === "string") return;
  const endpoint = routes.endpointTo({ server, entry: upstream, credential });
  await notifyAt(endpoint, to.path ?? endpoint.path, legacyHeaders(to.version, to.sessionId), body);
}
