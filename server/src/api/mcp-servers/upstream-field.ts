import { z } from "zod";
import { isWebUrl } from "#lib/web-url";
import type { UpstreamTransport } from "#storage/server-tables";

export interface Upstream {
  readonly url: string;
  readonly transport: UpstreamTransport;
}

const TRANSPORTS: Readonly<Record<string, UpstreamTransport>> = {
  http: "http",
  "streamable-http": "http",
  sse: "sse",
  both: "both",
};
const LONGEST_URL = 2_000;

/**
 * `mcp_proxy`: a string that holds JSON (Spec 2.2, D3, D4). Commands are refused whatever else stands there: nothing
 * that comes over the API can start a process (GW-18).
 */
export const upstreamField = z
  .string({ error: "mcp_proxy must be a string" })
  .max(10_000, { error: "must be at most 10000 characters" })
  .transform((text, context): Upstream => {
    const problem = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    const value = parse(text);
    if (value === undefined) return problem("mcp_proxy must be valid JSON");
    if (
      typeof value !== "object" ||
      value === null ||
      Array.isArray(value) ||
      !("url" in value || "command" in value)
    ) {
      return problem("mcp_proxy must be an object with type and url");
    }
    const type = "type" in value ? value.type : "both";
    const transport = typeof type === "string" && Object.hasOwn(TRANSPORTS, type) ? TRANSPORTS[type] : undefined;
    if (transport === undefined || "command" in value) return problem("type must be one of http, sse, both");
    const url = value.url;
    if (typeof url !== "string" || url.length > LONGEST_URL || !url.isWellFormed() || !isWebUrl(url)) {
      return problem("url must be a valid http or https URL");
    }
    return { url, transport };
  });

/** Undefined for what is not JSON: JSON itself has no undefined. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
