/**
 * MCP 2026-07-28: a result that requests input (`input_required`), and the request that answers it. Requests and
 * responses inside are copied as text, so no number or escape in them changes (GW-20).
 */
import { ByteSource } from "#lib/json/byte-source";
import { JsonFault, type Range } from "#lib/json/scan";
import { scanJson } from "#lib/json/scanner";
import { readString } from "#lib/json/splice";
import { watchPlan } from "#lib/json/watch-plan";
import { resultBody } from "./errors.ts";
import { META_SERVER_INFO } from "./meta-keys.ts";
import type { RequestMessage } from "./read-request.ts";
import type { UpstreamResult } from "./read-response.ts";

/** The methods that can return an input request. */
export const INPUT_REQUEST_METHODS: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

export const INPUT_REQUIRED = "input_required";

/** Members of a retry that are for the participant that requested the input. */
export const INPUT_RETRY_MEMBERS: readonly string[] = ["inputResponses", "requestState"];

export interface InputRequest {
  readonly method: string;
  /** JSON text. */
  readonly params: string | undefined;
}

export interface InputRequests {
  readonly requests: ReadonlyMap<string, InputRequest>;
  /** JSON text. */
  readonly requestState: string | undefined;
}

const TOP_LEVEL = watchPlan([[]]);

/** JSON texts of the members of an object; undefined if it is not an object or repeats a key. */
export function memberTexts(source: ByteSource, { start, end }: Range): Map<string, string> | undefined {
  try {
    const object = scanJson(source.parts(start, end), { watch: TOP_LEVEL }).objects[0];
    if (!object) return undefined;
    const text = (member: Range) => source.text({ start: start + member.start, end: start + member.end });
    return new Map([...object.members].map(([key, member]) => [key, text(member)]));
  } catch (fault) {
    if (fault instanceof JsonFault) return undefined;
    throw fault;
  }
}

export function inputRequiredBody(
  rawId: string,
  requests: ReadonlyMap<string, InputRequest>,
  requestState: string,
  serverInfoJson: string,
): Buffer {
  const entries = [...requests].map(([key, { method, params }]) => {
    const rest = params === undefined ? "" : `,"params":${params}`;
    return `${JSON.stringify(key)}:{"method":${JSON.stringify(method)}${rest}}`;
  });
  const meta = `"_meta":{"${META_SERVER_INFO}":${serverInfoJson}}`;
  const state = `"requestState":${JSON.stringify(requestState)}`;
  return resultBody(
    rawId,
    `{"resultType":"${INPUT_REQUIRED}","inputRequests":{${entries.join(",")}},${state},${meta}}`,
  );
}

/** What an upstream requests; undefined if it is malformed. */
export function readInputRequests({ source, members }: UpstreamResult): InputRequests | undefined {
  const state = members.get("requestState");
  const requests = new Map<string, InputRequest>();
  const requested = members.get("inputRequests");
  const texts = requested ? memberTexts(source, requested) : new Map<string, string>();
  for (const [key, text] of texts ?? []) {
    const request = memberTexts(...whole(text));
    const method: unknown = JSON.parse(request?.get("method") ?? "null");
    if (typeof method !== "string") return undefined;
    requests.set(key, { method, params: request?.get("params") });
  }
  if (!texts || (state && state.kind !== "string") || (requests.size === 0 && !state)) return undefined;
  return { requests, requestState: state && source.text(state) };
}

function whole(text: string): [ByteSource, Range] {
  const bytes = Buffer.from(text);
  return [new ByteSource(bytes), { start: 0, end: bytes.length }];
}

/** The `requestState` of a retry; undefined if there is none. */
export function requestStateOf({ params, source }: RequestMessage): string | undefined {
  const state = params?.members.get("requestState");
  return state?.kind === "string" ? readString(source, state) : undefined;
}

/** JSON texts by key; undefined if a response is not an object. */
export function readInputResponses({ params, source }: RequestMessage): Map<string, string> | undefined {
  const given = params?.members.get("inputResponses");
  if (given === undefined) return new Map();
  const texts = memberTexts(source, given);
  return texts && [...texts.values()].every((text) => text.startsWith("{")) ? texts : undefined;
}
