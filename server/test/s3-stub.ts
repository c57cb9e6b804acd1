import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

export interface S3Stub {
  readonly url: string;
  /** The JSON lines of each object, by `/bucket/key`. */
  readonly objects: ReadonlyMap<string, readonly Record<string, unknown>[]>;
  readonly rejected: string[];
  close(): Promise<void>;
}

/**
 * An S3-compatible bucket that verifies Signature Version 4 from the text of the specification, without code of the
 * service: it rebuilds the canonical request from the raw request line and headers.
 */
export async function startS3Stub(accessKeyId: string, secret: string, region: string): Promise<S3Stub> {
  const objects = new Map<string, Record<string, unknown>[]>();
  const rejected: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const code = faultOf(request.method ?? "", request.url ?? "", request.headers, body);
      if (code !== undefined) {
        rejected.push(code);
        response.writeHead(403, { "content-type": "application/xml" });
        response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No</Message></Error>`);
        return;
      }
      const lines = gunzipSync(body).toString("utf8").trimEnd().split("\n");
      const place = request.headers.host?.startsWith("logs.") ? `/logs${request.url}` : (request.url ?? "");
      objects.set(
        decodeURIComponent(place),
        lines.map((line) => JSON.parse(line)),
      );
      response.writeHead(200).end();
    });
  });
  const faultOf = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: Buffer,
  ): string | undefined => {
    const found =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
        String(headers.authorization),
      );
    if (!found) return "AuthorizationHeaderMalformed";
    const [, key, day = "", usedRegion, names = "", signature] = found;
    if (key !== accessKeyId) return "InvalidAccessKeyId";
    if (usedRegion !== region) return "AuthorizationHeaderMalformed";
    const sha = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
    if (headers["x-amz-content-sha256"] !== sha(body)) return "XAmzContentSHA256Mismatch";
    const signed = names.split(";");
    if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => signed.includes(name))) return "AccessDenied";
    let canonical = `${method}\n${path.split("?")[0]}\n${path.split("?")[1] ?? ""}\n`;
    for (const name of signed) canonical += `${name}:${String(headers[name]).trim()}\n`;
    canonical += `\n${names}\n${sha(body)}`;
    const text = `AWS4-HMAC-SHA256\n${headers["x-amz-date"]}\n${day}/${region}/s3/aws4_request\n${sha(canonical)}`;
    const mac = (with_: string | Buffer, data: string) => createHmac("sha256", with_).update(data).digest();
    const derived = mac(mac(mac(mac(`AWS4${secret}`, day), region), "s3"), "aws4_request");
    return mac(derived, text).toString("hex") === signature ? undefined : "SignatureDoesNotMatch";
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has this kind of address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    rejected,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
