import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** The events of one session, so that a caller can resume a stream. */
export function createEventStore(): EventStore {
  const events: { readonly streamId: string; readonly message: JSONRPCMessage }[] = [];
  return {
    async storeEvent(streamId, message) {
      return String(events.push({ streamId, message }) - 1);
    },
    async replayEventsAfter(lastEventId, { send }) {
      const last = Number(lastEventId);
      const streamId = events[last]?.streamId ?? "";
      for (const [id, event] of events.entries())
        if (id > last && event.streamId === streamId) await send(String(id), event.message);
      return streamId;
    },
  };
}
