import { once } from "node:events";
import { styleText } from "node:util";
import { isObject } from "#openapi/json";
import { EXIT, Failure } from "./failure.ts";
import { fitWidths, HELP_COLUMNS, wrapText } from "./layout.ts";
import { manyLines, oneLine, safeJson, shortened, widthOf } from "./terminal-text.ts";

export type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>;

/** Longer cells are truncated; `-o json` shows everything. */
const LONGEST_CELL = 80;

export interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Writes data to stdout and messages to stderr. */
export class Output {
  readonly json: boolean;
  readonly #streams: Streams;
  /** The widths of the columns so far; appended rows can only make them wider. */
  readonly #widths: number[] = [];

  constructor(streams: Streams, json: boolean) {
    this.#streams = streams;
    this.json = json;
  }

  /** Prints the API's rows as JSON, or columns of them as a table. `empty` is the message if there are no rows. */
  list<Row extends object>(rows: readonly Row[], columns: Columns<Row>, empty: string): void {
    if (this.json) this.#data(safeJson(rows, 2));
    else if (rows.length === 0) this.say(empty);
    else this.#table(rows, columns);
  }

  /** Appends rows to an endless list: one JSON object per line, or rows below the existing columns. */
  append<Row extends object>(rows: readonly Row[], columns: Columns<Row>): void {
    if (this.json) for (const row of rows) this.#data(safeJson(row));
    else if (rows.length > 0) this.#table(rows, columns);
  }

  /** Prints one line per field, with nested fields as paths. `hidden` fields appear only in JSON. */
  record(thing: object, hidden: readonly string[] = []): void {
    if (this.json) return this.#data(safeJson(thing, 2));
    const fields = flattened(thing).filter(([name]) => !hidden.includes(name));
    const width = Math.max(...fields.map(([name]) => widthOf(name)));
    const { isTTY, columns = HELP_COLUMNS } = this.#streams.stdout;
    for (const [name, value] of fields) {
      const [first = "", ...rest] = isTTY ? wrapText(oneLine(value), columns - width - 2) : [oneLine(value)];
      this.#data(`${padded(name, width)}  ${first}`);
      for (const line of rest) this.#data(`${" ".repeat(width)}  ${line}`);
    }
  }

  /** Prints text unchanged to a file or pipe, and escaped to a terminal. */
  text(text: string): void {
    const shown = this.#streams.stdout.isTTY ? manyLines(text) : text;
    this.#streams.stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
  }

  /** Prints a stream in the same way, as fast as it is consumed. */
  async pieces(stream: ReadableStream<Uint8Array>): Promise<void> {
    const { stdout } = this.#streams;
    const decoder = new TextDecoder();
    for await (const piece of stream) {
      const shown = stdout.isTTY ? manyLines(decoder.decode(piece, { stream: true })) : piece;
      if (!stdout.write(shown)) await once(stdout, "drain").catch(throwReported);
    }
  }

  say(text: string): void {
    this.#streams.stderr.write(`${manyLines(text)}\n`);
  }

  #data(line: string): void {
    this.#streams.stdout.write(`${line}\n`);
  }

  #table<Row>(rows: readonly Row[], columns: Columns<Row>): void {
    const names = Object.keys(columns);
    const cells = rows.map((row) => Object.values(columns).map((column) => cell(column(row))));
    const hasHeader = this.#widths.length > 0;
    for (const line of [names, ...cells]) {
      line.forEach((text, i) => {
        this.#widths[i] = Math.max(this.#widths[i] ?? 0, widthOf(text));
      });
    }
    const { isTTY, columns: available } = this.#streams.stdout;
    const least = names.map((name, i) =>
      Math.max(widthOf(name), ...cells.map((line) => (UNCUT.test(line[i] ?? "") ? widthOf(line[i] ?? "") : 0))),
    );
    const widths = isTTY ? fitWidths(this.#widths, least, available) : this.#widths;
    // styleText respects NO_COLOR and the terminal's capabilities.
    if (!hasHeader) this.#data(styleText("bold", aligned(names, widths), { stream: this.#streams.stdout }));
    for (const line of cells) this.#data(aligned(line, widths));
  }
}

function aligned(texts: readonly string[], widths: readonly number[]): string {
  const cells = texts.map((text, i) => shortened(text, widths[i] ?? 0));
  return cells.map((text, i) => (i === texts.length - 1 ? text : padded(text, widths[i] ?? 0))).join("  ");
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/;

/** IDs and times are useless when truncated. */
const UNCUT = /^(?:[a-z]+_[0-9a-z]{26}|\d{4}-\d\d-\d\dT\S+)$/;

function cell(value: unknown): string {
  return shortened(oneLine(asText(value)).replace(TIMESTAMP, "$1Z"), LONGEST_CELL) || "-";
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function flattened(thing: object, prefix = ""): [name: string, value: string][] {
  return Object.entries(thing).flatMap(([key, value]): [string, string][] => {
    const name = `${prefix}${oneLine(key)}`;
    if (isObject(value)) return flattened(value, `${name}.`);
    return [[name, asText(value) || "-"]];
  });
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** `watchOutput` has printed why stdout cannot be written. */
function throwReported(): never {
  throw new Failure(EXIT.failed, "");
}
