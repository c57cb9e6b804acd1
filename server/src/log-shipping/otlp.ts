import { isObject } from "#lib/is-object";
import { VERSION } from "#lib/version";
import type { Batch } from "./batch.ts";
import type { LogRecord } from "./records.ts";

const INFO = { severityNumber: 9, severityText: "INFO" };
const WARN = { severityNumber: 13, severityText: "WARN" };
const ERROR = { severityNumber: 17, severityText: "ERROR" };
const SEVERITIES: Readonly<Record<string, typeof INFO>> = {
  ...{ tool_error: WARN, denied: WARN, cancelled: WARN, not_connected: WARN, blocked: WARN, pending_approval: INFO },
  ...{ ok: INFO, error: ERROR, upstream_failed: ERROR, timeout: ERROR, interrupted: ERROR },
};
const TRACE_ID = /^[0-9a-f]{32}$/;

/** An ExportLogsServiceRequest in the JSON encoding of OTLP. */
export function otlpBody({ source, records }: Pick<Batch, "source" | "records">, at: number): string {
  return JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: [attribute("service.name", "gatehouse"), attribute("service.version", VERSION)] },
        scopeLogs: [
          { scope: { name: `gatehouse.${source}` }, logRecords: records.map((record) => logRecord(record, at)) },
        ],
      },
    ],
  });
}

function logRecord({ id, at: recordedAt, outcome, summary, traceId, body }: LogRecord, at: number) {
  const attributes = Object.entries(body)
    .filter(([name, value]) => value !== null && value !== undefined && name !== "id" && name !== "type")
    .map(([name, value]) => attribute(`gatehouse.${name}`, value));
  return {
    timeUnixNano: nanoseconds(recordedAt),
    observedTimeUnixNano: nanoseconds(at),
    ...(SEVERITIES[outcome ?? ""] ?? INFO),
    body: { stringValue: summary },
    attributes: [attribute("log.record.uid", id), attribute("event.name", `gatehouse.${body.type}`), ...attributes],
    ...(traceId !== undefined && TRACE_ID.test(traceId) && { traceId }),
  };
}

/** 64-bit integers are strings in OTLP's JSON. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`;
}

function attribute(key: string, value: unknown) {
  return { key, value: attributeValue(value) };
}

/** Objects and arrays are JSON texts, because many backends do not index nested attributes. */
function attributeValue(value: unknown) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  return { stringValue: JSON.stringify(value) };
}

/** The collector accepted the request but not all of its records. */
export function partialSuccess(response: string): { readonly rejected: number; readonly message: string } | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(response);
  } catch {
    return undefined;
  }
  const partial = isObject(parsed) ? parsed.partialSuccess : undefined;
  if (!isObject(partial)) return undefined;
  const rejected = Number(partial.rejectedLogRecords ?? 0);
  const message = typeof partial.errorMessage === "string" ? partial.errorMessage : "";
  return rejected > 0 ? { rejected, message } : undefined;
}
