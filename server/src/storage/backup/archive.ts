import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";
import { countOf } from "#lib/count-of";

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

/** A line of the progress of a backup and a restore. */
export function describeCopied(table: string, rows: number): string {
  return `${table}: ${countOf(rows, "row")}`;
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

  readonly #path: string;
  #isCreated = false;

  constructor(path: string) {
    this.#path = path;
    // `wx`: an existing file is never overwritten.
    const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
    file.once("open", () => {
      this.#isCreated = true;
    });
    this.#written = pipeline(this.#parts, createGzip({ level: constants.Z_BEST_SPEED }), file).catch((error: Error) => {
      // A failed write, such as to a full disk, does not name the file.
      throw Object.assign(error, { path });
    });
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

  /** Deletes the file, unless another process created it. */
  async abort(): Promise<void> {
    this.#parts.destroy();
    await this.#written.catch(() => {});
    if (this.#isCreated) await rm(this.#path, { force: true });
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
  const lines = createInterface({ input: gunzip, crlfDelay: Number.POSITIVE_INFINITY });
  // After a damaged line, the stream can fail as well, when nothing iterates over it anymore.
  lines.on("error", () => {});
  try {
    for await (const text of lines) {
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
    if (this.#state === "complete") throw damaged(this.#path);
    if (this.#state === "new") this.#begin(line);
    else if (Array.isArray(line)) this.#addRow(text);
    else if ("table" in line) this.#table = { name: line.table, hash: createHash("sha256"), rows: 0 };
    else if ("end" in line) this.#endTable(line);
    else if ("complete" in line) return this.#complete(line.complete.sha256);
    this.#all.update(`${text}\n`);
  }

  assertComplete(): void {
    if (this.#state !== "complete") throw incomplete(this.#path);
  }

  #begin(line: Manifest | ArchiveLine): void {
    if (!("format" in line) || line.format !== FORMAT)
      throw new BadBackup(`${this.#path} is not a backup of Gatehouse.`);
    this.#state = "open";
  }

  #addRow(text: string): void {
    if (!this.#table) throw damaged(this.#path);
    this.#table.hash.update(`${text}\n`);
    this.#table.rows++;
  }

  #endTable({ end, rows, sha256 }: { readonly end: string; readonly rows: number; readonly sha256: string }): void {
    const table = this.#table;
    const isSame = table?.name === end && table.rows === rows && table.hash.digest("hex") === sha256;
    if (!isSame) throw new BadBackup(`The table ${end} in ${this.#path} is damaged. ${ANOTHER}`);
    this.#table = undefined;
  }

  #complete(sha256: string): void {
    if (this.#all.digest("hex") !== sha256) throw damaged(this.#path);
    this.#state = "complete";
  }
}

const ANOTHER = "Copy it again, or use another backup.";

function damaged(path: string): BadBackup {
  return new BadBackup(`${path} is damaged. ${ANOTHER}`);
}

function incomplete(path: string): BadBackup {
  return new BadBackup(`${path} is incomplete. ${ANOTHER}`);
}

function unreadable(path: string, cause: unknown): BadBackup {
  const { code, message } = cause as NodeJS.ErrnoException;
  // Of the errors of gzip, Z_BUF_ERROR means that the file ends too early.
  if (code === "Z_BUF_ERROR") return incomplete(path);
  if (code === undefined || code.startsWith("Z_")) {
    return new BadBackup(`${path} is damaged, or is not a backup of Gatehouse. ${ANOTHER}`, { cause });
  }
  const reason = message.replace(/^E\w+: |, \w+(?: '.*')?$/gs, "");
  return new BadBackup(`${path} cannot be read: ${reason}.`, { cause });
}

function parseLine(text: string): Manifest | ArchiveLine {
  // Checksums show that ArchiveWriter wrote the line.
  return JSON.parse(text) as Manifest | ArchiveLine;
}
