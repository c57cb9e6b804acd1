import type { ApiContext } from "#api/kit/api-context";
import { csvLine } from "#api/kit/csv";
import { download } from "#api/kit/operation";
import { choiceParameter, targetParameter } from "#api/kit/parameters";
import { invalid } from "#lib/errors";
import { devicesAfter, itemsAfter } from "#records/discovery";
import type { MainDb } from "#storage/database";
import { KINDS, type KindNames } from "./kinds.ts";
import { presentDevices, readAround, staleBefore } from "./present.ts";

const SLICE = 200;
const EXPORTED = [...KINDS.map(({ exportKind }) => exportKind), "devices"];

interface Slice {
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  readonly last: string | undefined;
}

/** Families 9. Streams in slices, so that memory use does not depend on the size of the inventory. */
export const exportDiscovery = download({
  id: "exportDiscovery",
  route: "GET /api/ai-discovery/export",
  tag: "AI Discovery",
  summary: "Export discovered items or devices",
  description:
    "All entries of one kind, with the fields of its list. If the export fails, the connection is closed before the response ends.",
  scope: "admin:read",
  query: {
    kind: targetParameter(`What to export: ${EXPORTED.map((kind) => `\`${kind}\``).join(", ")}`, "mcp_servers"),
    format: choiceParameter("`json` (default): an array; `csv`: a table", ["json", "csv"]),
  },
  media: {
    "application/json": "An array of entries",
    "text/csv":
      "A header line, then one line per entry. Lists and objects are JSON. Values that a spreadsheet would treat as a formula start with an apostrophe",
  },
  refusals: [400],
  onCrash: "Failed to export AI discovery",
  async run({ db, query, context }) {
    const { kind, format = "json" } = query;
    if (!EXPORTED.includes(kind)) throw invalid("kind", `must be one of ${EXPORTED.join(", ")}`);
    const names = KINDS.find(({ exportKind }) => exportKind === kind);
    const readSlice = names ? itemSlices(db, context, names) : deviceSlices(db, context);
    const first = await readSlice("");
    const day = new Date(context.clock.now()).toISOString().slice(0, 10);
    return {
      type: format === "csv" ? "text/csv" : "application/json",
      fileName: `gatehouse-${kind.replace("_", "-")}-${day}.${format}`,
      pieces: format === "csv" ? csvPieces(first, readSlice) : jsonPieces(first, readSlice),
    };
  },
});

function itemSlices(db: MainDb, context: ApiContext, { kind, present }: KindNames) {
  return async (after: string): Promise<Slice> => {
    const rows = await itemsAfter(db, kind, after, SLICE);
    const around = await readAround(db, context, rows);
    return { entries: rows.map((row) => present(row, around)), last: rows.at(-1)?.id };
  };
}

function deviceSlices(db: MainDb, context: ApiContext) {
  return async (after: string): Promise<Slice> => {
    const rows = await devicesAfter(db, after, SLICE);
    const entries = await presentDevices(db, rows, await staleBefore(db, context.clock.now()));
    return { entries, last: rows.at(-1)?.id };
  };
}

async function* slices(first: Slice, readSlice: (after: string) => Promise<Slice>): AsyncGenerator<Slice["entries"]> {
  for (let slice = first; slice.last !== undefined; slice = await readSlice(slice.last)) yield slice.entries;
}

async function* jsonPieces(first: Slice, readSlice: (after: string) => Promise<Slice>): AsyncGenerator<string> {
  let start = "[";
  for await (const entries of slices(first, readSlice)) {
    yield start + entries.map((entry) => JSON.stringify(entry)).join(",\n");
    start = ",\n";
  }
  yield start === "[" ? "[]\n" : "]\n";
}

async function* csvPieces(first: Slice, readSlice: (after: string) => Promise<Slice>): AsyncGenerator<string> {
  const columns = Object.keys(first.entries[0] ?? {});
  yield columns.length === 0 ? "" : csvLine(columns);
  for await (const entries of slices(first, readSlice)) {
    yield entries.map((entry) => csvLine(columns.map((column) => cellOf(entry[column])))).join("");
  }
}

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "string") return value;
  return typeof value === "boolean" ? String(value) : JSON.stringify(value);
}
