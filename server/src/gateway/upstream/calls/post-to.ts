import type { UpstreamCredentials } from "../../ports.ts";
import type { UpstreamAddress } from "../../session-ports.ts";
import type { ServerEntry } from "../../snapshot/shape.ts";
import type { UpstreamSessions } from "../sessions/upstream-sessions.ts";

export interface PostDependencies {
  readonly sessions: UpstreamSessions;
  readonly credentials: UpstreamCredentials;
}

/** Posts to exactly this endpoint if it is still the server's, with the user's credential if the server needs one. */
export async function postTo(
  { sessions, credentials }: PostDependencies,
  server: ServerEntry,
  userId: string,
  to: UpstreamAddress,
  body: Buffer,
): Promise<void> {
  const { upstream } = server;
  if (upstream?.url !== to.url) return;
  const { transport } = sessions.target(server, upstream);
  if (!transport.post) return;
  const credential = upstream.authType === "none" ? undefined : await credentials.of(server, userId);
  if (typeof credential === "string") return;
  await transport.post(sessions.endpointTo(server, upstream, credential), to, body);
}
