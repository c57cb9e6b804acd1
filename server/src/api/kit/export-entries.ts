import { csvLine } from "./csv.ts";

export const EXPORT_FORMATS = ["ndjson", "csv"] as const;
type ExportFormat = (typeof EXPORT_FORMATS)[number];

interface EntryPage<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor: string | undefined;
}

export interface EntryExport<Entry> {
  /** Part of the file name. */
  readonly name: string;
  readonly format: ExportFormat | undefined;
  readonly now: number;
  /** The header line of CSV. */
  readonly columns: readonly string[];
  cells(entry: Entry): readonly (string | number | null)[];
  readPage(cursor: string | undefined): Promise<EntryPage<Entry>>;
}

/** A download of all entries. They are streamed page by page, so that memory use does not depend on their number. */
export async function exportEntries<Entry>(options: EntryExport<Entry>) {
  const { name, format = "ndjson", now, columns, cells, readPage } = options;
  const isCsv = format === "csv";
  const line = (entry: Entry) => (isCsv ? csvLine(cells(entry)) : `${JSON.stringify(entry)}\n`);
  const day = new Date(now).toISOString().slice(0, 10);
  return {
    type: isCsv ? "text/csv" : "application/x-ndjson",
    fileName: `gatehouse-${name}-${day}.${format}`,
    // The first page is read before the response starts, so that a failure has a status.
    pieces: pieces(await readPage(undefined), readPage, isCsv ? csvLine(columns) : "", line),
  };
}

async function* pieces<Entry>(
  first: EntryPage<Entry>,
  readPage: EntryExport<Entry>["readPage"],
  head: string,
  line: (entry: Entry) => string,
): AsyncGenerator<string> {
  let page = first;
  yield head + page.entries.map(line).join("");
  while (page.nextCursor !== undefined) {
    page = await readPage(page.nextCursor);
    yield page.entries.map(line).join("");
  }
}
