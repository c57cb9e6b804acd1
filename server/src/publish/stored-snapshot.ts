/**
 * The last known records on disk, so that a process can start and serve known callers while Postgres is away. The file
 * holds the wrapped data keys, then sealed pieces of the records, then a sealed end. A second small file confirms when
 * the records were last current, because revocations after that time are missing.
 */
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setImmediate as nextTurn } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import type { Databases } from "#storage/database";
import { readWrappedKeys, unwrapDataKeys, type WrappedKey } from "#storage/open-vault";
import { Vault, VaultFault, type VaultNeeds } from "#storage/vault";
import type { WrappingKey } from "#storage/wrapping-key";
import type { PublishedKind } from "./published-kind.ts";
import { inConsistentView, readRevision, type StoredRecords } from "./published-state.ts";

const FILE = "snapshot";
const CONFIRMED = "snapshot.confirmed";
const PURPOSE = "snapshot";
/** Sealing a piece blocks the event loop for about a millisecond. */
const ROWS_PER_PIECE = 20;

interface Header {
  readonly id: string;
  readonly keys: readonly WrappedKey[];
}

type Piece =
  | { readonly kind: string; readonly rows: readonly object[] }
  | {
      readonly kind: undefined;
      readonly pieces: number;
      readonly revision: number;
      readonly release: string;
      readonly database: string;
    };

export interface StoredSnapshotNeeds extends VaultNeeds {
  readonly directory: string;
  /** Records of another release can have another shape. */
  readonly release: string;
  /** Identifies the database, so that its records are never served for another one. */
  readonly database: string;
}

export interface LoadedSnapshot extends StoredRecords {
  readonly vault: Vault;
}

export class StoredSnapshot {
  readonly #needs: StoredSnapshotNeeds;
  /** The file that this process wrote last. */
  #written: { readonly id: string; readonly revision: number } | undefined;

  constructor(needs: StoredSnapshotNeeds) {
    this.#needs = needs;
  }

  /** Writes a new file if the records have changed since the last one, and then confirms it. */
  async store(databases: Databases, kinds: readonly PublishedKind[], vault: Vault): Promise<void> {
    const confirmedAt = this.#needs.clock.now();
    const revision = await readRevision(databases.main);
    if (this.#written?.revision !== revision) this.#written = await this.#write(databases, kinds, vault);
    const { id } = this.#written;
    await this.#replace(CONFIRMED, async (line) =>
      line(vault.seal(PURPOSE, placeOf(id, CONFIRMED), String(confirmedAt))),
    );
  }

  async #write(databases: Databases, kinds: readonly PublishedKind[], vault: Vault) {
    const { release, database } = this.#needs;
    const id = randomUUID();
    const revision = await this.#replace(FILE, (line) =>
      inConsistentView(databases, async (tx) => {
        await line(JSON.stringify({ id, keys: await readWrappedKeys(tx) } satisfies Header));
        let pieces = 0;
        const write = (piece: Piece) => line(vault.seal(PURPOSE, placeOf(id, String(pieces++)), encode(piece)));
        const current = await readRevision(tx);
        for (const kind of kinds) {
          for await (const rows of kind.read(tx)) {
            for (let start = 0; start < rows.length; start += ROWS_PER_PIECE) {
              await write({ kind: kind.kind, rows: rows.slice(start, start + ROWS_PER_PIECE) });
              await nextTurn();
            }
          }
        }
        await write({ kind: undefined, pieces, revision: current, release, database });
        return current;
      }),
    );
    return { id, revision };
  }

  /** Writes a draft and renames it, so that a reader finds either file completely. */
  async #replace<Result>(name: string, write: (line: Line) => Promise<Result>): Promise<Result> {
    const { directory } = this.#needs;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const draft = join(directory, `${name}.draft`);
    const file = await open(draft, "w", 0o600);
    try {
      const result = await write(async (text) => void (await file.writeFile(`${text}\n`)));
      await file.sync();
      await rename(draft, join(directory, name));
      return result;
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }

  /** Undefined if there is no usable snapshot: none, too old, damaged, or of another release or database. */
  async load(keys: readonly WrappingKey[], maxAgeMs: number): Promise<LoadedSnapshot | undefined> {
    try {
      const loaded = await this.#read(keys);
      // A time in the future means that the clock was wrong, so the age is unknown.
      return loaded && loaded.ageMs >= 0 && loaded.ageMs <= maxAgeMs ? loaded : undefined;
    } catch (error) {
      if (!isMissing(error)) this.#needs.logger.warn({ err: error }, "the stored snapshot cannot be used");
      return undefined;
    }
  }

  async #read(keys: readonly WrappingKey[]): Promise<LoadedSnapshot | undefined> {
    const { directory, release, database, clock } = this.#needs;
    const records = new Map<string, object[][]>();
    let header: Header | undefined;
    let vault: Vault | undefined;
    let pieces = 0;
    let end: (Piece & { readonly kind: undefined }) | undefined;
    for await (const line of createInterface({ input: createReadStream(join(directory, FILE), "utf8") })) {
      if (!header || !vault) {
        header = JSON.parse(line) as Header; // written by #write; a changed one does not open the pieces
        vault = new Vault(unwrapDataKeys(header.keys, keys), this.#needs);
        continue;
      }
      const piece = decode(vault.open(PURPOSE, placeOf(header.id, String(pieces)), line));
      if (piece.kind === undefined) end = piece;
      else records.set(piece.kind, withPage(records.get(piece.kind), piece.rows));
      pieces++;
    }
    if (!header || !vault || end?.pieces !== pieces - 1) throw new VaultFault("the stored snapshot is incomplete");
    if (end.release !== release || end.database !== database) return undefined;
    const confirmed = (await readFile(join(directory, CONFIRMED), "utf8")).trim();
    const confirmedAt = Number(vault.open(PURPOSE, placeOf(header.id, CONFIRMED), confirmed));
    return { vault, revision: end.revision, records, ageMs: clock.now() - confirmedAt };
  }
}

function withPage(pages: object[][] = [], rows: readonly object[]): object[][] {
  pages.push([...rows]);
  return pages;
}

type Line = (text: string) => Promise<void>;

function placeOf(id: string, column: string) {
  return { table: "snapshot", row: id, column };
}

/** Rows contain bytes, which JSON cannot express. */
function encode(piece: Piece): string {
  return serialize(piece).toString("base64");
}

/** Only after the seal was opened, so this process or one with the same keys wrote it. */
function decode(text: string): Piece {
  return deserialize(Buffer.from(text, "base64")) as Piece;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
