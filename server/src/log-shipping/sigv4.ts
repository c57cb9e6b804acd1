import { createHash, createHmac } from "node:crypto";

export interface SigningKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

export interface RequestToSign {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Epoch milliseconds. */
  readonly at: number;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

/**
 * The headers of AWS Signature Version 4 for S3: all given headers and the host are signed, and the body with its hash.
 * The path must be encoded as `encodeKey` does, because S3 does not normalize it.
 */
export function signS3Request(
  { method, url, headers, body, at }: RequestToSign,
  { accessKeyId, secretAccessKey, region }: SigningKey,
): Record<string, string> {
  const time = new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const signed: Record<string, string> = { ...headers, "x-amz-content-sha256": bodyHash, "x-amz-date": time };
  const all: [string, string][] = Object.entries({ ...signed, host: url.host }).map(([name, value]) => [
    name.toLowerCase(),
    value.trim(),
  ]);
  all.sort(([a], [b]) => (a < b ? -1 : 1));
  const names = all.map(([name]) => name).join(";");
  const canonical = [
    ...[method, url.pathname, url.searchParams.toString()],
    ...all.map(([name, value]) => `${name}:${value}`),
    ...["", names, bodyHash],
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = [ALGORITHM, time, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce(hmac, Buffer.from(`AWS4${secretAccessKey}`));
  const signature = hmac(key, text).toString("hex");
  const authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...signed, authorization };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** Each byte except unreserved characters and slashes is percent-encoded, as the canonical request requires. */
export function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replaceAll("%2F", "/")
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
