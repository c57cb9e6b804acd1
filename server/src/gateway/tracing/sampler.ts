import { isSampled, type TraceContext } from "./trace-context.ts";

/** Whether a request is recorded. */
export type Sampler = (traceId: string, parent: TraceContext | undefined) => boolean;

export const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** As OpenTelemetry names them. `parentbased_…`: the caller's decision counts where there is one. */
export function createSampler(name: (typeof SAMPLERS)[number], ratio: number): Sampler {
  const root = rootSampler(name.replace("parentbased_", ""), ratio);
  if (!name.startsWith("parentbased_")) return root;
  return (traceId, parent) => (parent ? isSampled(parent) : root(traceId));
}

/** By the trace's last 52 bits, which are random: everybody with the same ratio records the same traces. */
function rootSampler(name: string, ratio: number): (traceId: string) => boolean {
  if (name === "always_on") return () => true;
  if (name === "always_off") return () => false;
  return (traceId) => Number.parseInt(traceId.slice(-13), 16) < ratio * 16 ** 13;
}
