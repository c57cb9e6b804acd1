/** The exporter of traces, where the environment names a collector (decision 0044). */

import type { TraceSettings } from "#config/trace-settings";
import { createEgress, parseAllowList } from "#egress/egress";
import { OtlpTracer } from "#gateway/tracing/otlp-tracer";
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";

export interface TracerNeeds {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: RandomBytes;
  readonly version: string;
}

export function createTracer(settings: TraceSettings | undefined, { version, ...needs }: TracerNeeds) {
  if (!settings) return undefined;
  const { attributes, ...rest } = settings;
  // The operator's own word, as EGRESS_ALLOW is: a collector mostly stands in the same private network. Nothing else
  // that we reach gets this permission.
  const host = new URL(settings.url).hostname.replace(/^\[|\]$/g, "");
  const egress = createEgress({ allow: parseAllowList(host), clock: needs.clock });
  const resource = { attributes: { "service.version": version, ...attributes }, version };
  const tracer = new OtlpTracer({ ...rest, ...needs, resource, request: egress.request });
  return {
    tracer,
    async close(): Promise<void> {
      await tracer.close();
      egress.close();
    },
  };
}
