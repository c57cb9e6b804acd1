import { isObject } from "#lib/is-object";
import { CONNECT_STATE } from "../envelope/connect-state.ts";
import { URL_ELICITATION_REQUIRED } from "../envelope/errors.ts";
import { INPUT_REQUEST_METHODS, type InputRequest, inputRequiredBody } from "../envelope/input-required.ts";
import type { UpstreamError } from "../envelope/read-response.ts";
import type { Call } from "./call.ts";
import { supportsUrlElicitation } from "./connection-required.ts";

const MAX_URLS = 16;

/**
 * MCP 2025-11-25: an error can ask the user to open URLs before the call is sent again. Modern callers get that as an
 * input request; their retry is a new call. Undefined if the error is something else, or the caller cannot open URLs.
 */
export function urlElicitationBody({ request, context }: Call, message: UpstreamError): Buffer | undefined {
  if (message.code !== URL_ELICITATION_REQUIRED || request.era !== "modern") return undefined;
  if (!INPUT_REQUEST_METHODS.has(request.call.method) || !supportsUrlElicitation(request)) return undefined;
  const requests = new Map<string, InputRequest>();
  for (const [at, elicitation] of elicitationsOf(message).entries()) {
    const { url, message: text } = elicitation;
    if (typeof url !== "string" || typeof text !== "string") return undefined;
    const params = JSON.stringify({ mode: "url", message: text, url });
    requests.set(`url-${at + 1}`, { method: "elicitation/create", params });
  }
  if (requests.size === 0 || requests.size > MAX_URLS) return undefined;
  return inputRequiredBody(request.call.rawId, requests, CONNECT_STATE, context.serverInfoJson);
}

function elicitationsOf({ data, source }: UpstreamError): Readonly<Record<string, unknown>>[] {
  const parsed: unknown = data && JSON.parse(source.text(data)); // the reader checked that it is JSON
  const elicitations = isObject(parsed) && Array.isArray(parsed.elicitations) ? parsed.elicitations : [];
  return elicitations.every(isObject) ? elicitations : [];
}
