import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { rpc } from "../gateway-kit.ts";
import { prepareReplicas } from "../long/replicas.ts";
import { startRawUpstream } from "../upstreams/raw.ts";

const CHECK = { type: "keyword", name: "Money", config: { words: ["transfer"] } };

/** Real processes, because only they can be killed. */
it("keeps an approval when the process in which its call waits was killed, and lets the next identical call pass", async (t) => {
  const replicas = await prepareReplicas({ EGRESS_ALLOW: "127.0.0.0/8" });
  t.after(() => replicas.destroy());
  const upstream = await startRawUpstream();
  t.after(() => upstream.close());
  const [holder, other] = [await replicas.start("holder"), await replicas.start("other")];
  await createSyncedServer(holder, "Bank", upstream.url);
  const bot = await createMachineUser(holder, "bot");
  await createGroup(holder, "bots", { slugs: ["bank"], emails: [bot.email] });
  const guard = { name: "Money", type: "runtime", action: "require_approval", enabled: true, checks: [CHECK] };
  await holder.api("POST", "/api/guards", guard);
  await holder.api("PATCH", "/api/settings", { approval_wait_seconds: 120 });
  while (!(await other.mcp(bot.credential, rpc("tools/list"))).body.result?.tools.length) await sleep(50);

  const call = rpc("tools/call", { name: "bank__echo", arguments: { transfer: 1 } });
  const cut = holder.mcp(bot.credential, call).then(
    () => "answered",
    () => "cut",
  );
  const pending = async () => (await other.api("GET", "/api/guards/approvals?status=pending")).body.data;
  let [held] = await pending();
  for (; !held; [held] = await pending()) await sleep(50);
  await holder.kill();
  assert.equal(await cut, "cut");
  const approved = await other.api("POST", `/api/guards/approvals/${held.id}/decision`, { decision: "approve" });
  assert.equal(approved.status, 200, approved.text);
  assert.equal(upstream.count("tools/call"), 0);
  const { body } = await other.mcp(bot.credential, call);
  assert.deepEqual([body.result.isError, upstream.count("tools/call")], [undefined, 1]);
  await other.close();
});
