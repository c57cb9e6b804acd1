/** Cases that the tests of policy, scan agent and service share. */

import type { EffectivePolicy, Policy, PolicyContext, ServiceFacts } from "./policy-types.ts";
import type { ServerRiskInput } from "./risk.ts";
import type { ReportedServer, ReportedSkill } from "./types.ts";
import vectors from "./vectors.json" with { type: "json" };

export interface DecisionVector {
  readonly server?: ReportedServer;
  readonly skill?: ReportedSkill;
  readonly context?: Partial<PolicyContext>;
  readonly known?: ServiceFacts;
  readonly action: string;
  readonly rule_id: string | null;
  /** Rule and failed condition. */
  readonly trace?: readonly (readonly [string, string | null])[];
}

export const POLICY = vectors.policy as unknown as Policy;
export const CONTEXT = vectors.context as PolicyContext;
export const DECISIONS = vectors.decisions as unknown as readonly DecisionVector[];
export const RISKS = vectors.risks as unknown as readonly {
  server: ServerRiskInput;
  reasons: string[];
  score: number;
}[];
export const {
  fingerprints,
  globs,
  invalid_globs,
  arguments: redactions,
  gateway_urls,
  skill_digests,
  skill,
} = vectors;

/** The policy of the vectors as a device receives it. */
export function effectivePolicy(facts: EffectivePolicy["facts"] = {}): EffectivePolicy {
  const device = { id: CONTEXT.device_id ?? "", user: CONTEXT.user ?? null, groups: CONTEXT.groups ?? [] };
  return { ...POLICY, device, gateway_urls, skill_digests, facts };
}
