/**
 * Callers at the gateway that remember what they did. The call log keeps no arguments, but it keeps the caller and the
 * size of the request: each caller's requests are all of different sizes, so each has a name that caller, upstream and
 * log agree on.
 */
import assert from "node:assert/strict";
import type { MachineUser } from "../factories.ts";
import { eventsOf } from "../gateway-kit.ts";
import { type CallerEra, callText, eraHeaders, listText } from "../mcp-messages.ts";
import type { HttpAnswer } from "../start-service.ts";
import { type RawUpstream, startRawUpstream } from "../upstreams/raw.ts";
import type { SeenRequest } from "../upstreams/seen-request.ts";
import type { MortalService } from "./mortal-service.ts";
import type { ServiceProcess } from "./service-process.ts";

export type CallKind = "tool" | "list" | "unknown-tool" | "hang-up";

export interface SentCall {
  readonly marker: string;
  readonly kind: CallKind;
  /** Undefined while the caller has no whole answer. */
  requestId: string | undefined;
}

const SMALLEST_BYTES = 1_000;
const TOOL = "echo__echo";

export function markerOf(email: string, requestBytes: number): string {
  return `${email} ${requestBytes - SMALLEST_BYTES}`;
}

/** What all callers and the upstream saw. */
export class History {
  readonly sent: SentCall[] = [];
  answered = 0;
  /** What went wrong though the service was up. */
  readonly failures: string[] = [];
  /** How often the upstream was called, by marker. */
  readonly seen = new Map<string, number>();
}

/** Answers slowly and quickly, with and without a stream, so that a kill finds calls in every state. */
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

function markerIn(request: SeenRequest): string {
  return JSON.parse(request.body.toString("utf8")).params.arguments.marker;
}

function wantsProgress(marker: string): boolean {
  return marker.endsWith("3");
}

/** Calls, one after the other, until it is over; goes on with the next life when one is killed. */
export async function callAgainAndAgain(
  user: MachineUser,
  service: MortalService,
  history: History,
  isOver: () => boolean,
): Promise<void> {
  for (let number = 1; !isOver(); number++) {
    const life = await service.current();
    const call: SentCall = { marker: `${user.email} ${number}`, kind: kindOf(number), requestId: undefined };
    history.sent.push(call);
    try {
      const answer = await send(life, user, number, call);
      judge(answer, call);
      call.requestId = String(answer.headers["x-request-id"]);
      history.answered++;
    } catch (error) {
      const isOurs = call.kind === "hang-up" || !service.isServing(life);
      if (!isOurs || error instanceof assert.AssertionError) history.failures.push(`${call.marker}: ${error}`);
    }
  }
}

function kindOf(number: number): CallKind {
  if (number % 17 === 0) return "hang-up";
  if (number % 13 === 0) return "unknown-tool";
  return number % 11 === 0 ? "list" : "tool";
}

function send(life: ServiceProcess, user: MachineUser, number: number, call: SentCall): Promise<HttpAnswer> {
  const era = number % 2 === 0 ? "modern" : "legacy";
  const tool = call.kind === "unknown-tool" ? "echo__gone" : TOOL;
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

/** Each caller gets the answer to its own question. */
function judge({ status, headers, text }: HttpAnswer, { kind, marker }: SentCall): void {
  assert.equal(status, 200, text);
  const isStream = headers["content-type"]?.startsWith("text/event-stream");
  const message = JSON.parse(isStream ? (eventsOf(text).at(-1) ?? "") : text);
  assert.equal(`${message.id}`, kind === "list" ? "1" : marker.split(" ")[1], text);
  if (kind === "list") assert.deepEqual(message.result?.tools.map(nameOf), [TOOL, "echo__headers"], text);
  else if (kind === "unknown-tool") assert.equal(message.error?.code, -32602, text);
  else assert.deepEqual(message.result?.structuredContent, { marker }, text);
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
