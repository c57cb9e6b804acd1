import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type Behaviour, type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const tool = (name: string) => ({ name, inputSchema: { type: "object" } });
const TOOLS = [tool("read"), tool("write")];
const NONE = { calls_per_minute: null, concurrent_calls: null };

/** Decision 0077. The clock advances only when a test advances it, so all counts are exact. */
forEachApi(
  "limits of groups and tools",
  (api) => {
    let upstream: RawUpstream;
    let ada: MachineUser;
    let bob: MachineUser;
    let behaviour: Behaviour = "json";
    const finish: (() => void)[] = [];
    let waits = false;

    before(async () => {
      upstream = await startRawUpstream({
        tools: TOOLS,
        prompts: [{ name: "greet" }],
        resources: { list: [{ uri: "file:///a", name: "a" }] },
        behave: ({ method }) => (method === "tools/call" ? behaviour : "json"),
        gate: ({ method }) =>
          waits && method === "tools/call" ? new Promise((resolve) => finish.push(resolve)) : undefined,
      });
      await createSyncedServer(api.service, "Files", upstream.url);
      await createSyncedServer(api.service, "Other", upstream.url);
      ada = await createMachineUser(api.service, "ada");
      bob = await createMachineUser(api.service, "bob");
      const emails = [ada.email, bob.email];
      await createGroup(api.service, "Engineering", { slugs: ["files"], emails });
      await createGroup(api.service, "Others", { slugs: ["other"], emails });
      await createGroup(api.service, "Support");
    });
    beforeEach(async () => {
      behaviour = "json";
      waits = false;
      await limitGroup("Engineering", NONE);
      await limitTool("read", NONE);
      await limitTool("write", NONE);
      api.clock.advance(60_000);
    });
    after(() => upstream?.close());

    const expectOk = async (method: string, path: string, body: object) => {
      const answer = await api.call(method, path, body);
      assert.equal(answer.status, 200, answer.text);
    };
    const limitGroup = (name: string, limits: object | null) =>
      expectOk("PATCH", `/api/groups?name=${name}`, { limits });
    const limitTool = (name: string, limits: object) =>
      expectOk("PATCH", "/api/mcp-servers/tools?slug=files", { limits: [{ tool: name, ...limits }] });
    const send = (user: MachineUser, method: string, params: object, id = 1) =>
      api.service.mcp(user.credential, { jsonrpc: "2.0", id, method, params });
    const call = (user = ada, name = "files__read", id = 1) => send(user, "tools/call", { name, arguments: {} }, id);
    const statuses = async (times: number, user = ada, name?: string) => {
      const found: number[] = [];
      for (let n = 0; n < times; n++) found.push((await call(user, name)).status);
      return found;
    };
    const refusal = async (answer = call()) => {
      const { status, headers, body, text } = await answer;
      assert.equal(status, 429, text);
      return [body.error.message, headers["retry-after"]];
    };
    const eventually = async (condition: () => boolean | Promise<boolean>) => {
      for (let tries = 0; !(await condition()); tries++) {
        assert.ok(tries < 500);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };

    describe("of a group", () => {
      it("allows each member a minute's calls, then refills evenly", async () => {
        await limitGroup("Engineering", { calls_per_minute: 3 });
        assert.deepEqual(await statuses(4), [200, 200, 200, 429]);
        const message = "Group Engineering allows 3 calls per minute per member; try again in 20 s";
        assert.deepEqual(await refusal(), [message, "20"]);
        assert.deepEqual(await statuses(4, bob), [200, 200, 200, 429]);
        api.clock.advance(19_000);
        assert.deepEqual(await refusal(), [message.replace("20 s", "1 s"), "1"]);
        api.clock.advance(1_000);
        assert.deepEqual(await statuses(2), [200, 429]);
      });

      it("logs a refusal as denied, with the text that the caller gets", async () => {
        await limitGroup("Engineering", { calls_per_minute: 1 });
        await call();
        const [message] = await refusal();
        await eventually(async () => {
          const [entry] = (await api.call("GET", "/api/logs?limit=1&kind=calls&outcome=denied")).body.data;
          return entry?.error === message && entry.server_slug === "files" && entry.tool === "read";
        });
        assert.equal(message, "Group Engineering allows 1 call per minute per member; try again in 60 s");
      });

      it("counts prompts and resources, and no calls to other servers", async () => {
        await limitGroup("Engineering", { calls_per_minute: 2 });
        assert.equal((await send(ada, "prompts/get", { name: "files__greet" })).status, 200);
        assert.equal((await send(ada, "resources/read", { uri: "file:///a" })).status, 200);
        assert.deepEqual(await statuses(1), [429]);
        assert.equal((await send(ada, "prompts/get", { name: "files__greet" })).status, 429);
        assert.equal((await send(ada, "resources/read", { uri: "file:///a" })).status, 429);
        assert.equal((await send(ada, "tools/list", {})).status, 200);
        assert.deepEqual(await statuses(3, ada, "other__read"), [200, 200, 200]);
      });

      it("applies changes and the removal to the next call", async () => {
        await limitGroup("Engineering", { calls_per_minute: 1 });
        assert.deepEqual(await statuses(2), [200, 429]);
        await limitGroup("Engineering", { calls_per_minute: 2 });
        assert.deepEqual(await statuses(2), [200, 429]);
        await limitGroup("Engineering", { calls_per_minute: null });
        assert.deepEqual(await statuses(3), [200, 200, 200]);
        await limitGroup("Engineering", { calls_per_minute: 1, concurrent_calls: 5 });
        await limitGroup("Engineering", null);
        assert.deepEqual(await statuses(3), [200, 200, 200]);
      });

      it("names the current name of the group", async () => {
        await limitGroup("Engineering", { calls_per_minute: 1 });
        await call();
        await expectOk("PATCH", "/api/groups?name=Engineering", { name: "Builders" });
        assert.match(String((await refusal())[0]), /^Group Builders allows 1 call per minute/);
        await expectOk("PATCH", "/api/groups?name=Builders", { name: "Engineering" });
      });

      it("adds up with the limits of other groups that grant the tool, until a group without limits does", async () => {
        await expectOk("POST", "/api/groups/Support/integrations", { slugs: ["files"] });
        await expectOk("POST", "/api/groups/Support/users", { emails: [ada.email] });
        await expectOk("PATCH", "/api/groups/Support/integrations?slug=files", { tools: ["read"] });
        await limitGroup("Engineering", { calls_per_minute: 2 });
        await limitGroup("Support", { calls_per_minute: 3 });
        assert.deepEqual(await statuses(6), [200, 200, 200, 200, 200, 429]);
        const message = "Group Support allows 3 calls per minute per member; try again in 20 s";
        assert.deepEqual(await refusal(), [message, "20"]);
        assert.match(String((await refusal(call(ada, "files__write")))[0]), /^Group Engineering allows 2 calls/);
        assert.deepEqual(await statuses(3, bob), [200, 200, 429]);
        await limitGroup("Support", null);
        assert.deepEqual(await statuses(9), Array(9).fill(200));
        assert.deepEqual(await statuses(1, ada, "files__write"), [429]);
        assert.equal((await api.call("DELETE", "/api/groups/Support/integrations?slug=files")).status, 200);
      });
    });

    describe("of a tool", () => {
      it("applies to all users together and to no other tool", async () => {
        await limitTool("read", { calls_per_minute: 4 });
        assert.deepEqual([...(await statuses(2)), ...(await statuses(3, bob))], [200, 200, 200, 200, 429]);
        const message = "Tool read of Files allows 4 calls per minute from all users together; try again in 15 s";
        assert.deepEqual(await refusal(), [message, "15"]);
        assert.deepEqual(await statuses(2, ada, "files__write"), [200, 200]);
        assert.deepEqual(await statuses(2, ada, "other__read"), [200, 200]);
      });

      it("survives a sync, and ends when it is removed", async () => {
        await limitTool("read", { calls_per_minute: 1 });
        upstream.tools = [{ ...tool("read"), description: "Changed" }, tool("write")];
        await expectOk("POST", "/api/mcp-servers/files/sync", {});
        assert.deepEqual(await statuses(2), [200, 429]);
        upstream.tools = [tool("write")];
        await expectOk("POST", "/api/mcp-servers/files/sync", {});
        upstream.tools = TOOLS;
        await expectOk("POST", "/api/mcp-servers/files/sync", {});
        assert.deepEqual(await statuses(1), [429]);
        await limitTool("read", NONE);
        assert.deepEqual(await statuses(2), [200, 200]);
      });

      it("does not use up the limits of the group with calls that it rejects, nor the reverse", async () => {
        await limitGroup("Engineering", { calls_per_minute: 3 });
        await limitTool("read", { calls_per_minute: 1 });
        assert.deepEqual(await statuses(3), [200, 429, 429]);
        assert.deepEqual(await statuses(3, ada, "files__write"), [200, 200, 429]);
        await limitTool("write", { calls_per_minute: 1 });
        assert.deepEqual(await statuses(1, ada, "files__write"), [429]);
        assert.deepEqual(await statuses(2, bob, "files__write"), [200, 429]);
      });
    });

    describe("of concurrent calls", () => {
      const limits = { calls_per_minute: null, concurrent_calls: 1 };
      /** The first call, not awaited. */
      const open = async (id?: number) => {
        const started = finish.length;
        waits = true;
        const answer = call(ada, "files__read", id);
        await eventually(() => finish.length > started);
        waits = false;
        return { answer, finish: () => finish.at(-1)?.() };
      };

      it("rejects a member's second call until the first one ends", async () => {
        await limitGroup("Engineering", limits);
        const first = await open();
        const message =
          "Group Engineering allows 1 concurrent call per member; try again when one of your calls has ended";
        assert.deepEqual(await refusal(), [message, "1"]);
        assert.deepEqual(await statuses(1, bob), [200]);
        first.finish();
        assert.equal((await first.answer).status, 200);
        assert.deepEqual(await statuses(2), [200, 200]);
      });

      it("rejects other users' calls to the tool until the first one ends", async () => {
        await limitTool("read", limits);
        const first = await open();
        const message =
          "Tool read of Files allows 1 concurrent call from all users together; try again when one of them has ended";
        assert.deepEqual(await refusal(call(bob)), [message, "1"]);
        first.finish();
        await first.answer;
        assert.deepEqual(await statuses(2, bob), [200, 200]);
      });

      it("ends with errors of the server, and does not block the next call", async () => {
        await limitGroup("Engineering", limits);
        await limitTool("read", limits);
        const faults: Behaviour[] = ["reset", "not-json", "wrong-id", { status: 500 }, { status: 401 }, "sse-cut"];
        for (const fault of faults) {
          behaviour = fault;
          assert.equal((await call(ada)).status === 429, false, JSON.stringify(fault));
        }
      });

      it("ends when the caller disconnects", async () => {
        await limitTool("read", limits);
        waits = true;
        const started = finish.length;
        const gone = new AbortController();
        const aborted = fetch(`${api.service.url}/mcp`, {
          method: "POST",
          signal: gone.signal,
          headers: { authorization: `Bearer ${ada.credential}`, "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "files__read" } }),
        }).catch(() => undefined);
        await eventually(() => finish.length > started);
        waits = false;
        assert.deepEqual(await statuses(1, bob), [429]);
        gone.abort();
        await aborted;
        await eventually(async () => (await call(bob)).status === 200);
        finish.at(-1)?.();
      });
    });
  },
  { clock: "by-hand" },
);
