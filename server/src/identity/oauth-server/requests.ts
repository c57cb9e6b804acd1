import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { issuerOf } from "./metadata.ts";
import { resourcePath, resourceUrl, SCOPE } from "./resources.ts";

interface Addresses {
  readonly baseUrl: string;
  readonly gatewayUrl: string;
}

/**
 * What a client asks for at the authorization and the token endpoint, put in our words: there is one scope, whatever
 * was asked for, and one spelling of each resource. What is not ours stays as it is, for the library to refuse.
 */
export function inOurWords({ gatewayUrl }: Addresses, given: URLSearchParams, endpoint: "authorize" | "token"): string {
  const params = new URLSearchParams(given);
  params.delete("scope");
  if (endpoint === "authorize") {
    params.set("scope", SCOPE);
    // The library would also answer by a form or behind a `#`, which we do not advertise: it refuses what it does not know.
    if (params.getAll("response_mode").some((mode) => mode !== "query")) params.set("response_mode", "not-query");
    // Only OpenID Connect knows these, which we do not speak.
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
 * RFC 7591, likewise: which scopes a client would like means nothing here, and a program on the user's own machine is
 * a native one, whatever it calls itself, because its port changes.
 */
export function registrationInOurWords(body: Buffer): Buffer {
  const given = parsed(body);
  if (typeof given !== "object" || given === null || Array.isArray(given)) return body;
  const { scope: _scope, application_type: _type, ...metadata } = { ...given } as Record<string, unknown>;
  return Buffer.from(JSON.stringify({ ...metadata, application_type: "native" }));
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/**
 * The request as the library shall see it: at this address, with this body, from BASE_URL. Only what it needs of the
 * caller's headers is passed on.
 */
export function requestFor(
  { baseUrl }: Addresses,
  original: IncomingMessage,
  url: string,
  body: Buffer | undefined,
): IncomingMessage {
  const base = new URL(issuerOf(baseUrl));
  const basePath = base.pathname.replace(/\/$/, "");
  const passedOn = ["accept", "authorization", "content-type", "cookie", "user-agent"] as const;
  const headers = Object.fromEntries(
    passedOn.flatMap((name) => (original.headers[name] === undefined ? [] : [[name, original.headers[name]]])),
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
  // What Koa reads of a request is these and the stream.
  return Object.assign(stream, head, {
    url,
    originalUrl: `${basePath}${url}`,
    headers: { ...headers, ...ours },
  }) as unknown as IncomingMessage;
}
