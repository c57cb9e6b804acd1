import { ApiError } from "#openapi/client";

export interface DownloadOptions {
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly signal: AbortSignal;
  /** Used until the service names the file. */
  readonly name: string;
  onBytes(bytes: Uint8Array): void;
}

/** What came is handed to the browser in pieces of this size, which it may keep on its disk. */
const PIECE_BYTES = 4_000_000;

/** An answer as a file, however large. One that breaks off throws: half of it is never taken for the whole. */
export async function download(
  fetch: typeof globalThis.fetch,
  path: string,
  { query, signal, name, onBytes }: DownloadOptions,
): Promise<File> {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(key, String(value));
  }
  const response = await fetch(`${path}?${parameters}`, { signal });
  if (!response.ok || !response.body) {
    const body: unknown = await response.json().catch(() => undefined);
    throw new ApiError(`The service answered with status ${response.status}`, { response, body });
  }
  const parts: Blob[] = [];
  let piece: Uint8Array<ArrayBuffer>[] = [];
  let pieceBytes = 0;
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    piece.push(read.value);
    pieceBytes += read.value.byteLength;
    onBytes(read.value);
    if (pieceBytes < PIECE_BYTES) continue;
    parts.push(new Blob(piece));
    [piece, pieceBytes] = [[], 0];
  }
  const named = /filename="?([\w.-]+)"?/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return new File([...parts, ...piece], named ?? name);
}
