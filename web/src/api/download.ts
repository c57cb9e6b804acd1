import { ApiError } from "#openapi/client";

export interface DownloadOptions {
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly signal: AbortSignal;
  /** The fallback if the response has no file name. */
  readonly name: string;
  onBytes(bytes: Uint8Array): void;
}

/** Chunks of this size become blobs, which the browser can move to disk. */
const BLOB_BYTES = 4_000_000;

/** Downloads a response of any size as a file. A broken connection throws, so that no partial file is saved. */
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
    throw new ApiError(`Gatehouse returned status ${response.status}`, { response, body });
  }
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let chunkBytes = 0;
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    chunkBytes += read.value.byteLength;
    onBytes(read.value);
    if (chunkBytes < BLOB_BYTES) continue;
    parts.push(new Blob(chunks));
    [chunks, chunkBytes] = [[], 0];
  }
  const named = /filename="?([\w.-]+)"?/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return new File([...parts, ...chunks], named ?? name);
}
