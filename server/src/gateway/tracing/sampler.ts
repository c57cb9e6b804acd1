import { isSampled, type TraceContext } from "./trace-context.ts";

/** Decides whether a request is recorded. */
export type Sampler = (traceId: string, parent: TraceContext | undefined) => boolean;

export const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** Uses OpenTelemetry's sampler names. `parentbased_…` follows the caller's decision if there is one. */
export function createSampler(name: (typeof SAMPLERS)[number], ratio: number): Sampler {
  const root = rootSampler(name.replace("parentbased_", ""), ratio);
  if (!name.startsWith("parentbased_")) return root;
  return (traceId, parent) => (parent ? isSampled(parent) : root(traceId));
}

/**
 * Uses the last 52 bits of the trace id, which are random, so all samplers with the same ratio record the same traces.
 */
function rootSampler(name: string, ratio: number): (traceId: string) => boolean {
  if (name === "always_on") return () => true;
  if (name === "always_off") return () => false;
  return (traceId) => Number.parseInt(traceId.slice(-13), 16) < ratio * 16 ** 13;
}
