import { type CapabilityMask, capabilitiesIn, declarationOf, declaredMask } from "#lib/gating-capabilities";
import { isObject } from "#lib/is-object";
import { INVALID_PARAMS, MISSING_CLIENT_CAPABILITY } from "../envelope/errors.ts";
import { META_CLIENT_CAPABILITIES } from "../envelope/meta-keys.ts";
import type { McpRequest } from "../request.ts";

/**
 * The capabilities that the caller declared: in the session of a legacy caller, in each request of a modern one. Only for
 * views and tools that depend on them, because it parses the declaration.
 */
export function declaredBy({ era, session, call }: Pick<McpRequest, "era" | "session" | "call">): CapabilityMask {
  if (era === "legacy") return session ? declaredMask(session.capabilities) : 0;
  const member = call.params?.meta?.members.get(META_CLIENT_CAPABILITIES);
  // The scanner verified that it is valid JSON.
  const declared: unknown = member?.kind === "object" ? JSON.parse(call.source.text(member)) : undefined;
  return isObject(declared) ? declaredMask(declared) : 0;
}

/** The error for a tool that the caller lacks capabilities for; undefined if it declared them. */
export function missingCapabilities(request: McpRequest, required: CapabilityMask, tool: string) {
  const missing = capabilitiesIn(required & ~declaredBy(request));
  if (missing.length === 0) return undefined;
  const message = `Tool ${tool} needs a client that declares ${missing.join(" and ")}`;
  const data = { requiredCapabilities: declarationOf(missing) };
  if (request.era === "modern") return { code: MISSING_CLIENT_CAPABILITY, status: 400, message, data };
  return { code: INVALID_PARAMS, message: `${message} in initialize, and sends the session ID`, data };
}
