/** The destination of traces, from OpenTelemetry's standard variables. Only used by config.ts. */
import { createSampler, SAMPLERS, type Sampler } from "#gateway/tracing/sampler";
import { BadSetting } from "#lib/bad-setting";

export interface TraceSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly sample: Sampler;
}

type Get = (name: string) => string | undefined;

const DEFAULT_ENDPOINT = "http://localhost:4318";
const DEFAULT_TIMEOUT_MS = 10_000;

/** Returns undefined if nothing is exported. `secret` also reads `…_FILE`. */
export function readTraceSettings(get: Get, secret: Get): TraceSettings | undefined {
  const exporter = get("OTEL_TRACES_EXPORTER");
  if (exporter !== undefined && exporter !== "otlp" && exporter !== "none") {
    throw new BadSetting(`OTEL_TRACES_EXPORTER must be otlp or none, not "${exporter}"`);
  }
  const tracesEndpoint = get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const common = get("OTEL_EXPORTER_OTLP_ENDPOINT");
  const isEnabled = exporter === "otlp" || tracesEndpoint !== undefined || common !== undefined;
  if (!isEnabled || exporter === "none" || get("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return undefined;
  assertProtocol(get);
  return {
    url: readEndpoint(tracesEndpoint, common),
    headers: {
      ...readPairs("OTEL_EXPORTER_OTLP_HEADERS", secret("OTEL_EXPORTER_OTLP_HEADERS"), HEADER_NAME),
      ...readPairs("OTEL_EXPORTER_OTLP_TRACES_HEADERS", secret("OTEL_EXPORTER_OTLP_TRACES_HEADERS"), HEADER_NAME),
    },
    timeoutMs: readTimeout(get),
    attributes: {
      "service.name": "gatehouse",
      ...readPairs("OTEL_RESOURCE_ATTRIBUTES", get("OTEL_RESOURCE_ATTRIBUTES"), ANY_NAME),
      ...(get("OTEL_SERVICE_NAME") === undefined ? {} : { "service.name": get("OTEL_SERVICE_NAME") ?? "" }),
    },
    sample: readSampler(get),
  };
}

/** The exporter sends JSON, which a collector accepts on its HTTP port next to protobuf, but not on its gRPC port. */
function assertProtocol(get: Get): void {
  for (const name of ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]) {
    const protocol = get(name);
    if (protocol !== undefined && !protocol.startsWith("http/")) {
      throw new BadSetting(`${name} must be http/json, not "${protocol}"`);
    }
  }
}

/** The endpoint for traces is a complete URL; the one for all signals is a base URL. */
function readEndpoint(tracesEndpoint: string | undefined, common = DEFAULT_ENDPOINT): string {
  const name = tracesEndpoint === undefined ? "OTEL_EXPORTER_OTLP_ENDPOINT" : "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  const text = tracesEndpoint ?? `${common.replace(/\/+$/, "")}/v1/traces`;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash) return url.href;
  throw new BadSetting(`${name} must be an http or https address such as ${DEFAULT_ENDPOINT}`);
}

function readTimeout(get: Get): number {
  const name = get("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT")
    ? "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT"
    : "OTEL_EXPORTER_OTLP_TIMEOUT";
  const text = get(name) ?? String(DEFAULT_TIMEOUT_MS);
  const milliseconds = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (milliseconds > 0) return milliseconds;
  throw new BadSetting(`${name} must be a number of milliseconds, not "${text}"`);
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const ANY_NAME = /\S/;

/** Parses `a=1,b=2`, percent-encoded. Errors do not repeat values, which may be secret. */
function readPairs(name: string, text: string | undefined, pattern: RegExp): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const pair of (text ?? "").split(",")) {
    if (pair.trim() === "") continue;
    const at = pair.indexOf("=");
    const [key, value] = [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    if (at <= 0 || key === undefined || value === undefined || !pattern.test(key) || /[\x00-\x1f\x7f]/.test(value)) {
      throw new BadSetting(`${name} must list pairs such as name=value,other=value, percent-encoded`);
    }
    pairs[key] = value;
  }
  return pairs;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return undefined;
  }
}

function readSampler(get: Get): Sampler {
  const text = get("OTEL_TRACES_SAMPLER") ?? "parentbased_always_on";
  const name = SAMPLERS.find((each) => each === text);
  if (name === undefined)
    throw new BadSetting(`OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(", ")}, not "${text}"`);
  const arg = get("OTEL_TRACES_SAMPLER_ARG") ?? "1";
  const ratio = name.endsWith("traceidratio") ? Number(arg) : 1;
  if (ratio >= 0 && ratio <= 1) return createSampler(name, ratio);
  throw new BadSetting(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${arg}"`);
}
