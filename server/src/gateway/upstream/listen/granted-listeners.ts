import type { OpenUnderGrant } from "../calls/under-grant.ts";
import type { ListenerEvents, ListenTo, UpstreamListener } from "./listener.ts";

/** Streams that were opened under users' grants. */
export class GrantedListeners {
  readonly open = new Set<OpenUnderGrant>();

  /** With a grant's end, a stream is broken; whoever wants it back opens it under the next one. */
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
