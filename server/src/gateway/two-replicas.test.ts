import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { forEachDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type RoundRobin, startRoundRobin } from "#test/round-robin";
import { type Service, startService } from "#test/start-service";
import { addAskingTools } from "#test/upstreams/asking-tools";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";

const LISTS = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** Official SDK client and server. Consecutive requests of a session go to different replicas. */
forEachDatabase("two replicas behind a round-robin load balancer", (open) => {
  let services: Service[];
  let balancer: RoundRobin;
  let upstream: EchoUpstream;
  let bot: MachineUser;
  let client: Client;
  let elicitations = 0;

  before(async () => {
    const database = await open();
    services = [await startService(database), await startService(database)];
    balancer = await startRoundRobin(services.map(({ url }) => url));
    upstream = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: addAskingTools });
    const [one] = services;
    assert.ok(one);
    await createSyncedServer(one, "Asker", upstream.url);
    bot = await createMachineUser(one, "bot");
    await createGroup(one, "bots", { slugs: ["asker"], emails: [bot.email] });
    // Changes reach the other process with a delay.
    for (const service of services)
      while (!(await service.mcp(bot.credential, LISTS)).body.result?.tools.length) await setTimeout(20);
    client = new Client({ name: "real", version: "1.0.0" }, { capabilities: { elicitation: { form: {} }, roots: {} } });
    client.setRequestHandler("elicitation/create", () => ({
      action: "accept",
      content: { name: `Ada ${++elicitations}` },
    }));
    client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///home" }] }));
    const requestInit = { headers: { authorization: `Bearer ${bot.credential}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${balancer.url}/mcp`), { requestInit }));
  });
  after(async () => {
    await client?.close();
    await balancer?.close();
    await Promise.all((services ?? []).map((service) => service.close()));
    await upstream?.close();
  });

  const call = async (name: string) => {
    const result = await client.callTool({ name: `asker__${name}`, arguments: { message: "?" } });
    const [content] = result.content as { text: string }[]; // these tools return one text
    return content?.text ?? "";
  };

  it("serve one session together: calls, upstream requests, and their responses", async () => {
    for (let round = 1; round <= 3; round++) {
      for (const tool of ["ask", "ask_aside"]) assert.match(await call(tool), new RegExp(`"Ada ${elicitations}"`));
      assert.match(await call("ask_roots"), /file:\/\/\/home/);
      assert.equal((await client.listTools()).tools.length > 0, true);
    }
    assert.equal(elicitations, 6);
    for (const { url } of services) assert.ok((balancer.served.get(url) ?? 0) >= 6);
  });

  it("preserve the session when one of them stops", async () => {
    const lost = services.shift();
    balancer.remove(lost?.url ?? "");
    await lost?.close();
    assert.match(await call("ask"), /"Ada 7"/);
    assert.match(await call("ask_aside"), /"Ada 8"/);
  });
});
