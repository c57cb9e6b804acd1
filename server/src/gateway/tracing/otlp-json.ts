import type { FinishedSpan } from "../ports.ts";

export interface Resource {
  readonly attributes: Readonly<Record<string, string>>;
  /** The version of this release. */
  readonly version: string;
}

const KINDS = { server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

/** Encodes one OTLP/HTTP export request as JSON. */
export function exportBody({ attributes, version }: Resource, spans: readonly FinishedSpan[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: Object.entries(attributes).map(attribute) },
        scopeSpans: [{ scope: { name: "gatehouse", version }, spans: spans.map(spanJson) }],
      },
    ],
  });
}

function spanJson(span: FinishedSpan) {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    ...(span.state === undefined ? {} : { traceState: span.state }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(span.endedAt),
    attributes: span.attributes.map(attribute),
    ...(span.error === undefined ? {} : { status: { code: STATUS_ERROR, message: span.error } }),
  };
}

function attribute([key, value]: readonly [string, string | number]) {
  return { key, value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) } };
}

/** Text, because a number would lose precision. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`;
}
