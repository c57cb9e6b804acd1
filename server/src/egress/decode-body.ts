import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import { EgressFailure } from "./failure.ts";

export type Encoding = "identity" | "gzip" | "deflate";

const decoders = { gzip: promisify(gunzip), deflate: promisify(inflate) };

/** GW-9: identity was asked for; a single gzip or deflate is borne with, Brotli, Zstandard and chains are not. */
export function readEncoding(header: string | string[] | undefined, host: string): Encoding {
  const text = String(header ?? "")
    .trim()
    .toLowerCase();
  if (text === "" || text === "identity") return "identity";
  if (text === "gzip" || text === "x-gzip") return "gzip";
  if (text === "deflate") return "deflate";
  throw new EgressFailure(
    "encoding",
    `host "${host}" sent a content-encoding that was not asked for and is not decoded`,
  );
}

/** Stops at the cap instead of looking at the size afterwards, so a bomb costs no more than `maxBytes`. */
export async function decodeBody(body: Buffer, encoding: Encoding, maxBytes: number, host: string): Promise<Buffer> {
  if (encoding === "identity" || body.length === 0) return body;
  try {
    return await decoders[encoding](body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      throw tooLarge(maxBytes, host);
    }
    throw new EgressFailure("encoding", `host "${host}" sent a damaged ${encoding} answer`, { cause: error });
  }
}

export function tooLarge(maxBytes: number, host: string): EgressFailure {
  return new EgressFailure("too-large", `host "${host}" sent more than the ${maxBytes} bytes allowed`);
}
