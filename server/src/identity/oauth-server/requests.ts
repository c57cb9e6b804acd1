import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { issuerOf } from "./metadata.ts";
import { resourcePath, resourceUrl, SCOPE } from "./resources.ts";

interface Urls {
  readonly baseUrl: string;
  readonly gatewayUrl: string;
}

/**
 * Normalizes the parameters of authorization and token requests: there is one scope, and one spelling of each resource.
 * Unknown resources are passed on and rejected by the library.
 */
export function normalizeParameters(
  { gatewayUrl }: Urls,
  given: URLSearchParams,
  endpoint: "authorize" | "token",
): string {
  const params = new URLSearchParams(given);
  params.delete("scope");
  if (endpoint === "authorize") {
    params.set("scope", SCOPE);
    // The library supports response modes that we do not advertise. It rejects an unknown value.
    if (params.getAll("response_mode").some((mode) => mode !== "query")) params.set("response_mode", "not-query");
    // Parameters of OpenID Connect, which is not supported.
    for (const name of ["nonce", "max_age", "id_token_hint", "acr_values", "claims"]) params.delete(name);
  }
  const resources = params.getAll("resource");
  params.delete("resource");
  for (const resource of resources) {
    const path = resourcePath(gatewayUrl, resource);
    params.append("resource", path === undefined ? resource : resourceUrl(gatewayUrl, path));
  }
  return params.toString();
}

/**
 * Normalizes a registration (RFC 7591): scopes are ignored, and every client is treated as native, because clients on the
 * user's machine use changing ports.
 */
export function normalizeRegistration(body: Buffer): Buffer {
  const given = parseJson(body);
  if (typeof given !== "object" || given === null || Array.isArray(given)) return body;
  const { scope: _scope, application_type: _type, ...metadata } = { ...given } as Record<string, unknown>;
  return Buffer.from(JSON.stringify({ ...metadata, application_type: "native" }));
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/**
 * The request that the library receives: with this URL and body, and with host and scheme from BASE_URL. Only required
 * headers are passed on.
 */
export function requestFor(
  { baseUrl }: Urls,
  original: IncomingMessage,
  url: string,
  body: Buffer | undefined,
): IncomingMessage {
  const base = new URL(issuerOf(baseUrl));
  const basePath = base.pathname.replace(/\/$/, "");
  const forwarded = ["accept", "authorization", "content-type", "cookie", "user-agent"] as const;
  const headers = Object.fromEntries(
    forwarded.flatMap((name) => (original.headers[name] === undefined ? [] : [[name, original.headers[name]]])),
  );
  const ours = {
    host: base.host,
    "x-forwarded-host": base.host,
    "x-forwarded-proto": base.protocol.slice(0, -1),
    ...(body ? { "content-length": String(body.length) } : {}),
  };
  const stream = Readable.from(body ? [body] : [], { objectMode: false });
  const { method, socket, httpVersion, httpVersionMajor, httpVersionMinor } = original;
  const head = { method, socket, httpVersion, httpVersionMajor, httpVersionMinor };
  // Koa reads only these members and the stream.
  return Object.assign(stream, head, {
    url,
    originalUrl: `${basePath}${url}`,
    headers: { ...headers, ...ours },
  }) as unknown as IncomingMessage;
}
