/** Creates the trace exporter if the environment sets a collector (decision 0044). */

import type { TraceSettings } from "#config/trace-settings";
import { createEgress, parseAllowList } from "#egress/egress";
import { OtlpTracer } from "#gateway/tracing/otlp-tracer";
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";

export interface TracerDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: RandomBytes;
  readonly version: string;
}

export function createTracer(settings: TraceSettings | undefined, { version, ...deps }: TracerDependencies) {
  if (!settings) return undefined;
  const { attributes, ...rest } = settings;
  // The operator configured this host, as with EGRESS_ALLOW, and collectors are usually in the same private network. No
  // other egress client gets this permission.
  const host = new URL(settings.url).hostname.replace(/^\[|\]$/g, "");
  const egress = createEgress({ allow: parseAllowList(host), clock: deps.clock });
  const resource = { attributes: { "service.version": version, ...attributes }, version };
  const tracer = new OtlpTracer({ ...rest, ...deps, resource, request: egress.request });
  return {
    tracer,
    async close(): Promise<void> {
      await tracer.close();
      egress.close();
    },
  };
}
