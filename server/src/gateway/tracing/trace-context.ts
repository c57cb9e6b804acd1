/** W3C trace context: whose trace a request belongs to, as its caller says and as its server is told. */

import { readString } from "#lib/json/splice";
import { TRACEPARENT, TRACESTATE } from "../envelope/meta-keys.ts";
import type { RequestMessage } from "../envelope/read-request.ts";
import type { Exchange } from "../exchange.ts";

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Of the span that the request comes from: 16 digits. */
  readonly spanId: string;
  /** Two digits; the last bit: somebody records it. */
  readonly flags: string;
  readonly state: string | undefined;
}

/** What a request says of its trace. */
export interface GivenContext {
  /** Undefined: nothing that is well-formed. */
  readonly context: TraceContext | undefined;
  /** Whether `_meta` may go to the server as it came, as far as the context stays what it is. */
  readonly metaStays: boolean;
}

const PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const PARENT_LENGTH = 55;
/** Members separated by commas; printable, and no longer than must be passed on. */
const STATE = /^[\x20-\x7e]{3,512}$/;

/** Undefined for nearly all requests. `_meta` counts before the headers: it is the message's own. */
export function givenContext(exchange: Exchange, call: RequestMessage): GivenContext | undefined {
  const members = call.params?.meta?.members;
  const inMeta = members !== undefined && (members.has(TRACEPARENT) || members.has(TRACESTATE));
  const header = exchange.header(TRACEPARENT);
  if (!inMeta && header === undefined) return undefined;
  const metaText = (key: string) => {
    const member = members?.get(key);
    return member?.kind === "string" ? readString(call.source, member) : undefined;
  };
  const ofMeta = inMeta ? readContext(metaText(TRACEPARENT), metaText(TRACESTATE)) : undefined;
  if (ofMeta) return { context: ofMeta, metaStays: ofMeta.state !== undefined || !members?.has(TRACESTATE) };
  const context = readContext(header, exchange.header(TRACESTATE));
  return { context, metaStays: !inMeta && context === undefined };
}

/** Undefined for what is not well-formed: the trace is then not known. */
export function readContext(parent: string | undefined, state: string | undefined): TraceContext | undefined {
  const [, traceId, spanId, flags] = PARENT.exec(parent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  // Version 00 ends here; later ones may say more, of which nothing is known.
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
