import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachApi } from "#test/api";
import { agent, localServer, manyItems, remoteServer, reported, skill } from "#test/discovery-report";

forEachApi(
  "how reports of devices are stored",
  (api) => {
    const send = async (body: object) => {
      const answer = await api.call("POST", "/api/ai-discovery/reports", body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    };
    const byName = async (name: string) =>
      (await api.call("GET", "/api/ai-discovery/mcp-servers?limit=200")).body.data.find(
        (each: { name: string }) => each.name === name,
      );
    const deviceOf = async (id: string) => (await api.call("GET", `/api/ai-discovery/devices/${id}`)).body.data;
    const report = (device: string, rest: Record<string, unknown> = {}) => {
      api.clock.advance(1_000);
      return reported(device, { scanned_at: new Date(api.clock.now()).toISOString(), ...rest });
    };

    it("stores only the times of a report with the same content, and responds the same", async () => {
      const content = {
        mcp_servers: [remoteServer("same", "https://same.example.com/mcp"), 7],
        skills: [skill("same")],
        agents: [agent("Same")],
      };
      const first = await send(report("unchanged", content));
      const second = await send(report("unchanged", content));
      const sorted = (data: typeof first) => ({
        ...data,
        decisions: data.decisions.toSorted((a: { kind: string }, b: { kind: string }) => (a.kind < b.kind ? -1 : 1)),
      });
      assert.deepEqual(sorted(second), sorted(first));
      assert.equal(second.decisions.length, 2);
      const { last_seen: seen } = await deviceOf("unchanged");
      assert.equal(Date.parse(seen), api.clock.now());
      const { fingerprint } = await byName("same");
      const instance = async () => {
        const path = `/api/ai-discovery/mcp-servers/${fingerprint}?include_removed=true`;
        return (await api.call("GET", path)).body.data.instances[0];
      };
      assert.equal((await instance()).last_seen, seen, "the instance was seen too");
      const other = await send(report("unchanged"));
      assert.deepEqual([other.removed, other.decisions], [3, []]);
      const { removed_at: removed, last_seen: last } = await instance();
      assert.equal(last, seen, "the time of the last report that contained it is kept");
      assert.equal(Date.parse(removed), api.clock.now());
    });

    it("follows a changed policy although the content is the same", async () => {
      const content = { mcp_servers: [remoteServer("judged", "https://judged.example.com/mcp")] };
      await send(report("judged", content));
      const rule = { name: "Judged", kind: "mcp_server", action: "block", match: { name: ["judged"] } };
      const { id } = (await api.call("POST", "/api/ai-discovery-policy/rules", rule)).body.data;
      const [decision] = (await send(report("judged", content))).decisions;
      assert.deepEqual([decision.action, decision.rule_id, decision.reason], ["block", id, 'Rule "Judged"']);
      await api.call("DELETE", `/api/ai-discovery-policy/rules?id=${id}`);
    });

    it("applies an unchanged report in full after some hours, so that new facts count", async () => {
      const url = "https://later-registered.example.com/mcp";
      const content = { mcp_servers: [remoteServer("later", url)] };
      const rule = { name: "Registered", kind: "mcp_server", action: "allow", match: { registered: true } };
      const { id } = (await api.call("POST", "/api/ai-discovery-policy/rules", rule)).body.data;
      assert.equal((await send(report("later", content))).decisions[0].action, "warn");
      const server = await api.call("POST", "/api/mcp-servers", {
        ...{ name: "Later", mcp_proxy: JSON.stringify({ type: "http", url }) },
      });
      assert.equal(server.status, 201, server.text);
      api.clock.advance(6 * 60 * 60 * 1000);
      assert.equal((await send(report("later", content))).decisions[0].action, "allow");
      await api.call("DELETE", `/api/ai-discovery-policy/rules?id=${id}`);
    });

    it("stores concurrent reports of many devices exactly", async () => {
      const shared = remoteServer("crowd", "https://crowd.example.com/mcp");
      const bodies = Array.from({ length: 40 }, (_, n) =>
        report(`crowd-${n}`, { mcp_servers: [shared, localServer(`own-${n}`, [`own-${n}`])] }),
      );
      const answers = await Promise.all(bodies.map(send));
      assert.deepEqual(
        answers.map(({ device_id, applied, accepted }) => [device_id, applied, accepted.mcp_servers]),
        bodies.map(({ device }) => [device.id, true, 2]),
      );
      const crowd = await byName("crowd");
      assert.deepEqual([crowd.devices_count, crowd.users_count], [40, 40]);
      const gone = await Promise.all(bodies.slice(0, 10).map(({ device }) => send(report(device.id))));
      assert.ok(gone.every(({ removed }) => removed === 2));
      assert.equal((await byName("crowd")).devices_count, 30);
    });

    it("stores long and short reports together, and what changes in a long one", async () => {
      const scanned = (body: object) => ({ ...body, scanned_at: new Date(api.clock.now()).toISOString() });
      const long = Array.from({ length: 6 }, (_, n) => scanned(manyItems(n)));
      const short = Array.from({ length: 6 }, (_, n) => report(`short-${n}`, { skills: [skill("short")] }));
      const answers = await Promise.all([...long, ...short].map(send));
      assert.deepEqual(
        answers.map(({ applied, decisions }) => [applied, decisions.length]),
        [...long.map(() => [true, 22]), ...short.map(() => [true, 1])],
      );
      api.clock.advance(1_000);
      const repeated = await send(scanned(manyItems(0)));
      assert.deepEqual([repeated.applied, repeated.removed, repeated.decisions.length], [true, 0, 22]);
      api.clock.advance(1_000);
      const changed = await send(scanned({ ...manyItems(0), skills: [] }));
      assert.deepEqual([changed.removed, changed.decisions.length], [10, 12]);
      const { body } = await api.call("GET", "/api/ai-discovery/devices/device-0");
      assert.deepEqual(body.data.counts, { mcp_servers: 12, skills: 0, agent_memory: 4, agents: 4 });
    });
  },
  { clock: "by-hand" },
);
