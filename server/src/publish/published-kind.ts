import { type EntryChanges, emptySnapshot } from "#gateway/snapshot/next-snapshot";
import type { Snapshot } from "#gateway/snapshot/shape";
import { ShardedMap } from "#gateway/snapshot/sharded-map";
import type { MainDb, MainTransaction } from "#storage/database";
import type { PublishedRecords } from "./published-records.ts";

/** The snapshot, and data that only the publisher needs. */
export interface PublishedState {
  readonly snapshot: Snapshot;
  /** The snapshot keys credentials by access key, but changes name them by id. */
  readonly accessKeyById: ShardedMap<string>;
  /** Called in order after the snapshot is swapped in. */
  readonly notifications: readonly (() => void)[];
}

export const EMPTY_STATE: PublishedState = {
  snapshot: emptySnapshot,
  accessKeyById: ShardedMap.empty(),
  notifications: [],
};

/** One row of the table of published kinds: how records of a kind get into the state. */
export interface PublishedKind {
  /** The kind in the `changes` table. */
  readonly kind: string;
  /** Every record, in pages. */
  read(db: MainDb): AsyncIterable<object[]>;
  /** Adds every record, for a full build. `pages`: the result of `read`, now or from a stored snapshot. */
  build(pages: AsyncIterable<object[]> | Iterable<object[]>, state: PublishedState): Promise<PublishedState>;
  /** Replaces or removes the records with these ids. There is at least one id. */
  update(tx: MainTransaction, state: PublishedState, ids: ReadonlySet<string>): Promise<PublishedState>;
}

export interface CompiledKind<Row extends { readonly id: string }, Entry> {
  readonly kind: string;
  readonly records: PublishedRecords<Row>;
  /** `state` already holds all kinds that come earlier in the table. */
  compile(row: Row, state: PublishedState): Entry;
  /** Entries are keyed by record ID; undefined if the record is deleted. */
  place(state: PublishedState, entries: EntryChanges<Entry>): PublishedState;
}

/** A kind whose records are read, compiled to entries, and placed into the state. */
export function compiledKind<Row extends { readonly id: string }, Entry>({
  kind,
  records,
  compile,
  place,
}: CompiledKind<Row, Entry>): PublishedKind {
  return {
    kind,
    read: (db) => records.all(db),
    async build(pages, state) {
      const entries = new Map<string, Entry>();
      // `read` of the same kind returned these rows.
      for await (const rows of pages as AsyncIterable<Row[]> | Iterable<Row[]>) {
        for (const row of rows) entries.set(row.id, compile(row, state));
      }
      return place(state, entries);
    },
    async update(tx, state, ids) {
      const entries = new Map<string, Entry | undefined>();
      for (const id of ids) entries.set(id, undefined);
      for await (const rows of records.byIds(tx, ids)) {
        for (const row of rows) entries.set(row.id, compile(row, state));
      }
      return place(state, entries);
    },
  };
}

/**
 * A kind without entries: a listener receives the changed IDs, or undefined after a full build, when any may have
 * changed.
 */
export function notifiedKind(kind: string, notify: (ids: ReadonlySet<string> | undefined) => void): PublishedKind {
  return {
    kind,
    async *read() {},
    build: async (_pages, state) => withNotification(state, () => notify(undefined)),
    update: async (_tx, state, ids) => withNotification(state, () => notify(ids)),
  };
}

export function withNotification(state: PublishedState, notification: () => void): PublishedState {
  return { ...state, notifications: [...state.notifications, notification] };
}
