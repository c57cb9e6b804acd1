import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import { EgressFailure } from "./failure.ts";

export type Encoding = "identity" | "gzip" | "deflate";

const decoders = { gzip: promisify(gunzip), deflate: promisify(inflate) };

/**
 * GW-9: requests ask for identity. A single gzip or deflate encoding is tolerated; Brotli, Zstandard and chains are
 * not.
 */
export function readEncoding(header: string | string[] | undefined, host: string): Encoding {
  const text = String(header ?? "")
    .trim()
    .toLowerCase();
  if (text === "" || text === "identity") return "identity";
  if (text === "gzip" || text === "x-gzip") return "gzip";
  if (text === "deflate") return "deflate";
  throw new EgressFailure("encoding", `host "${host}" sent an unsupported content-encoding that was not requested`);
}

/** Stops at the limit while decoding, so that a decompression bomb costs at most `maxBytes`. */
export async function decodeBody(body: Buffer, encoding: Encoding, maxBytes: number, host: string): Promise<Buffer> {
  if (encoding === "identity" || body.length === 0) return body;
  try {
    return await decoders[encoding](body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      throw tooLarge(maxBytes, host);
    }
    throw new EgressFailure("encoding", `host "${host}" sent a corrupt ${encoding} response`, { cause: error });
  }
}

export function tooLarge(maxBytes: number, host: string): EgressFailure {
  return new EgressFailure("too-large", `host "${host}" sent more than the ${maxBytes} bytes allowed`);
}
