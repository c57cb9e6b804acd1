import { csvLine } from "./csv.ts";
import { PageSize } from "./page-size.ts";

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
  readPage(cursor: string | undefined, limit: number): Promise<EntryPage<Entry>>;
}

/** A download of all entries. They are streamed page by page, so that memory use does not depend on their number. */
export async function exportEntries<Entry>(options: EntryExport<Entry>) {
  const { name, format = "ndjson", now, columns, cells, readPage } = options;
  const isCsv = format === "csv";
  const line = (entry: Entry) => (isCsv ? csvLine(cells(entry)) : `${JSON.stringify(entry)}\n`);
  const day = new Date(now).toISOString().slice(0, 10);
  const size = new PageSize();
  const readText = async (cursor: string | undefined): Promise<PageText> => {
    const { entries, nextCursor } = await readPage(cursor, size.entries);
    const text = entries.map(line).join("");
    size.adapt(entries.length, text.length);
    return { text, nextCursor };
  };
  return {
    type: isCsv ? "text/csv" : "application/x-ndjson",
    fileName: `gatehouse-${name}-${day}.${format}`,
    // The first page is read before the response starts, so that a failure has a status.
    pieces: pieces(await readText(undefined), readText, isCsv ? csvLine(columns) : ""),
  };
}

interface PageText {
  readonly text: string;
  readonly nextCursor: string | undefined;
}

async function* pieces(
  first: PageText,
  readText: (cursor: string | undefined) => Promise<PageText>,
  head: string,
): AsyncGenerator<string> {
  let { text, nextCursor } = first;
  yield head + text;
  while (nextCursor !== undefined) {
    ({ text, nextCursor } = await readText(nextCursor));
    yield text;
  }
}
