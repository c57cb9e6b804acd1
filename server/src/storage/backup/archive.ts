import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";

export const FORMAT = "gatehouse-backup/1";

export interface Manifest {
  readonly format: typeof FORMAT;
  readonly version: string;
  readonly created_at: string;
  /** The database that was copied. */
  readonly dialect: "sqlite" | "postgres";
  readonly migrations: readonly string[];
  /** The last entry of the audit log, with which a restore is verified. */
  readonly audit: { readonly seq: number; readonly hash: string };
  /** The IDs of the key files that wrap the data keys. */
  readonly key_ids: readonly string[];
  /** The key file, base64; only on request. */
  readonly key?: string;
}

/** A value of a row: JSON columns as their text, bytes as base64. */
export type ArchivedValue = string | number | boolean | null;
export type ArchivedRow = readonly ArchivedValue[];

/** The lines of an archive after the manifest. */
export type ArchiveLine =
  | { readonly table: string; readonly columns: readonly string[] }
  | { readonly end: string; readonly rows: number; readonly sha256: string }
  | { readonly complete: { readonly tables: number; readonly rows: number; readonly sha256: string } }
  | ArchivedRow;

/** The file is not a backup, is damaged, or is incomplete. Printed as one line. */
export class BadBackup extends Error {
  override readonly name = "BadBackup";
}

/** Hashing and compressing single lines costs several times as much processor time. */
const PART_CHARACTERS = 1 << 17;

/** Writes gzip-compressed JSON lines, with a checksum per table and one of everything. */
export class ArchiveWriter {
  readonly #parts = new PassThrough();
  readonly #written: Promise<void>;
  readonly #all = createHash("sha256");
  #table: { readonly name: string; readonly hash: Hash; rows: number } | undefined;
  #tables = 0;
  #rows = 0;
  /** Lines that are not hashed and written yet: either rows of the table, or others. */
  #lines = "";

  constructor(path: string) {
    // `wx`: an existing file is never overwritten.
    this.#written = pipeline(
      this.#parts,
      createGzip({ level: constants.Z_BEST_SPEED }),
      createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }),
    );
    this.#written.catch(() => {});
  }

  async manifest(manifest: Manifest): Promise<void> {
    this.#add(manifest);
    await this.#flush();
  }

  async beginTable(name: string, columns: readonly string[]): Promise<void> {
    this.#add({ table: name, columns });
    await this.#flush();
    this.#table = { name, hash: createHash("sha256"), rows: 0 };
  }

  async row(row: ArchivedRow): Promise<void> {
    if (!this.#table) throw new Error("a row needs a table");
    this.#table.rows++;
    this.#add(row);
    if (this.#lines.length >= PART_CHARACTERS) await this.#flush(this.#table.hash);
  }

  async endTable(): Promise<number> {
    const table = this.#table;
    if (!table) throw new Error("there is no table to end");
    await this.#flush(table.hash);
    this.#add({ end: table.name, rows: table.rows, sha256: table.hash.digest("hex") });
    this.#tables++;
    this.#rows += table.rows;
    this.#table = undefined;
    await this.#flush();
    return table.rows;
  }

  async finish(): Promise<void> {
    const complete = { tables: this.#tables, rows: this.#rows, sha256: this.#all.copy().digest("hex") };
    this.#add({ complete });
    await this.#flush();
    this.#parts.end();
    await this.#written;
  }

  async abort(): Promise<void> {
    this.#parts.destroy();
    await this.#written.catch(() => {});
  }

  #add(line: object): void {
    this.#lines += `${JSON.stringify(line)}\n`;
  }

  async #flush(ofTable?: Hash): Promise<void> {
    if (this.#lines === "") return;
    const part = Buffer.from(this.#lines);
    this.#lines = "";
    ofTable?.update(part);
    this.#all.update(part);
    // A full disk ends the pipeline; waiting for `drain` would then never end.
    if (!this.#parts.write(part)) await Promise.race([once(this.#parts, "drain"), this.#written]);
  }
}

/** Reads the lines of an archive and verifies every checksum. The first line is the manifest. */
export async function* readArchive(path: string): AsyncGenerator<Manifest | ArchiveLine> {
  const source = createReadStream(path);
  const gunzip = createGunzip();
  const failed = pipeline(source, gunzip).catch((error: unknown) => error);
  const checks = new ArchiveChecks(path);
  try {
    for await (const text of createInterface({ input: gunzip, crlfDelay: Number.POSITIVE_INFINITY })) {
      const line = parseLine(text);
      checks.add(line, text);
      yield line;
    }
  } catch (error) {
    throw error instanceof BadBackup ? error : unreadable(path, error);
  } finally {
    source.destroy();
  }
  const failure = await failed;
  if (failure instanceof Error) throw unreadable(path, failure);
  checks.assertComplete();
}

class ArchiveChecks {
  readonly #path: string;
  readonly #all = createHash("sha256");
  #table: { readonly name: string; readonly hash: Hash; rows: number } | undefined;
  #state: "new" | "open" | "complete" = "new";

  constructor(path: string) {
    this.#path = path;
  }

  add(line: Manifest | ArchiveLine, text: string): void {
    if (this.#state === "complete") throw new BadBackup(`${this.#path} is damaged.`);
    if (this.#state === "new") this.#begin(line);
    else if (Array.isArray(line)) this.#addRow(text);
    else if ("table" in line) this.#table = { name: line.table, hash: createHash("sha256"), rows: 0 };
    else if ("end" in line) this.#endTable(line);
    else if ("complete" in line) return this.#complete(line.complete.sha256);
    this.#all.update(`${text}\n`);
  }

  assertComplete(): void {
    if (this.#state !== "complete") throw new BadBackup(`${this.#path} is incomplete.`);
  }

  #begin(line: Manifest | ArchiveLine): void {
    if (!("format" in line) || line.format !== FORMAT)
      throw new BadBackup(`${this.#path} is not a backup of Gatehouse.`);
    this.#state = "open";
  }

  #addRow(text: string): void {
    if (!this.#table) throw new BadBackup(`${this.#path} is damaged.`);
    this.#table.hash.update(`${text}\n`);
    this.#table.rows++;
  }

  #endTable({ end, rows, sha256 }: { readonly end: string; readonly rows: number; readonly sha256: string }): void {
    const table = this.#table;
    const isSame = table?.name === end && table.rows === rows && table.hash.digest("hex") === sha256;
    if (!isSame) throw new BadBackup(`The table ${end} in ${this.#path} is damaged.`);
    this.#table = undefined;
  }

  #complete(sha256: string): void {
    if (this.#all.digest("hex") !== sha256) throw new BadBackup(`${this.#path} is damaged.`);
    this.#state = "complete";
  }
}

function unreadable(path: string, cause: unknown): BadBackup {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BadBackup(`${path} cannot be read: ${reason}.`, { cause });
}

function parseLine(text: string): Manifest | ArchiveLine {
  // Checksums show that ArchiveWriter wrote the line.
  return JSON.parse(text) as Manifest | ArchiveLine;
}
