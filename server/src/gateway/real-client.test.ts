import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { Client, SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "zod";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { MCP_2025_11_25, MCP_2026_07_28 } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";

const SkillList = z.object({
  skills: z.array(z.object({ uri: z.string(), resources: z.array(z.object({ uri: z.string(), digest: z.string() })) })),
});
const UPSTREAM_ERAS = ["both", "modern", "legacy"] as const;
const TOOLS = ["echo", "progress", "fail"];
/** Connect modes of the client, and the era and version they result in. */
const CALLERS = [
  { mode: "legacy", era: "legacy", version: MCP_2025_11_25 },
  { mode: "auto", era: "modern", version: MCP_2026_07_28 },
] as const;

/** Official SDK client and server with the gateway in between. Behavior does not depend on the database. */
describe("official SDK client", () => {
  let database: TestDatabase;
  let service: Service;
  let bot: MachineUser;
  const upstreams = new Map<string, EchoUpstream>();

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    bot = await createMachineUser(service, "bot");
    for (const eras of UPSTREAM_ERAS) {
      const upstream = await startEchoUpstream({ eras });
      upstreams.set(eras, upstream);
      await createSyncedServer(service, eras, upstream.url);
    }
    await createGroup(service, "bots", { slugs: [...UPSTREAM_ERAS], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    for (const upstream of upstreams.values()) await upstream.close();
    await database?.close();
  });

  async function withClient(
    mode: "legacy" | "auto",
    credential: string,
    use: (client: Client) => Promise<void>,
    path = "/mcp",
  ) {
    // Without options the client performs the legacy handshake.
    const options = mode === "auto" ? { versionNegotiation: { mode } } : {};
    const client = new Client({ name: "real", version: "1.0.0" }, options);
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    const headers = { authorization: `Bearer ${credential}` };
    try {
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${service.url}${path}`), { requestInit: { headers } }),
      );
      await use(client);
      assert.deepEqual(errors, []);
    } finally {
      await client.close();
    }
  }

  for (const { mode, era, version } of CALLERS) {
    describe(`that connects with ${mode === "auto" ? "version negotiation" : "the legacy handshake"}`, () => {
      it(`negotiates ${version} with the gateway and lists the tools of every upstream`, async () => {
        await withClient(mode, bot.credential, async (client) => {
          assert.deepEqual([client.getProtocolEra(), client.getNegotiatedProtocolVersion()], [era, version]);
          assert.equal(client.getServerVersion()?.name, "gatehouse");
          const { tools } = await client.listTools();
          const expected = UPSTREAM_ERAS.flatMap((slug) => TOOLS.map((tool) => `${slug}__${tool}`));
          assert.deepEqual(tools.map((tool) => tool.name).sort(), expected.sort());
        });
      });

      it("lists and reads a skill, and verifies its digests", async () => {
        const name = `notes-${mode}`;
        const files = [{ path: "scripts/a b.sh", content: "#!/bin/sh\n" }];
        const skill = { name, description: "Notes", content: "Text", files, status: "active", groups: ["bots"] };
        assert.equal((await service.api("POST", "/api/skills", skill)).status, 201);
        await withClient(mode, bot.credential, async (client) => {
          const { resources } = await client.listResources();
          assert.ok(resources.some(({ uri }) => uri === `skill://${name}/SKILL.md`));
          const found = await client.request({ method: "skills/list", params: {} }, SkillList);
          const entry = found.skills.find(({ uri }) => uri === `skill://${name}/SKILL.md`);
          assert.equal(entry?.resources.length, 2);
          for (const { uri, digest } of entry.resources) {
            const [content] = (await client.readResource({ uri })).contents;
            assert.ok(content && "text" in content);
            assert.equal(`sha256:${createHash("sha256").update(content.text).digest("hex")}`, digest);
          }
        });
        await service.api("DELETE", `/api/skills?slug=${name}`);
      });

      it("finds, describes and calls a tool with tool search", async () => {
        const search = async (client: Client) => {
          const { tools } = await client.listTools();
          assert.deepEqual(
            tools.map(({ name }) => name),
            ["gatehouse__find_tools", "gatehouse__describe_tool", "gatehouse__call_tool"],
          );
          const found = await client.callTool({ name: "gatehouse__find_tools", arguments: { query: "echo" } });
          const [best] = (found.structuredContent as { tools: { name: string }[] }).tools;
          assert.match(best?.name ?? "", /__echo$/);
          const name = best?.name;
          const described = await client.callTool({ name: "gatehouse__describe_tool", arguments: { name } });
          assert.ok(!described.isError, JSON.stringify(described));
          const call = { name: "gatehouse__call_tool", arguments: { name, arguments: { text: "hi" } } };
          assert.match(JSON.stringify(await client.callTool(call)), /hi/);
        };
        await withClient(mode, bot.credential, search, "/mcp?tools=search");
      });

      it("uses a toolkit: its names, its arguments, its instructions", async () => {
        const slug = `kit-${mode}`;
        const tools = [{ server: "both", tool: "echo", alias: "say", arguments: { fixed: { text: "fixed" } } }];
        const body = { name: slug, tools, instructions: "Say it.", groups: ["bots"], status: "active" };
        assert.equal((await service.api("POST", "/api/toolkits", body)).status, 201);
        const say = async (client: Client) => {
          assert.deepEqual(
            (await client.listTools()).tools.map(({ name }) => name),
            ["both__say"],
          );
          assert.match(client.getInstructions() ?? "", /Say it\./);
          assert.match(JSON.stringify(await client.callTool({ name: "both__say", arguments: {} })), /fixed/);
          await assert.rejects(client.callTool({ name: "both__say", arguments: { text: "x" } }), /is fixed by toolkit/);
        };
        await withClient(mode, bot.credential, say, `/mcp?toolkit=${slug}`);
      });

      for (const eras of UPSTREAM_ERAS) {
        it(`calls tools of an upstream that supports ${eras}, and receives a tool's failure`, async () => {
          await withClient(mode, bot.credential, async (client) => {
            const given = { text: "Größe 日本", deep: [{ n: 1.5 }] };
            const result = await client.callTool({ name: `${eras}__echo`, arguments: given });
            assert.deepEqual(result.structuredContent, given);
            const failed = await client.callTool({ name: `${eras}__fail`, arguments: {} });
            assert.deepEqual(
              [failed.isError, failed.content],
              [true, [{ type: "text", text: "this tool always fails" }]],
            );
            await assert.rejects(client.callTool({ name: `${eras}__nothing`, arguments: {} }), { code: -32602 });
          });
        });

        it(`receives the progress that an upstream with ${eras} support streams`, async () => {
          await withClient(mode, bot.credential, async (client) => {
            const steps: unknown[] = [];
            const onprogress = (step: unknown) => void steps.push(step);
            const result = await client.callTool({ name: `${eras}__progress`, arguments: {} }, { onprogress });
            assert.deepEqual(result.content, [{ type: "text", text: "done" }]);
            assert.deepEqual(steps, [
              { progress: 1, total: 2 },
              { progress: 2, total: 2 },
            ]);
          });
        });
      }

      it("finds, describes and calls tools through tool search", async () => {
        const use = async (client: Client) => {
          const { tools } = await client.listTools();
          const [find, describeTool, call] = tools.map(({ name }) => name);
          assert.deepEqual(tools.length, 3);
          const found = await client.callTool({ name: find ?? "", arguments: { query: "echo" } });
          const names = JSON.parse(textIn(found)).tools.map(({ name }: { name: string }) => name);
          assert.deepEqual(names.slice(0, 3).sort(), ["both__echo", "legacy__echo", "modern__echo"]);
          for (const name of names.slice(0, 3)) {
            const described = await client.callTool({ name: describeTool ?? "", arguments: { name } });
            assert.equal(JSON.parse(textIn(described)).name, name);
            const given = { text: "Größe 日本", deep: [{ n: 1.5 }] };
            const result = await client.callTool({ name: call ?? "", arguments: { name, arguments: given } });
            assert.deepEqual(result.structuredContent, given);
          }
          const steps: unknown[] = [];
          const onprogress = (step: unknown) => void steps.push(step);
          await client.callTool({ name: call ?? "", arguments: { name: "both__progress" } }, { onprogress });
          assert.equal(steps.length, 2);
        };
        await withClient(mode, bot.credential, use, "/mcp?tools=search");
      });

      it("is rejected with an invalid key", async () => {
        await assert.rejects(
          withClient(mode, `${bot.credential}x`, async () => {}),
          (error) => error instanceof SdkHttpError && error.status === 401,
        );
      });
    });
  }
});

function textIn({ content }: { content: unknown }): string {
  assert.ok(Array.isArray(content));
  return content[0].text;
}
