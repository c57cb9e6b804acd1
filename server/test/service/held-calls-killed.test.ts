import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { rpc } from "../gateway-kit.ts";
import { prepareReplicas } from "../long/replicas.ts";
import { callAsModern } from "../modern-caller.ts";
import { startEchoUpstream } from "../upstreams/echo.ts";
import { addInquiringTools } from "../upstreams/inquiring-tools.ts";

/** Real processes, because only they can be killed. */
it("answers with an error when the process that holds a call was killed, and serves the call when it is sent again", async (t) => {
  const replicas = await prepareReplicas({ EGRESS_ALLOW: "127.0.0.0/8" });
  t.after(() => replicas.destroy());
  const upstream = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: addInquiringTools });
  t.after(() => upstream.close());
  const [holder, other] = [await replicas.start("holder"), await replicas.start("other")];
  await createSyncedServer(holder, "Asker", upstream.url);
  const bot = await createMachineUser(holder, "bot");
  await createGroup(holder, "bots", { slugs: ["asker"], emails: [bot.email] });
  while (!(await other.mcp(bot.credential, rpc("tools/list"))).body.result?.tools.length) await sleep(50);

  const question = await callAsModern(holder, bot.credential, "asker__roots");
  const { requestState, inputRequests } = question.last.result;
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, { roots: [] }]));
  await holder.kill();
  const startedAt = performance.now();
  const refused = await callAsModern(other, bot.credential, "asker__roots", { requestState, inputResponses });
  t.diagnostic(`answered after ${Math.round(performance.now() - startedAt)} ms`);
  assert.match(refused.last.error.message, /process that held this call has stopped/);

  const again = await callAsModern(other, bot.credential, "asker__roots");
  const retry = { requestState: again.last.result.requestState, inputResponses };
  const result = await callAsModern(other, bot.credential, "asker__roots", retry);
  assert.equal(result.last.result.content[0].text, '{"roots":{"roots":[]}}');
  await other.close();
});
