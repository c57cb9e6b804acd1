import { ApiError } from "#openapi/client";
import { Failure } from "./failure.ts";
import type { Output } from "./output.ts";

/** Exports can take hours. */
export const EXPORT_TIMEOUT_SECONDS = 24 * 60 * 60;

/** Writes an export to standard output. Fails if it is incomplete, so it is not mistaken for a complete one. */
export async function writeExport(out: Output, stream: ReadableStream<Uint8Array>): Promise<void> {
  try {
    await out.pieces(stream);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new ApiError("The connection broke during the export. The output is incomplete.", undefined, error);
  }
}
