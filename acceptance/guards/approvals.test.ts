import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { MachineUser } from "../kit/api.ts";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";

forEachTarget("Approvals", (api) => {
  const word = api.unique("transfer").replace(/[^a-z0-9]/gi, "");
  let upstream: Upstream;
  let bot: MachineUser;
  let tool = "";
  before(async () => {
    upstream = await startUpstream();
    const slug = await api.serverOf(upstream.url);
    tool = `${slug}__echo`;
    bot = await api.machineUser();
    await api.group({ slugs: [slug], emails: [bot.email] });
    await api.body(201, "POST", "/api/guards", {
      ...{ name: api.unique("guard"), type: "runtime", action: "require_approval", enabled: true },
      ...{ scope: { users: [bot.email] }, checks: [{ type: "keyword", name: "Word", config: { words: [word] } }] },
    });
    // Changes reach other processes of the target with a delay.
    await sleep(1_000);
  });
  after(async () => {
    await api.body(200, "PATCH", "/api/settings", { approval_wait_seconds: null });
    await upstream?.close();
  });

  const held = async () => {
    for (;;) {
      const path = `/api/guards/approvals?status=pending&user=${encodeURIComponent(bot.email)}`;
      const [first] = (await api.body(200, "GET", path)).data;
      if (first) return first;
      await sleep(50);
    }
  };

  it("let a client wait, and continue its call when it is approved [S2.9-guards]", async () => {
    await api.body(200, "PATCH", "/api/settings", { approval_wait_seconds: 60 });
    await sleep(1_000);
    const client = new Client({ name: "acceptance", version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${bot.credential}` } };
    const url = new URL("/mcp", api.target.gatewayUrl);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    const messages: string[] = [];
    const onprogress = ({ message = "" }: { message?: string | undefined }) => void messages.push(message);
    const waiting = client.callTool({ name: tool, arguments: { text: word } }, { onprogress });
    const { id } = await held();
    const { data } = await api.body(200, "GET", `/api/guards/approvals/${id}`);
    assert.deepEqual([data.arguments, data.user_email, data.status], [{ text: word }, bot.email, "pending"]);
    await api.body(200, "POST", `/api/guards/approvals/${id}/decision`, { decision: "approve", note: "Fine" });
    const result = await waiting;
    await client.close();
    assert.notEqual(result.isError, true);
    assert.ok(messages.some((message) => message.endsWith(`/approvals/${id}`)));
    const conflict = await api.body(409, "POST", `/api/guards/approvals/${id}/decision`, { decision: "deny" });
    assert.equal(conflict.code, "CONFLICT");
  });

  it("are for identical arguments, and pass once [S2.9-guards]", async () => {
    await api.body(200, "PATCH", "/api/settings", { approval_wait_seconds: 0 });
    await sleep(1_000);
    const call = async (text: string) =>
      (await api.mcp(bot.credential, "tools/call", { name: tool, arguments: { text } })).body.result;
    const refused = await call(`${word} 1`);
    const { id } = await held();
    assert.equal(refused.isError, true);
    assert.ok(refused.content[0].text.startsWith(`Approval required: ${id}\n`), refused.content[0].text);
    await api.body(200, "POST", `/api/guards/approvals/${id}/decision`, { decision: "approve" });
    assert.equal((await call(`${word} 2`)).isError, true);
    assert.notEqual((await call(`${word} 1`)).isError, true);
    assert.equal((await call(`${word} 1`)).isError, true);
  });
});
