import { compilePolicy, evaluate } from "#policy/evaluate";
import { serverFacts, skillFacts } from "#policy/facts";
import type { Decision, EffectivePolicy, PolicyContext } from "#policy/policy-types";
import type { Platform, ReportedServer, ReportedSkill } from "#policy/types";

/** Decides about items of this device with the policy that the service sent for it. */
export class Decider {
  readonly #policy: EffectivePolicy;
  readonly #compiled: ReturnType<typeof compilePolicy>;
  readonly #context: PolicyContext;
  readonly #skillDigests: ReadonlySet<string>;

  constructor(policy: EffectivePolicy, os: Platform, now: number) {
    const { device } = policy;
    this.#policy = policy;
    this.#compiled = compilePolicy(policy);
    this.#context = { now, os, device_id: device?.id, user: device?.user ?? undefined, groups: device?.groups };
    this.#skillDigests = new Set(policy.skill_digests ?? []);
  }

  decideServer(server: ReportedServer): Decision {
    const known = this.#policy.facts?.[server.fingerprint];
    return evaluate(this.#compiled, serverFacts(server, this.#policy.gateway_urls ?? [], known), this.#context);
  }

  decideSkill(skill: ReportedSkill): Decision {
    const known = this.#policy.facts?.[skill.digest];
    return evaluate(this.#compiled, skillFacts(skill, this.#skillDigests, known), this.#context);
  }
}
