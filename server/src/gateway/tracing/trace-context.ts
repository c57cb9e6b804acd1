/** W3C trace context, as received from the caller and as sent to the upstream. */

import { readString } from "#lib/json/splice";
import { TRACEPARENT, TRACESTATE } from "../envelope/meta-keys.ts";
import type { RequestMessage } from "../envelope/read-request.ts";
import type { Exchange } from "../exchange.ts";

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the span that sent the request. */
  readonly spanId: string;
  /** Two hexadecimal digits; the lowest bit means that the trace is recorded. */
  readonly flags: string;
  readonly state: string | undefined;
}

/** The trace context that a request contains. */
export interface ReceivedContext {
  /** Undefined when it is invalid. */
  readonly context: TraceContext | undefined;
  /** Whether `_meta` can be forwarded unchanged as long as the context does not change. */
  readonly metaUnchanged: boolean;
}

const PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const PARENT_LENGTH = 55;
/** Comma-separated members; printable ASCII, at most the length that must be propagated. */
const STATE = /^[\x20-\x7e]{3,512}$/;

/** Returns undefined for most requests. `_meta` takes precedence over headers because it belongs to the message. */
export function readReceivedContext(exchange: Exchange, call: RequestMessage): ReceivedContext | undefined {
  const members = call.params?.meta?.members;
  const inMeta = members !== undefined && (members.has(TRACEPARENT) || members.has(TRACESTATE));
  const header = exchange.header(TRACEPARENT);
  if (!inMeta && header === undefined) return undefined;
  const metaText = (key: string) => {
    const member = members?.get(key);
    return member?.kind === "string" ? readString(call.source, member) : undefined;
  };
  const fromMeta = inMeta ? readContext(metaText(TRACEPARENT), metaText(TRACESTATE)) : undefined;
  if (fromMeta) return { context: fromMeta, metaUnchanged: fromMeta.state !== undefined || !members?.has(TRACESTATE) };
  const context = readContext(header, exchange.header(TRACESTATE));
  return { context, metaUnchanged: !inMeta && context === undefined };
}

/** Returns undefined for an invalid context. */
export function readContext(parent: string | undefined, state: string | undefined): TraceContext | undefined {
  const [, traceId, spanId, flags] = PARENT.exec(parent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  // Version 00 has a fixed length; later versions may append fields.
  if (parent?.startsWith("00") && parent.length !== PARENT_LENGTH) return undefined;
  return { traceId, spanId, flags, state: state !== undefined && isState(state) ? state : undefined };
}

function isState(text: string): boolean {
  return STATE.test(text) && text.split(",").every((member) => member.trim() === "" || member.indexOf("=") > 0);
}

export function isSampled({ flags }: TraceContext): boolean {
  return (Number.parseInt(flags, 16) & 1) === 1;
}

export function traceparentOf({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${flags}`;
}
