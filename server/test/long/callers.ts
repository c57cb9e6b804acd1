/**
 * Callers at the gateway that record what they did. The call log stores the caller and the size of the request, but no
 * arguments. All requests of a caller have different sizes, so caller, upstream and log can identify each request.
 */
import assert from "node:assert/strict";
import type { MachineUser } from "../factories.ts";
import { eventsOf } from "../gateway-kit.ts";
import { type CallerEra, callText, eraHeaders, listText } from "../mcp-messages.ts";
import type { HttpAnswer } from "../start-service.ts";
import { type RawUpstream, startRawUpstream } from "../upstreams/raw.ts";
import type { SeenRequest } from "../upstreams/seen-request.ts";
import type { KillableService } from "./killable-service.ts";
import type { ServiceProcess } from "./service-process.ts";

export type CallKind = "tool" | "list" | "unknown-tool" | "hang-up";

export interface SentCall {
  readonly marker: string;
  readonly kind: CallKind;
  /** Undefined while the caller has no complete response. */
  requestId: string | undefined;
}

const SMALLEST_BYTES = 1_000;
const TOOL = "echo__echo";

export function markerOf(email: string, requestBytes: number): string {
  return `${email} ${requestBytes - SMALLEST_BYTES}`;
}

/** What the callers and the upstream recorded. */
export class History {
  readonly sent: SentCall[] = [];
  answered = 0;
  /** Calls that were answered with a failure of the gateway or the upstream. */
  refused = 0;
  /** Calls that the gateway refused because it could not write the call log. */
  unlogged = 0;
  /** Failures while the service was running. */
  readonly failures: string[] = [];
  /** Number of calls at the upstream, by marker. */
  readonly seen = new Map<string, number>();
}

/** Responds slowly and quickly, with and without a stream, so that a kill finds calls in every state. */
export function startNotingUpstream(history: History): Promise<RawUpstream> {
  return startRawUpstream({
    record: false,
    delayMs: (n) => (n * 7) % 23,
    behave(request) {
      if (request.method !== "tools/call") return "json";
      const marker = markerIn(request);
      history.seen.set(marker, (history.seen.get(marker) ?? 0) + 1);
      return wantsProgress(marker) ? "sse-progress" : marker.endsWith("5") ? "sse" : "json";
    },
  });
}

export function markerIn(request: SeenRequest): string {
  return JSON.parse(request.body.toString("utf8")).params.arguments.marker;
}

function wantsProgress(marker: string): boolean {
  return marker.endsWith("3");
}

interface CallOptions {
  readonly tool?: string;
  /** Whether the gateway may refuse or fail calls, because its disk, its database or the upstream does not work. */
  readonly mayFail?: boolean;
}

/** Calls sequentially until it is over; continues with the next process when one is killed. */
export async function callRepeatedly(
  user: MachineUser,
  service: KillableService,
  history: History,
  isOver: () => boolean,
  { tool = TOOL, mayFail = false }: CallOptions = {},
): Promise<void> {
  for (let number = 1; !isOver(); number++) {
    const life = await service.current();
    const call: SentCall = { marker: `${user.email} ${number}`, kind: kindOf(number), requestId: undefined };
    history.sent.push(call);
    try {
      const answer = await send(life, user, number, call, tool);
      if (mayFail && isFailure(answer)) {
        history.refused++;
        if (answer.text.includes("The call log cannot be written")) history.unlogged++;
        continue;
      }
      check(answer, call, tool);
      call.requestId = String(answer.headers["x-request-id"]);
      history.answered++;
    } catch (error) {
      const isOurs = call.kind === "hang-up" || !service.isServing(life);
      if ((!isOurs && !mayFail) || error instanceof assert.AssertionError)
        history.failures.push(`${call.marker}: ${error}`);
    }
  }
}

function kindOf(number: number): CallKind {
  if (number % 17 === 0) return "hang-up";
  if (number % 13 === 0) return "unknown-tool";
  return number % 11 === 0 ? "list" : "tool";
}

/** The gateway could not accept the request, or reports that the upstream failed. */
function isFailure({ status, headers, text }: HttpAnswer): boolean {
  if (status !== 200) return status >= 500 || status === 429;
  const isStream = headers["content-type"]?.startsWith("text/event-stream");
  const message = JSON.parse((isStream ? eventsOf(text).at(-1) : text) || "{}");
  return message.error !== undefined ? message.error.code !== -32602 : message.result?.isError === true;
}

function send(
  life: ServiceProcess,
  user: MachineUser,
  number: number,
  call: SentCall,
  known: string,
): Promise<HttpAnswer> {
  const era = number % 2 === 0 ? "modern" : "legacy";
  const tool = call.kind === "unknown-tool" ? "echo__gone" : known;
  const isList = call.kind === "list";
  const text = isList ? listText(era) : toolText(era, number, tool, call.marker);
  const headers = isList ? eraHeaders(era, "tools/list") : eraHeaders(era, "tools/call", tool);
  return life.http("/mcp", {
    method: "POST",
    headers: {
      authorization: `Bearer ${user.credential}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: text.padEnd(SMALLEST_BYTES + number),
    ...(call.kind === "hang-up" && { signal: AbortSignal.timeout(number % 7) }),
  });
}

function toolText(era: CallerEra, number: number, tool: string, marker: string): string {
  const progress = wantsProgress(marker) && { progressToken: String(number) };
  return callText({ era, id: String(number), tool, arguments: JSON.stringify({ marker }), ...progress });
}

/** Checks that the caller got the response to its own request. */
function check({ status, headers, text }: HttpAnswer, { kind, marker }: SentCall, tool: string): void {
  assert.equal(status, 200, text);
  const isStream = headers["content-type"]?.startsWith("text/event-stream");
  const message = JSON.parse(isStream ? (eventsOf(text).at(-1) ?? "") : text);
  assert.equal(`${message.id}`, kind === "list" ? "1" : marker.split(" ")[1], text);
  if (kind === "list")
    assert.deepEqual(message.result?.tools.map(nameOf), [tool, tool.replace(/__echo$/, "__headers")], text);
  else if (kind === "unknown-tool") assert.equal(message.error?.code, -32602, text);
  else assert.deepEqual(message.result?.structuredContent, { marker }, text);
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
