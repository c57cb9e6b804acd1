import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, it } from "node:test";
import type { Action, Policy } from "#policy/policy-types";
import { CONTEXT, DECISIONS, type DecisionVector, gateway_urls, POLICY, skill_digests } from "#policy/vectors";
import { forEachDatabase } from "#test/databases";
import { localServer, remoteServer, reported, skill } from "#test/discovery-report";
import { createGroup, createPerson } from "#test/factories";
import { type Service, startService } from "#test/start-service";

const API = "/api/ai-discovery-policy";
const DEVICE = CONTEXT.device_id ?? "";
const ORDERED = POLICY.rules.toSorted((one, other) => one.position - other.position);
/** Rules that only a policy file of another version can contain. */
const REFUSED = ["rule_empty", "rule_future"];
const RULES = ORDERED.filter(({ id }) => !REFUSED.includes(id));

/** The policy of the vectors, changed so that only the expected decider decides something else. */
function withOtherOutcome({ server, action, rule_id: id }: DecisionVector): [Pick<Policy, ChangedField>, Action] {
  // Other parts of a command can be warned about.
  const other: Action = action === "block" ? "warn" : "block";
  const { default_actions: defaults, always_allow_managed } = POLICY;
  const default_actions = { ...defaults, ...(id === null && { [server ? "mcp_servers" : "skills"]: other }) };
  const rules = RULES.map((rule) => (rule.id === id ? { ...rule, action: other } : rule));
  if (id !== "managed") return [{ default_actions, always_allow_managed, rules }, other];
  const all = { name: "All", kind: server ? "mcp_server" : "skill", action: other, match: { name: ["*"] } } as const;
  const first = { ...all, id: "rule_all", enabled: true, position: 1 };
  return [{ default_actions, always_allow_managed: false, rules: [first, ...rules] }, other];
}
type ChangedField = "default_actions" | "always_allow_managed" | "rules";

forEachDatabase("the vectors of the policy through the API", (open) => {
  let service: Service;
  let database: Awaited<ReturnType<typeof open>>;
  let ownDigest: string;
  const call = async (method: string, path: string, body: object) => {
    const answer = await service.api(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const emailOf = ({ context }: DecisionVector) =>
    context?.groups === undefined ? (CONTEXT.user ?? "") : `${context.groups.join("-") || "none"}@acme.com`;
  /** Reports contain complete digests, and the digest of an own skill is computed from its files. */
  const digestOf = (digest: string) =>
    skill_digests.includes(digest) ? ownDigest : `sha256:${createHash("sha256").update(digest).digest("hex")}`;
  const itemsOf = ({ server, skill: found }: DecisionVector) => {
    if (found) return { skills: [skill(found.name, { ...found, digest: digestOf(found.digest) })] };
    const base = server?.url === undefined ? localServer("", []) : remoteServer("", server.url);
    return { mcp_servers: [{ ...base, ...server }] };
  };
  const report = async (vector: DecisionVector) => {
    const os = vector.context?.os ?? CONTEXT.os;
    const device = { id: DEVICE, hostname: "laptop", os, users: ["alice"] };
    const user = { username: "alice", email: emailOf(vector) };
    const { rejected } = await call(
      "POST",
      "/api/ai-discovery/reports",
      reported(DEVICE, { device, user, ...itemsOf(vector) }),
    );
    assert.deepEqual(rejected, []);
  };
  before(async () => {
    database = await open();
    const [gatewayUrl = ""] = gateway_urls.map((url) => url.replace(/\/mcp$/, ""));
    service = await startService(database, { config: { baseUrl: gatewayUrl, gatewayUrl } });
    const people = new Map(DECISIONS.map((each) => [emailOf(each), each.context?.groups ?? CONTEXT.groups ?? []]));
    for (const [email, groups] of people) {
      await createPerson(service, email, email);
      for (const group of groups) await createGroup(service, group, { emails: [email] });
    }
    const own = { name: "pdf", description: "Fills in forms", content: "Fill in the form.", status: "active" };
    ownDigest = (await call("POST", "/api/skills", own)).digest;
  });
  after(async () => {
    await service?.close();
    await database?.close();
  });

  for (const vector of DECISIONS.filter(({ known }) => known === undefined)) {
    it(`decides ${nameOf(vector)} in a dry run`, async () => {
      // The device has this item only, because a full report replaces the earlier one.
      await report(vector);
      const { default_actions, always_allow_managed } = POLICY;
      const same = await call("POST", `${API}/dry-run`, { default_actions, always_allow_managed, rules: RULES });
      assert.deepEqual(same.totals, { allow: 0, warn: 0, block: 0, [vector.action]: 1 });
      const [changed, outcome] = withOtherOutcome(vector);
      const { totals } = await call("POST", `${API}/dry-run`, changed);
      assert.deepEqual(totals, { allow: 0, warn: 0, block: 0, [outcome]: 1 }, `decided by ${vector.rule_id}`);
    });
  }

  it("refuses rules without conditions and with unknown ones", async () => {
    const rules = ORDERED.filter(({ id }) => REFUSED.includes(id));
    assert.equal(rules.length, REFUSED.length);
    for (const each of rules) {
      assert.equal((await service.api("POST", `${API}/dry-run`, { rules: [each] })).status, 400);
    }
  });

  it("evaluates every vector with the saved policy, and explains it", async () => {
    const names = new Map<string | null, string>();
    for (const { id, position: _, ...rule } of RULES) names.set((await call("POST", `${API}/rules`, rule)).id, id);
    const { default_actions, always_allow_managed } = POLICY;
    await call("PATCH", API, { default_actions, always_allow_managed });
    for (const vector of DECISIONS) {
      await report(vector);
      const { server, skill: found, known, trace } = vector;
      const item = found
        ? { kind: "skill", ...found, digest: digestOf(found.digest), scope: found.source, ...known }
        : { kind: "mcp_server", ...server, ...known };
      const decision = await call("POST", `${API}/evaluate`, { item, device_id: DEVICE });
      const decider = names.get(decision.rule_id) ?? decision.rule_id;
      assert.deepEqual([decision.action, decider], [vector.action, vector.rule_id], nameOf(vector));
      const steps = decision.trace.map((step: { rule_id: string; failed_condition: string | null }) => [
        names.get(step.rule_id),
        step.failed_condition,
      ]);
      if (trace) assert.deepEqual(steps, trace);
    }
  });
});

function nameOf({ server, skill: found, action, rule_id }: DecisionVector): string {
  return `${JSON.stringify(server ?? found)} as ${action} by ${rule_id}`;
}
