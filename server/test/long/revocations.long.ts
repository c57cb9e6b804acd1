/** AUTH-7: a secret that was replaced at one replica is refused by both within 2 s, and streams opened with it are over. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { createMachineUser } from "../factories.ts";
import { MCP_2025_11_25, readEvents } from "../gateway-kit.ts";
import { listText, requestText } from "../mcp-messages.ts";
import { prepareReplicas } from "./replicas.ts";

const REVOCATIONS = 200;
const LONGEST_MS = 2_000;
const VERSION = [`"protocolVersion":"${MCP_2025_11_25}"`, '"capabilities":{}'];

it(`${REVOCATIONS} revocations reach the other replica and its streams in time`, async (t) => {
  const replicas = await prepareReplicas();
  t.after(() => replicas.destroy());
  const [here, there] = [await replicas.start("one"), await replicas.start("two")];
  const bot = await createMachineUser(here, "bot");
  let credential = bot.credential;
  const tookMs: number[] = [];
  for (let round = 0; round < REVOCATIONS; round++) {
    const begun = await there.mcp(credential, requestText("legacy", "initialize", VERSION));
    assert.equal(begun.status, 200, begun.text);
    const headers = {
      authorization: `Bearer ${credential}`,
      "mcp-session-id": String(begun.headers["mcp-session-id"]),
    };
    const stream = await readEvents(`${there.url}/mcp`, { method: "GET", headers });
    const rotated = await here.api("POST", `/api/users/rotate-secret?email=${bot.email}`, {});
    assert.equal(rotated.status, 200, rotated.text);
    const since = performance.now();
    assert.equal((await here.mcp(credential, listText("legacy"))).status, 401);
    while ((await there.mcp(credential, listText("legacy"))).status !== 401);
    await stream.ended;
    tookMs.push(performance.now() - since);
    const { client_id, secret } = rotated.body.credentials;
    credential = `${client_id}:${secret}`;
  }
  tookMs.sort((one, other) => one - other);
  const [half = 0, most = 0] = [tookMs[REVOCATIONS / 2], tookMs.at(-1)];
  t.diagnostic(`refused everywhere and streams over after ${half.toFixed(0)} ms (half), ${most.toFixed(0)} ms (all)`);
  assert.ok(most <= LONGEST_MS, `${most} ms`);
});
