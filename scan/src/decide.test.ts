import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { normalizeServer } from "#policy/normalize-server";
import type { EffectivePolicy } from "#policy/policy-types";
import { CONTEXT, DECISIONS, effectivePolicy } from "#policy/vectors";
import { Decider } from "./decide.ts";

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
          envKeys: [],
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
});
