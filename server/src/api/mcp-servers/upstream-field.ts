import { z } from "zod";
import { isWebUrl } from "#lib/web-url";
import type { SharedHeadersPatch } from "#records/mcp-servers";
import type { UpstreamTransport } from "#storage/server-tables";
import { readSharedHeaders } from "./shared-headers-field.ts";

export interface Upstream {
  readonly url: string;
  readonly transport: UpstreamTransport;
  /** As in mcp.json files; stored as the shared credential. */
  readonly headers?: SharedHeadersPatch;
}

const TRANSPORTS: Readonly<Record<string, UpstreamTransport>> = {
  http: "http",
  "streamable-http": "http",
  sse: "sse",
  both: "both",
};
const LONGEST_URL = 2_000;

/** `mcp_proxy`: a string that holds JSON (Spec 2.2, D3, D4). */
export const upstreamField = z
  .string({ error: "mcp_proxy must be a string" })
  .max(10_000, { error: "must be at most 10000 characters" })
  .transform((text, context): Upstream => {
    const value = parse(text);
    return value === undefined
      ? addProblem(context, "mcp_proxy must be valid JSON")
      : readUpstream("mcp_proxy", value, context);
  });

/**
 * `upstream`: the same settings as a JSON object (decision 0052). Its fields are declared for the document only, because
 * a faulty one is reported under the name of the whole object, as for `mcp_proxy`.
 */
export const upstreamObjectField = z
  .unknown()
  .transform((value, context): Upstream => readUpstream("upstream", value, context))
  .meta({
    type: "object",
    required: ["url"],
    properties: {
      type: {
        description:
          "Transport: `http` is streamable HTTP (`streamable-http` is an alias), `both` tries `http`, then `sse`",
        type: "string",
        enum: ["both", "http", "sse", "streamable-http"],
        default: "both",
      },
      url: {
        description: "URL of the upstream, `http` or `https`",
        type: "string",
        format: "uri",
        maxLength: LONGEST_URL,
        example: "https://mcp.example.com/mcp",
      },
      headers: {
        description: "As in mcp.json files; the same as `auth_settings.sharedHeaders`",
        type: "object",
        additionalProperties: { type: "string", nullable: true },
        writeOnly: true,
      },
    },
  });

interface GivenUpstream<Value> {
  readonly upstream?: Value;
  readonly mcp_proxy?: Value;
}

/** A request can set only one of the two fields, and `null` counts as set. */
export function refuseBothUpstreams(body: GivenUpstream<unknown>, context: z.core.$RefinementCtx): void {
  if (body.upstream === undefined || body.mcp_proxy === undefined) return;
  context.addIssue({ code: "custom", message: "give upstream or mcp_proxy, not both", path: ["upstream"] });
}

interface GivenHeaders extends GivenUpstream<Upstream | null | undefined> {
  readonly auth_settings?: { readonly sharedHeaders?: SharedHeadersPatch | undefined } | undefined;
}

/** For bodies that can name the shared headers in two places: a request can use only one of them. */
export function refuseHeadersTwice(body: GivenHeaders, context: z.core.$RefinementCtx): void {
  if (body.auth_settings?.sharedHeaders === undefined || givenUpstream(body)?.headers === undefined) return;
  const message = "give the headers here or with the URL, not both";
  context.addIssue({ code: "custom", message, path: ["auth_settings", "sharedHeaders"] });
}

/** Undefined: the request does not change the shared headers. */
export function givenHeaders(body: GivenHeaders): SharedHeadersPatch | undefined {
  const given = body.auth_settings?.sharedHeaders;
  return given === undefined ? givenUpstream(body)?.headers : given;
}

export function givenUpstream<Value>({ upstream, mcp_proxy: proxy }: GivenUpstream<Value>): Value | undefined {
  return upstream === undefined ? proxy : upstream;
}

/** Refuses commands regardless of the other keys: no API request can start a process (GW-18). */
function readUpstream(field: string, value: unknown, context: z.core.$RefinementCtx): Upstream {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !("url" in value || "command" in value)) {
    return addProblem(context, `${field} must be an object with type and url`);
  }
  const type = "type" in value ? value.type : "both";
  const transport = typeof type === "string" && Object.hasOwn(TRANSPORTS, type) ? TRANSPORTS[type] : undefined;
  if (transport === undefined || "command" in value) return addProblem(context, "type must be one of http, sse, both");
  const url = value.url;
  if (typeof url !== "string" || url.length > LONGEST_URL || !url.isWellFormed() || !isWebUrl(url)) {
    return addProblem(context, "url must be a valid http or https URL");
  }
  if (!("headers" in value) || value.headers === undefined) return { url, transport };
  return { url, transport, headers: readSharedHeaders(value.headers, context, ["headers"]) };
}

function addProblem(context: z.core.$RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

/** Returns undefined for invalid JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
