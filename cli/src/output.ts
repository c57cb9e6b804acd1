import { once } from "node:events";
import { styleText } from "node:util";
import { isObject } from "#openapi/json";
import { manyLines, oneLine, safeJson, shortened, widthOf } from "./terminal-text.ts";

export type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>;

/** A cell longer than this is prose, whose place is in `-o json`. */
const LONGEST_CELL = 80;

export interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Data goes to stdout, talk to stderr. */
export class Output {
  readonly json: boolean;
  readonly #streams: Streams;
  /** Of the columns so far; a table that goes on only ever gets wider. */
  readonly #widths: number[] = [];

  constructor(streams: Streams, json: boolean) {
    this.#streams = streams;
    this.json = json;
  }

  /** Rows as they came from the API, or the columns of a table; `things` are what there are none of. */
  list<Row extends object>(rows: readonly Row[], columns: Columns<Row>, things: string): void {
    if (this.json) this.#data(safeJson(rows, 2));
    else if (rows.length === 0) this.say(`No ${things}.`);
    else this.#table(rows, columns);
  }

  /** More rows of a list without end: as JSON one a line, as a table under the columns that stand already. */
  append<Row extends object>(rows: readonly Row[], columns: Columns<Row>): void {
    if (this.json) for (const row of rows) this.#data(safeJson(row));
    else if (rows.length > 0) this.#table(rows, columns);
  }

  /** One thing: a line per field, nested ones by their path. `hidden` fields show only as JSON. */
  record(thing: object, hidden: readonly string[] = []): void {
    if (this.json) return this.#data(safeJson(thing, 2));
    const fields = flattened(thing).filter(([name]) => !hidden.includes(name));
    const width = Math.max(...fields.map(([name]) => widthOf(name)));
    for (const [name, value] of fields) this.#data(`${padded(name, width)}  ${oneLine(value)}`);
  }

  /** Text that is itself the data: as it is into a file or pipe, made harmless on a terminal. */
  text(text: string): void {
    const shown = this.#streams.stdout.isTTY ? manyLines(text) : text;
    this.#streams.stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
  }

  /** Likewise, piece by piece, and no faster than it is taken. */
  async pieces(stream: ReadableStream<Uint8Array>): Promise<void> {
    const { stdout } = this.#streams;
    const decoder = new TextDecoder();
    for await (const piece of stream) {
      const shown = stdout.isTTY ? manyLines(decoder.decode(piece, { stream: true })) : piece;
      if (!stdout.write(shown)) await once(stdout, "drain");
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
    const begun = this.#widths.length > 0;
    for (const line of [names, ...cells]) {
      line.forEach((text, i) => {
        this.#widths[i] = Math.max(this.#widths[i] ?? 0, widthOf(text));
      });
    }
    // Bold where the terminal can and NO_COLOR does not forbid it.
    if (!begun) this.#data(styleText("bold", this.#aligned(names), { stream: this.#streams.stdout }));
    for (const line of cells) this.#data(this.#aligned(line));
  }

  #aligned(texts: readonly string[]): string {
    return texts.map((text, i) => (i === texts.length - 1 ? text : padded(text, this.#widths[i] ?? 0))).join("  ");
  }
}

function cell(value: unknown): string {
  return shortened(oneLine(asText(value)), LONGEST_CELL) || "-";
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
