import type { FastifyRequest } from "fastify";
import { MAX_RESULTS } from "#identity/scim/definitions";
import type { Projection } from "#identity/scim/resources";
import { invalidValue, ScimError } from "#identity/scim/scim-error";

/** A request after its syntax was checked. */
export interface ScimRequest {
  readonly id: string;
  readonly query: URLSearchParams;
  readonly projection: Projection;
  /** An empty object if the method has no body. */
  readonly body: object;
  /** Whether a version fulfills `If-Match`; undefined if the header is missing. */
  readonly ifMatch: ((version: string) => boolean) | undefined;
  readonly ifNoneMatch: ((version: string) => boolean) | undefined;
  readonly requestId: string;
  readonly address: string;
}

const MAX_DEPTH = 12;
const MAX_ATTRIBUTES = 100;

export function readRequest(request: FastifyRequest): ScimRequest {
  const query = new URL(request.raw.url ?? "", "http://any").searchParams;
  const { id = "" } = request.params as { id?: string }; // Fastify's path parameters are text
  return {
    // No ID has other characters, and Postgres cannot compare with all of them.
    id: /^[\w:.-]+$/.test(id) ? id : "unknown",
    query,
    projection: readProjection(query),
    body: ["POST", "PUT", "PATCH"].includes(request.method) ? readJson(request.body) : {},
    ifMatch: readVersions(request.headers["if-match"]),
    ifNoneMatch: readVersions(request.headers["if-none-match"]),
    requestId: request.id,
    address: request.ip,
  };
}

function readJson(bytes: unknown): object {
  let value: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes instanceof Buffer ? bytes : Buffer.alloc(0));
    value = JSON.parse(text);
  } catch {
    throw new ScimError(400, "The body must be valid JSON", "invalidSyntax");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ScimError(400, "The body must be a JSON object", "invalidSyntax");
  }
  requireFlat(value, 0);
  return value;
}

/** No resource nests deeply. Readers of a body can recurse after this check. */
function requireFlat(value: object, depth: number): void {
  if (depth > MAX_DEPTH) throw new ScimError(400, "The body has too many nested parts", "invalidSyntax");
  for (const each of Object.values(value)) if (typeof each === "object" && each !== null) requireFlat(each, depth + 1);
}

function readProjection(query: URLSearchParams): Projection {
  const [only, without] = ["attributes", "excludedAttributes"].map((name) => {
    const paths = (query.get(name) ?? "").split(",").map((path) => path.trim().toLowerCase());
    if (paths.length > MAX_ATTRIBUTES) throw invalidValue(`${name}: must contain at most ${MAX_ATTRIBUTES} attributes`);
    // The URN before an attribute: `urn:…:User:name.givenName`.
    return paths.filter((path) => path !== "").map((path) => path.replace(/^urn:.*:/, ""));
  });
  return { only: only?.length ? only : undefined, without: without ?? [] };
}

export function readPaging(query: URLSearchParams): { startIndex: number; count: number } {
  const startIndex = readInteger(query, "startIndex") ?? 1;
  const count = readInteger(query, "count") ?? MAX_RESULTS;
  // RFC 7644, section 3.4.2.4: smaller values count as 1 and 0.
  return { startIndex: Math.max(1, startIndex), count: Math.min(MAX_RESULTS, Math.max(0, count)) };
}

function readInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw invalidValue(`${name}: must be an integer`);
  return Number(text);
}

/** Weak comparison, because all versions are weak. */
function readVersions(header: string | undefined): ((version: string) => boolean) | undefined {
  if (header === undefined) return undefined;
  const versions = header.split(",").map((version) => opaque(version.trim()));
  return (version) => versions.includes("*") || versions.includes(opaque(version));
}

function opaque(version: string): string {
  return version.replace(/^W\//i, "");
}
