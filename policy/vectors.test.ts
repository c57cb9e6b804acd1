import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { compilePolicy, evaluateWithTrace } from "./evaluate.ts";
import { serverFacts, skillFacts } from "./facts.ts";
import { compileGlob } from "./globs.ts";
import { fingerprintOf, packageOf, sha256 } from "./normalize-server.ts";
import { isUnpinned } from "./package-spec.ts";
import { redactArgs } from "./redact.ts";
import { serverRisk } from "./risk.ts";
import { skillDigest } from "./skill-digest.ts";
import type { Transport } from "./types.ts";
import {
  CONTEXT,
  DECISIONS,
  fingerprints,
  gateway_urls,
  globs,
  invalid_globs,
  POLICY,
  RISKS,
  redactions,
  skill,
  skill_digests,
} from "./vectors.ts";

describe("the vectors of the policy", () => {
  for (const { identity, unpinned, ...server } of fingerprints) {
    it(`identifies ${server.url ?? [server.command, ...(server.args ?? [])].join(" ")}`, () => {
      const input = { ...server, transport: server.transport as Transport };
      const pkg = packageOf(input);
      const actual = {
        fingerprint: fingerprintOf(input),
        unpinned: pkg && pkg.type !== "binary" ? isUnpinned(pkg) : undefined,
      };
      assert.deepEqual(actual, { fingerprint: sha256(identity), unpinned });
    });
  }

  for (const { glob, matches, differs } of globs) {
    it(`matches ${glob}`, () => {
      const matcher = compileGlob(glob);
      assert.deepEqual(
        matches.filter((text) => !matcher?.(text)),
        [],
      );
      assert.deepEqual(
        differs.filter((text) => matcher?.(text)),
        [],
      );
    });
  }

  it("rejects invalid globs", () => {
    assert.deepEqual(
      invalid_globs.filter((glob) => compileGlob(glob) !== undefined),
      [],
    );
  });

  for (const { args, homes, redacted } of redactions) {
    it(`redacts ${args.join(" ")}`, () => assert.deepEqual(redactArgs(args, homes ?? []), redacted));
  }

  for (const { server, reasons, score } of RISKS) {
    it(`rates ${JSON.stringify(server)}`, () =>
      assert.deepEqual(serverRisk({ package: packageOf(server), ...server }), { score, reasons }));
  }

  for (const { server, skill: reported, context, known, trace, ...expected } of DECISIONS) {
    it(`decides ${JSON.stringify(server ?? reported)} as ${expected.action} by ${expected.rule_id}`, () => {
      const facts = server
        ? serverFacts({ ...server, fingerprint: fingerprintOf(server) }, gateway_urls, known)
        : reported && skillFacts(reported, skill_digests, known);
      assert.ok(facts);
      const decision = evaluateWithTrace(compilePolicy(POLICY), facts, { ...CONTEXT, ...context });
      assert.deepEqual({ action: decision.action, rule_id: decision.rule_id }, expected);
      if (trace)
        assert.deepEqual(
          decision.trace.map(({ rule_id, failed_condition }) => [rule_id, failed_condition]),
          trace,
        );
    });
  }

  it("digests a skill regardless of the order of its files", () => {
    const files = skill.files.map(({ path, text }) => ({
      path,
      digest: createHash("sha256").update(text).digest("hex"),
    }));
    assert.equal(skillDigest(files), skill.digest);
    assert.equal(skillDigest(files.toReversed()), skill.digest);
  });

  it("sorts the files of a skill by the bytes of their paths", () => {
    const [first, second] = [
      { path: "\uff5e", digest: "a" },
      { path: "\u{1f600}", digest: "b" },
    ];
    const lines = "\uff5e\0sha256:a\n\u{1f600}\0sha256:b\n";
    assert.equal(skillDigest([second, first]), sha256(lines));
  });
});
