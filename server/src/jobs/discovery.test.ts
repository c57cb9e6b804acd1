import assert from "node:assert/strict";
import { it } from "node:test";
import type { Job } from "#jobs/runner";
import { createIds } from "#lib/ids";
import { systemRandom } from "#lib/random";
import { findUsersByEmail, updateUser } from "#records/users";
import { writeTransaction } from "#storage/transaction";
import { forEachApi } from "#test/api";
import { localServer, remoteServer, reported, skill } from "#test/discovery-report";
import { discoveryRetentionJob, evaluateDiscoveryJob } from "./discovery.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

forEachApi(
  "jobs of AI discovery",
  (api) => {
    const context = () => ({ db: api.db, clock: api.clock, newId: createIds(api.clock, systemRandom) });
    const run = (job: Job) => job.run();
    /** Every change of a device evaluates what is due. */
    const evaluate = async () => {
      await api.call("PATCH", "/api/ai-discovery/devices?id=evaluated", { user_email: "kim@example.com" });
    };
    const report = async (device: string, rest: Record<string, unknown> = {}) => {
      api.clock.advance(1_000);
      const scanned_at = new Date(api.clock.now()).toISOString();
      const { status, text, body } = await api.call("POST", "/api/ai-discovery/reports", {
        ...reported(device, { scanned_at, ...rest }),
      });
      assert.equal(status, 200, text);
      return body.data;
    };
    const ok = async (method: string, path: string, body?: object) => {
      const answer = await api.call(method, path, body);
      assert.ok(answer.status < 300, answer.text);
      return answer.body.data;
    };
    const actionOf = async (name: string) =>
      (await ok("GET", `/api/ai-discovery/mcp-servers?search=${name}`))[0]?.action;

    it("evaluates again after a rule expired, even if no process ran at that time", async () => {
      const content = { user: { username: "kim", email: "kim@example.com" } };
      await report("evaluated", {
        ...content,
        mcp_servers: [remoteServer("expiring", "https://expiring.example.com")],
      });
      const expires = new Date(api.clock.now() + 60_000).toISOString();
      const match = { name: ["expiring"] };
      await ok("POST", "/api/ai-discovery-policy/rules", {
        ...{ name: "For now", kind: "mcp_server", action: "block", match, expires_at: expires },
      });
      assert.equal(await actionOf("expiring"), "block");
      api.clock.advance(5 * 60_000);
      await run(evaluateDiscoveryJob(context(), evaluate));
      assert.equal(await actionOf("expiring"), "warn", "the expired rule is skipped");
      const before = await ok("GET", "/api/ai-discovery-policy");
      let evaluations = 0;
      const { evaluation } = await api.db.selectFrom("discovery_policy").selectAll().executeTakeFirstOrThrow();
      await run(evaluateDiscoveryJob(context(), async () => void evaluations++));
      const after = await api.db.selectFrom("discovery_policy").selectAll().executeTakeFirstOrThrow();
      assert.deepEqual([after.evaluation, evaluations], [evaluation, 1], "an expiry counts once");
      assert.equal(after.version, before.version, "the version is for changes by people");
    });

    it("evaluates devices of people who are added to a group, removed from it, or whose group is deleted", async () => {
      const user = await ok("POST", "/api/users", { name: "Lin", email: "lin@example.com" });
      assert.ok(user);
      await ok("POST", "/api/groups", { name: "Research" });
      await ok("POST", "/api/ai-discovery-policy/rules", {
        ...{ name: "Research", kind: "mcp_server", action: "allow", match: { name: ["lab"], groups: ["Research"] } },
      });
      await report("of-lin", {
        user: { username: "lin", email: "Lin@Example.com" },
        mcp_servers: [remoteServer("lab", "https://lab.example.com/mcp")],
      });
      const job = evaluateDiscoveryJob(context(), evaluate);
      await run(job);
      assert.equal(await actionOf("lab"), "warn");
      const members = "/api/groups/Research/users";
      const link = { emails: ["lin@example.com"] };
      await ok("POST", members, link);
      await run(job);
      assert.equal(await actionOf("lab"), "allow");
      await ok("DELETE", `${members}?email=lin@example.com`);
      await run(job);
      assert.equal(await actionOf("lab"), "warn");
      await ok("POST", members, link);
      await run(job);
      await ok("DELETE", "/api/groups?name=Research");
      await run(job);
      assert.equal(await actionOf("lab"), "warn");
    });

    it("follows a group to its new name, which another group cannot take over", async () => {
      await ok("POST", "/api/users", { name: "Noa", email: "noa@example.com" });
      await ok("POST", "/api/groups", { name: "Interns" });
      await ok("POST", "/api/groups/Interns/users", { emails: ["noa@example.com"] });
      const match = { name: ["of-noa"], groups: ["interns", "Guests"] };
      const rule = { name: "No interns", kind: "mcp_server", action: "block", match };
      const { id } = await ok("POST", "/api/ai-discovery-policy/rules", rule);
      const content = {
        user: { username: "noa", email: "noa@example.com" },
        mcp_servers: [remoteServer("of-noa", "https://noa.example.com/mcp")],
      };
      await report("device-of-noa", content);
      const job = evaluateDiscoveryJob(context(), evaluate);
      const { version } = await ok("GET", "/api/ai-discovery-policy");
      await ok("PATCH", "/api/groups?name=Interns", { name: "Trainees" });
      await ok("POST", "/api/groups", { name: "Interns" });
      await run(job);
      assert.equal(await actionOf("of-noa"), "block");
      await report("device-of-noa", content);
      assert.equal(await actionOf("of-noa"), "block");
      const rules = await ok("GET", "/api/ai-discovery-policy/rules");
      const renamed = rules.find((each: { id: string }) => each.id === id);
      assert.deepEqual([renamed.match.groups, renamed.warnings], [["Trainees", "Guests"], ["Group not found: Guests"]]);
      assert.equal((await ok("GET", "/api/ai-discovery-policy")).version, version);
    });

    it("evaluates devices again when a server that they have is added, gets another URL, or is deleted", async () => {
      const rule = { name: "Ours", kind: "mcp_server", action: "allow", match: { name: ["ours"], registered: true } };
      await ok("POST", "/api/ai-discovery-policy/rules", rule);
      const url = "https://ours.example.com/mcp";
      await report("with-ours", { mcp_servers: [remoteServer("ours", url)] });
      const job = evaluateDiscoveryJob(context(), evaluate);
      const next = async () => {
        await run(job);
        return actionOf("ours");
      };
      assert.equal(await next(), "warn");
      await ok("POST", "/api/mcp-servers", { name: "Ours", upstream: { type: "http", url } });
      assert.equal(await next(), "allow");
      await ok("PATCH", "/api/mcp-servers?slug=ours", { upstream: { url: "https://theirs.example.com/mcp" } });
      assert.equal(await next(), "warn");
      await ok("PATCH", "/api/mcp-servers?slug=ours", { upstream: { url } });
      assert.equal(await next(), "allow");
      const deleted = await api.call("DELETE", "/api/mcp-servers?slug=ours");
      assert.equal(deleted.status, 200);
      assert.equal(await next(), "warn");
    });

    it("evaluates devices again when a skill that they have is added or deleted", async () => {
      const rule = { name: "Others", kind: "skill", action: "block", match: { name: ["notes"], managed: false } };
      await ok("POST", "/api/ai-discovery-policy/rules", rule);
      const body = { name: "notes", description: "Writes notes.", content: "# Notes" };
      const { digest } = await ok("POST", "/api/skills", body);
      const found = skill("notes", { digest });
      await report("with-notes", { skills: [found] });
      const job = evaluateDiscoveryJob(context(), evaluate);
      const next = async () => {
        await run(job);
        return (await ok("GET", "/api/ai-discovery/skills?search=notes"))[0].action;
      };
      assert.equal(await next(), "allow");
      assert.equal((await api.call("DELETE", "/api/skills?slug=notes")).status, 200);
      assert.equal(await next(), "block");
      await ok("POST", "/api/skills", body);
      assert.equal(await next(), "allow");
    });

    it("evaluates devices with the previous and the new email of a person", async () => {
      await ok("POST", "/api/users", { name: "Mo", email: "mo@example.com" });
      await ok("POST", "/api/groups", { name: "Lab" });
      await ok("POST", "/api/groups/Lab/users", { emails: ["mo@example.com"] });
      await ok("POST", "/api/ai-discovery-policy/rules", {
        ...{ name: "Lab", kind: "mcp_server", action: "allow", match: { name: ["of-*"], groups: ["Lab"] } },
      });
      for (const name of ["mo", "mona"]) {
        await report(`device-of-${name}`, {
          user: { username: name, email: `${name}@example.com` },
          mcp_servers: [remoteServer(`of-${name}-device`, `https://${name}.example.com/mcp`)],
        });
      }
      const actions = async () => [await actionOf("of-mo-device"), await actionOf("of-mona-device")];
      const job = evaluateDiscoveryJob(context(), evaluate);
      await run(job);
      assert.deepEqual(await actions(), ["allow", "warn"]);
      const author = { actor: { kind: "system", id: "test", name: "test" }, requestId: "test" } as const;
      await writeTransaction(context(), author, async (tx, trail) => {
        const [user] = await findUsersByEmail(tx, ["mo@example.com"]);
        const [email, email_key] = ["Mona@example.com", "mona@example.com"];
        await updateUser(tx, trail, user?.id ?? "", { email, email_key });
      });
      await run(job);
      assert.deepEqual(await actions(), ["warn", "allow"]);
    });

    it("forgets devices that stopped reporting, removed items and resolved violations after the retention time", async () => {
      await report("gone", { mcp_servers: [localServer("of-gone", ["of-gone"])] });
      await report("alive", { mcp_servers: [localServer("shared", ["shared"]), localServer("dropped", ["dropped"])] });
      await report("alive", { mcp_servers: [localServer("shared", ["shared"])] });
      const { fingerprint } = (await ok("GET", "/api/ai-discovery/mcp-servers?search=of-gone"))[0];
      const job = discoveryRetentionJob(context());
      await run(job);
      assert.equal((await api.call("GET", "/api/ai-discovery/devices/gone")).status, 200, "not yet");
      const { discovery_retention_days: days } = await ok("GET", "/api/settings");
      const old = api.clock.now() - (days + 1) * DAY_MS;
      await api.db.updateTable("discovery_devices").set({ last_seen: old }).where("id", "=", "gone").execute();
      await api.db.updateTable("discovery_items").set({ last_seen: old }).where("name", "!=", "shared").execute();
      const removed = api.db.updateTable("discovery_instances").set({ removed_at: old });
      await removed.where("removed_at", "is not", null).execute();
      const resolved = api.db.updateTable("discovery_violations").set({ resolved_at: old });
      await resolved.where("resolved_at", "is not", null).execute();
      await run(job);
      assert.equal((await api.call("GET", "/api/ai-discovery/devices/gone")).status, 404);
      const item = await api.call("GET", `/api/ai-discovery/mcp-servers/${fingerprint}`);
      assert.equal(item.status, 404, "no device has it");
      const names = (await ok("GET", "/api/ai-discovery/mcp-servers?include_removed=true&limit=200")).map(
        (each: { name: string }) => each.name,
      );
      assert.deepEqual([names.includes("shared"), names.includes("dropped")], [true, false]);
      assert.deepEqual(await ok("GET", "/api/ai-discovery/violations?status=resolved"), []);
    });
  },
  { clock: "by-hand" },
);
