/** Stores what the gateway remembers of callers, for other processes and for the next start. */
import type { CallerRecords } from "#gateway/ports";
import type { Clock } from "#lib/clock";
import {
  callerStreamsOf,
  deleteCallerStreams,
  deleteCallerStreamsBefore,
  deleteLinkedResourcesBefore,
  findLinkedServer,
  rememberLinkedResources,
  saveCallerStreams,
} from "#records/mcp-sessions";
import type { MainDb } from "#storage/database";

/** After this many writes, a process deletes surplus rows, because callers decide how many there are. */
const TRIMMED_EVERY = 500;

export function createCallerRecords(db: MainDb, clock: Clock): CallerRecords {
  let writes = 0;
  const trim = async (rememberedMs: number, remove: (db: MainDb, before: number) => Promise<void>) => {
    if (++writes % TRIMMED_EVERY === 0) await remove(db, clock.now() - rememberedMs);
  };
  return {
    async rememberLinks(links, rememberedMs) {
      const linked_at = clock.now();
      const rows = links.map(({ key, userId, serverId }) => ({
        key_hash: key,
        user_id: userId,
        server_id: serverId,
        linked_at,
      }));
      await rememberLinkedResources(db, rows);
      await trim(rememberedMs, deleteLinkedResourcesBefore);
    },
    linkedServer: (key, rememberedMs) => findLinkedServer(db, key, clock.now() - rememberedMs),
    async streamsOf(caller, rememberedMs) {
      const rows = await callerStreamsOf(db, caller, clock.now() - rememberedMs);
      return rows.map(({ id, lists, resources }) => ({ id, caller, lists, resources }));
    },
    async saveStreams(streams, forgotten, rememberedMs) {
      const seen_at = clock.now();
      await saveCallerStreams(
        db,
        streams.map(({ id, caller, lists, resources }) => {
          return { id, caller_hash: caller, lists: { ...lists }, resources: [...resources], seen_at };
        }),
      );
      await deleteCallerStreams(db, forgotten);
      await trim(rememberedMs, deleteCallerStreamsBefore);
    },
  };
}
