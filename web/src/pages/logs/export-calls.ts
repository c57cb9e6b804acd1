import type { Api } from "../../api/client.ts";
import { type CallFilters, callQuery } from "./calls.ts";

export type ExportFormat = "csv" | "ndjson";

interface ExportOptions {
  readonly filters: CallFilters;
  readonly format: ExportFormat;
  readonly signal: AbortSignal;
  /** Receives the number of downloaded calls. */
  onProgress(calls: number): void;
}

const NEW_LINE = 10;

export function exportCalls(api: Api, { filters, format, signal, onProgress }: ExportOptions): Promise<File> {
  let lines = format === "csv" ? -1 : 0;
  return api.download("/api/logs/export", {
    query: { ...callQuery(filters, Date.now()), format },
    signal,
    name: `gatehouse-logs.${format}`,
    onBytes(bytes) {
      for (let at = bytes.indexOf(NEW_LINE); at >= 0; at = bytes.indexOf(NEW_LINE, at + 1)) lines++;
      onProgress(Math.max(0, lines));
    },
  });
}

export function save(file: File): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = file.name;
  link.click();
  // The browser has saved the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
