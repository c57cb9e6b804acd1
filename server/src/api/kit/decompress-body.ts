import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { invalid } from "#lib/errors";

const decompress = promisify(gunzip);

/** The body without its gzip encoding. A small body that expands beyond the limit is refused while it expands. */
export async function decompressBody(request: FastifyRequest, bytes: Buffer): Promise<Buffer> {
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity") return bytes;
  if (encoding !== "gzip" && encoding !== "x-gzip") throw invalid("Content-Encoding", "must be gzip or identity");
  const maxOutputLength = request.routeOptions.bodyLimit;
  try {
    return await decompress(bytes, { maxOutputLength });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_BUFFER_TOO_LARGE") throw new BodyTooLarge("the decompressed body is too large");
    throw invalid("body", "must be valid gzip");
  }
}

/** `renderError` finds status and message by the code. */
class BodyTooLarge extends Error {
  readonly code = "FST_ERR_CTP_BODY_TOO_LARGE";
}
