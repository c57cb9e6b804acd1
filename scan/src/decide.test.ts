import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { normalizeServer } from "#policy/normalize-server";
import type { EffectivePolicy, PolicyRule } from "#policy/policy-types";
import type { ReportedSkill } from "#policy/types";
import { CONTEXT, DECISIONS, effectivePolicy } from "#policy/vectors";
import { Decider } from "./decide.ts";

const SKILL: ReportedSkill = {
  ...{ name: "notes", description: "", client: "claude-code", path: "~/.claude/skills/notes", files_count: 1 },
  ...{ size_bytes: 1, digest: "sha256:cd", has_scripts: false, allowed_tools: null, source: "user", issues: [] },
};
const SERVER = { name: "x", client: "cursor", scope: "user", configPath: "~/x" } as const;
const RULE = { id: "only", name: "Only", kind: "skill", action: "block", enabled: true, position: 1 } as const;

describe("decisions on the device", () => {
  for (const { server, skill, context, known, action, rule_id } of DECISIONS) {
    it(`are those of the vectors for ${JSON.stringify(server ?? skill)}`, () => {
      // The device derives its items from configuration files, so the vectors take the same way.
      const item =
        server &&
        normalizeServer({
          ...server,
          client: server.client ?? "cursor",
          scope: "user",
          configPath: "~/x",
          envKeys: server.env_keys ?? [],
          headerKeys: [],
        });
      const key = item?.fingerprint ?? skill?.digest ?? "";
      const policy = effectivePolicy(known === undefined ? {} : { [key]: known });
      const device: EffectivePolicy["device"] = {
        ...policy.device,
        ...(context?.groups && { groups: context.groups }),
      };
      const decider = new Decider({ ...policy, device }, context?.os ?? CONTEXT.os ?? "linux", CONTEXT.now);
      const decision = item ? decider.decideServer(item) : skill && decider.decideSkill(skill);
      assert.deepEqual([decision?.action, decision?.rule_id], [action, rule_id]);
    });
  }

  it("use what the service knows about the device, its user, and its items", () => {
    const decideBy = (match: PolicyRule["match"], facts: EffectivePolicy["facts"] = {}) => {
      const policy = { ...effectivePolicy(facts), rules: [{ ...RULE, match }] };
      return new Decider(policy, "linux", CONTEXT.now).decideSkill(SKILL).rule_id;
    };
    const { id, user } = effectivePolicy().device;
    assert.deepEqual([decideBy({ devices: [id] }), decideBy({ devices: ["other"] })], ["only", null]);
    assert.deepEqual([decideBy({ users: [user ?? ""] }), decideBy({ users: ["other"] })], ["only", null]);
    const rejected = { [SKILL.digest]: { review_status: "rejected" as const } };
    assert.deepEqual(
      [decideBy({ review_status: ["rejected"] }, rejected), decideBy({ review_status: ["rejected"] })],
      ["only", null],
    );
  });

  it("need no more than rules, because a service of another version can send less", () => {
    const { device: _device, gateway_urls: _urls, skill_digests: _digests, facts: _facts, ...rest } = effectivePolicy();
    const server = normalizeServer({ ...SERVER, transport: "http", url: "https://x.example" });
    for (const policy of [rest, { ...rest, device: { id: "x", user: null, groups: [] } }]) {
      const rules = [{ users: ["x"] }, { groups: ["x"] }].map((match) => ({ ...RULE, match }));
      const decider = new Decider({ ...policy, rules } as unknown as EffectivePolicy, "linux", CONTEXT.now);
      assert.deepEqual([decider.decideServer(server).rule_id, decider.decideSkill(SKILL).rule_id], [null, null]);
    }
  });
});
