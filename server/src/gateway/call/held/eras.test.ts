import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { forEachDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { rpc } from "#test/gateway-kit";
import { type RoundRobin, startRoundRobin } from "#test/round-robin";
import { type Service, startService } from "#test/start-service";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { addInquiringTools } from "#test/upstreams/inquiring-tools";

const UPSTREAMS = ["legacy", "modern"] as const;
const CALLERS = ["legacy", "modern"] as const;
const ELICITED = { action: "accept", content: { name: "Ada" } };
const OPENED = { action: "accept" };
const SAMPLED = { role: "assistant", content: { type: "text", text: "Well." }, model: "m" } as const;
const ROOTS = { roots: [{ uri: "file:///home", name: "home" }] };
const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/**
 * Official SDK clients and servers of both eras. On Postgres, consecutive requests reach different processes, so a
 * question and its answer do too.
 */
forEachDatabase("questions across eras", (open, dialect) => {
  let services: Service[] = [];
  let balancer: RoundRobin;
  let bot: MachineUser;
  const upstreams: EchoUpstream[] = [];

  before(async () => {
    const database = await open();
    const processes = dialect === "postgres" ? 2 : 1;
    for (let n = 0; n < processes; n++) services.push(await startService(database));
    balancer = await startRoundRobin(services.map(({ url }) => url));
    const [one] = services;
    assert.ok(one);
    bot = await createMachineUser(one, "bot");
    for (const eras of UPSTREAMS) {
      const upstream = await startEchoUpstream({ eras, sessionful: true, extend: addInquiringTools });
      upstreams.push(upstream);
      await createSyncedServer(one, eras, upstream.url);
    }
    await createGroup(one, "bots", { slugs: [...UPSTREAMS], emails: [bot.email] });
    for (const service of services)
      while (!(await service.mcp(bot.credential, rpc("tools/list"))).body.result?.tools.length) await setTimeout(20);
  });
  after(async () => {
    await balancer?.close();
    await Promise.all(services.map((service) => service.close()));
    for (const upstream of upstreams) await upstream.close();
    services = [];
  });

  async function withClient(era: "legacy" | "modern", use: (client: Client) => Promise<void>, path = "/mcp") {
    const options = era === "modern" ? { versionNegotiation: { mode: "auto" as const } } : {};
    const client = new Client({ name: "real", version: "1.0.0" }, { ...options, capabilities: CAPABILITIES });
    client.setRequestHandler("elicitation/create", ({ params }) =>
      params.mode === "url" ? { action: "accept" } : { action: "accept", content: { name: "Ada" } },
    );
    client.setRequestHandler("sampling/createMessage", () => SAMPLED);
    client.setRequestHandler("roots/list", () => ROOTS);
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    const requestInit = { headers: { authorization: `Bearer ${bot.credential}` } };
    try {
      await client.connect(new StreamableHTTPClientTransport(new URL(`${balancer.url}${path}`), { requestInit }));
      assert.equal(client.getProtocolEra(), era);
      await use(client);
      assert.deepEqual(errors, []);
    } finally {
      await client.close();
    }
  }
  const call = async (client: Client, name: string) => {
    const result = await client.callTool({ name, arguments: { some: "argument" } });
    const [content] = result.content as { text: string }[]; // these tools return one text
    return JSON.parse(content?.text ?? "null");
  };

  for (const caller of CALLERS) {
    for (const upstream of UPSTREAMS) {
      describe(`of a ${upstream} upstream to a ${caller} caller`, () => {
        it("of every kind are answered", async () => {
          await withClient(caller, async (client) => {
            assert.deepEqual(await call(client, `${upstream}__elicit`), { elicit: ELICITED });
            assert.deepEqual(await call(client, `${upstream}__open`), { open: OPENED });
            assert.deepEqual(await call(client, `${upstream}__sample`), { sample: SAMPLED });
            assert.deepEqual(await call(client, `${upstream}__roots`), { roots: ROOTS });
          });
        });

        it("that come together are answered together", async () => {
          await withClient(caller, async (client) => {
            const expected = { elicit: ELICITED, sample: SAMPLED, roots: ROOTS };
            assert.deepEqual(await call(client, `${upstream}__everything`), expected);
          });
        });

        it("that follow each other are answered in sequence", async () => {
          await withClient(caller, async (client) => {
            assert.deepEqual(await call(client, `${upstream}__twice`), ELICITED);
          });
        });

        it("come up for prompts and resources too", async () => {
          const use = async (client: Client) => {
            const { messages } = await client.getPrompt({ name: "greeting" });
            assert.deepEqual(messages[0]?.content, { type: "text", text: JSON.stringify({ elicit: ELICITED }) });
            const { contents } = await client.readResource({ uri: "note://one" });
            assert.deepEqual(contents, [{ uri: "note://one", text: JSON.stringify({ roots: ROOTS }) }]);
          };
          await withClient(caller, use, `/mcp/${upstream}`);
        });
      });
    }
  }
});
