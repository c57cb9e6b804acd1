import { UpstreamFault } from "../failure.ts";
import type { SessionOpener } from "../sessions/session-opener.ts";
import type { SessionSideband } from "../sessions/session-sideband.ts";
import type { UpstreamSessions } from "../sessions/upstream-sessions.ts";
import type { Transport } from "../transport/transport.ts";
import type { ListenTo } from "./listener.ts";
import {
  type NotificationSource,
  OwnConnectionSource,
  ServerStreamSource,
  SharedConnectionSource,
} from "./notification-source.ts";

export interface NotificationSourceDependencies {
  readonly sessions: UpstreamSessions;
  readonly opener: SessionOpener;
  readonly sideband: SessionSideband;
}

/** Decides over which connection to listen. Resolves to undefined when the upstream speaks none of its transports. */
export async function openNotificationSource(
  dependencies: NotificationSourceDependencies,
  to: ListenTo,
): Promise<NotificationSource | undefined> {
  const { server, entry } = to;
  const target = dependencies.sessions.target(server, entry);
  const fromStream = target.transport.isConnectionBound ? undefined : await openServerStreamSource(dependencies, to);
  if (fromStream) return fromStream;
  for (const transport of target.candidates()) {
    const source = await openSourceOver(dependencies, transport, to);
    if (source) return source;
  }
  return undefined;
}

/** For resources of a legacy caller's session, when the session can be resumed without a connection. */
async function openServerStreamSource(
  dependencies: NotificationSourceDependencies,
  to: ListenTo,
): Promise<NotificationSource | undefined> {
  if (to.era === "modern" || !to.resources || !to.session || to.userId === undefined) return undefined;
  const { server, entry, userId, session: mcpSession, credential } = to;
  const { sessions, opener, sideband } = dependencies;
  const caller = { userId, session: mcpSession, credential };
  const known = sessions.known(server, entry, caller, "legacy");
  const session = known ?? (await opener.open(server, entry, caller, "legacy"));
  const stream = await sideband.streamOf(session);
  return stream && new ServerStreamSource(session.connection, stream);
}

async function openSourceOver(
  dependencies: NotificationSourceDependencies,
  transport: Transport,
  to: ListenTo,
): Promise<NotificationSource | undefined> {
  const { sessions, opener } = dependencies;
  const { server, entry, userId, credential } = to;
  const endpoint = sessions.endpointTo(server, entry, credential);
  if (to.era === "modern" && transport.modern) return new OwnConnectionSource(transport.modern.connect(endpoint));
  if (!transport.isSharedByCallers && transport.isConnectionBound && to.resources && userId !== undefined) {
    // Such servers send notifications about resources in the session that subscribed to them.
    const caller = { userId, session: to.session, credential };
    const { connection } = await opener.open(server, entry, caller, "legacy");
    if (connection.transport.isConnectionBound) return new SharedConnectionSource(connection);
    throw new UpstreamFault("unreachable", "has changed its transport");
  }
  const connection = await transport.open(endpoint, opener.openOptions(server));
  if (!connection) return undefined;
  if (transport.isSharedByCallers) return new SharedConnectionSource(connection);
  sessions.found(sessions.target(server, entry), transport);
  return new OwnConnectionSource(connection);
}
