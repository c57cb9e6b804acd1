import type { OpenUnderGrant } from "../calls/under-grant.ts";
import type { ListenerEvents, ListenTo, UpstreamListener } from "./listener.ts";

/** Listeners that were opened with a user's credential. */
export class GrantedListeners {
  readonly open = new Set<OpenUnderGrant>();

  /** When the grant ends, the listener is reported as broken; its owner opens a new one under the next grant. */
  keep(
    { server, userId, credential }: ListenTo,
    events: ListenerEvents,
    listen: (events: ListenerEvents) => UpstreamListener,
  ): UpstreamListener {
    if (userId === undefined || !credential) return listen(events);
    const ended = (why: "never" | "broken") => {
      this.open.delete(kept);
      events.ended(why);
    };
    const kept: OpenUnderGrant = {
      userId,
      serverId: server.id,
      grant: credential.grant,
      end() {
        listener.close();
        ended("broken");
      },
    };
    this.open.add(kept);
    const listener = listen({ ...events, ended });
    return {
      close: () => {
        this.open.delete(kept);
        listener.close();
      },
      forget: (uri) => listener.forget?.(uri),
    };
  }
}
