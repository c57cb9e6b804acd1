import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Api, type MachineUser } from "../kit/api.ts";
import { send } from "../kit/http.ts";
import { type Registry, startRegistry } from "../kit/registry.ts";
import { type Installation, spawnInstallation } from "../kit/spawn-installation.ts";
import { givenTarget } from "../kit/target.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";

const CALLS = 20;
const postgresUrl = process.env.TEST_DATABASE_URL;
const databases = [{ name: "sqlite" }, ...(postgresUrl ? [{ name: "postgres", postgresUrl }] : [])];
// A given installation runs where its processes cannot be killed.
const skip = givenTarget() !== undefined;

async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    if (await isTrue()) return;
    await sleep(100);
  }
  assert.fail(`not within two minutes: ${what}`);
}

for (const { name, ...database } of databases) {
  describe(`two workers (${name})`, { skip }, () => {
    let registry: Registry;
    let upstream: Upstream;
    let installation: Installation;
    let api: Api;
    let bot: MachineUser;
    let slug: string;
    before(async () => {
      registry = await startRegistry();
      upstream = await startUpstream();
      const settings = { WORKERS: "2", METRICS_PORT: "0" };
      installation = await spawnInstallation({ registryUrl: registry.url, settings, ...database });
      api = new Api(installation.target);
      slug = await api.serverOf(upstream.url);
      bot = await api.machineUser();
      await api.group({ slugs: [slug], emails: [bot.email] });
    });
    after(async () => {
      await installation?.stop();
      await upstream?.close();
      await registry?.close();
    });

    const workerIds = () => {
      const { pid } = installation;
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
      return children.split(" ").filter(Boolean).map(Number);
    };
    const metrics = async () => (await send(installation.metricsUrl ?? "", "/metrics")).text;
    /** On a new connection, which any worker can accept. */
    const call = (n: number) =>
      send(api.target.gatewayUrl, "/mcp", {
        method: "POST",
        headers: {
          ...{ authorization: `Bearer ${bot.credential}`, "content-type": "application/json", connection: "close" },
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({
          ...{ jsonrpc: "2.0", id: n, method: "tools/call", params: { name: `${slug}__echo`, arguments: { n } } },
        }),
      });
    const callMany = async () => {
      const answers = await Promise.all(Array.from({ length: CALLS }, (_, n) => call(n)));
      for (const { status, text } of answers) assert.equal(status, 200, text);
      return answers.map(({ headers }) => String(headers["x-request-id"]));
    };
    const loggedIds = async () => {
      const ids: string[] = [];
      for (let cursor = ""; ; ) {
        const { data, pagination } = await api.body(200, "GET", `/api/logs?limit=200${cursor}`);
        ids.push(...data.map(({ request_id }: { request_id: string }) => request_id));
        if (!pagination.hasMore) return ids;
        cursor = `&cursor=${pagination.nextCursor}`;
      }
    };

    it("serve one port, replace a killed one, and lose no call [OPS-14]", async () => {
      const before = workerIds();
      assert.equal(before.length, 2);
      const answered = await callMany();
      const calls = /^mcp_server_operation_duration_seconds_count\{.*worker="(\d)".*\} [1-9]/gm;
      const serving = new Set([...(await metrics()).matchAll(calls)].map(([, worker]) => worker));
      assert.deepEqual([...serving].sort(), ["1", "2"]);
      const killed = before.at(-1) ?? 0;
      process.kill(killed, "SIGKILL");
      await until(async () => {
        const isReplaced = !workerIds().includes(killed) && workerIds().length === 2;
        return isReplaced && /^gatehouse_workers 2$/m.test(await metrics());
      }, "a worker replaces the killed one");
      assert.match(await metrics(), /^gatehouse_worker_restarts_total 1$/m);
      answered.push(...(await callMany()));
      // The log of the killed worker is read by the others.
      let logged: string[] = [];
      await until(async () => {
        logged = await loggedIds();
        return answered.every((id) => logged.includes(id));
      }, "every answered call is logged");
      assert.equal(new Set(logged).size, logged.length, "a call is logged twice");
    });
  });
}
