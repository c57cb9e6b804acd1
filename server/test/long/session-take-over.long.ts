/** A session of an MCP client continues, with its upstream state, when its process is killed. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/server";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { MCP_2025_11_25, rpc } from "../gateway-kit.ts";
import { listText } from "../mcp-messages.ts";
import { startEchoUpstream } from "../upstreams/echo.ts";
import { prepareReplicas } from "./replicas.ts";
import type { ServiceProcess } from "./service-process.ts";

const KILLS = 5;

/** Counts separately for each session. */
function addCount(server: McpServer): void {
  let count = 0;
  server.registerTool("count", {}, () => ({ content: [{ type: "text", text: `counted ${++count}` }] }));
}

it(`continues a session after ${KILLS} kills of the process that serves it`, async (t) => {
  const replicas = await prepareReplicas();
  const upstream = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: addCount });
  t.after(async () => {
    await upstream.close();
    await replicas.destroy();
  });
  let [serving, waiting] = [await replicas.start("one"), await replicas.start("two")];
  await createSyncedServer(serving, "Echo", upstream.url);
  const bot = await createMachineUser(serving, "bot");
  await createGroup(serving, "bots", { slugs: ["echo"], emails: [bot.email] });
  while (!(await waiting.mcp(bot.credential, listText("legacy"))).text.includes("echo__count")) await sleep(100);

  const hello = { protocolVersion: MCP_2025_11_25, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const begun = await serving.mcp(bot.credential, rpc("initialize", hello));
  const headers = { "mcp-session-id": String(begun.headers["mcp-session-id"]) };
  const count = async (service: ServiceProcess) => {
    const call = rpc("tools/call", { name: "echo__count", arguments: {} });
    const { text } = await service.mcp(bot.credential, call, headers);
    return Number(/counted (\d+)/.exec(text)?.[1] ?? assert.fail(text));
  };
  for (let round = 0; round < KILLS; round++) {
    const name = round % 2 === 0 ? "one" : "two";
    assert.equal(await count(serving), 2 * round + 1);
    await serving.kill();
    assert.equal(await count(waiting), 2 * round + 2);
    const killed = await replicas.start(name);
    [serving, waiting] = [waiting, killed];
  }
});
