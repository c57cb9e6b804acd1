import assert from "node:assert/strict";
import { before, it } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { MachineUser } from "../kit/api.ts";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("Commands", (api) => {
  let member: MachineUser;
  let stranger: MachineUser;
  let group: string;
  before(async () => {
    member = await api.machineUser();
    stranger = await api.machineUser();
    group = await api.group({ emails: [member.email] });
  });

  const connect = async (user: MachineUser, mode: "auto" | "legacy") => {
    const client = new Client({ name: "acceptance", version: "1.0.0" }, { versionNegotiation: { mode } });
    const headers = { authorization: `Bearer ${user.credential}` };
    const url = new URL(`${api.target.gatewayUrl}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return client;
  };

  it("are prompts of the members of their groups, rendered with their arguments [S2.9-commands]", async () => {
    const slug = api.unique("command");
    const declared = [
      { name: "version", required: true },
      { name: "tone", enum: ["dry", "warm"] },
    ];
    const content = "Notes for {{version}} ({{tone}})";
    const command = { name: slug, slug, content, arguments: declared, groups: [group], status: "active" };
    await api.body(201, "POST", "/api/commands", command);
    for (const mode of ["auto", "legacy"] as const) {
      const [client, other] = [await connect(member, mode), await connect(stranger, mode)];
      try {
        const { prompts } = await client.listPrompts();
        const prompt = prompts.find(({ name }) => name === slug);
        assert.deepEqual(prompt?.arguments, [
          { name: "version", required: true },
          { name: "tone", required: false },
        ]);
        const got = await client.getPrompt({ name: slug, arguments: { version: "{{tone}}", tone: "dry" } });
        assert.deepEqual(got.messages, [{ role: "user", content: { type: "text", text: "Notes for {{tone}} (dry)" } }]);
        const ref = { type: "ref/prompt", name: slug } as const;
        const { completion } = await client.complete({ ref, argument: { name: "tone", value: "W" } });
        assert.deepEqual(completion.values, ["warm"]);
        await assert.rejects(client.getPrompt({ name: slug }), /Missing required argument: version/);
        assert.ok(!(await other.listPrompts()).prompts.some(({ name }) => name === slug));
        await assert.rejects(other.getPrompt({ name: slug }), new RegExp(`Unknown prompt: ${slug}`));
      } finally {
        await client.close();
        await other.close();
      }
    }
  });

  it("are exported and imported without loss, and renamed [S2.9-commands]", async () => {
    const slug = api.unique("command");
    const declared = [{ name: "issue", description: "Number", required: true, default: null, enum: null }];
    const command = { name: "Fix issue", slug, content: "Fix #{{issue}}\n", arguments: declared, model: "opus" };
    const { data } = await api.body(201, "POST", "/api/commands", command);
    const { id: _before, created_at: _created, updated_at: _updated, ...expected } = data;
    for (const [format, field] of [
      ["claude", "markdown"],
      ["gemini", "toml"],
    ] as const) {
      const exported = await api.call("GET", `/api/commands/${slug}/export?format=${format}`);
      assert.equal(exported.status, 200);
      await api.body(200, "DELETE", `/api/commands?slug=${slug}`);
      const imported = await api.body(201, "POST", "/api/commands/import", { [field]: exported.text });
      const { id: _after, created_at: _imported, updated_at: _changed, ...actual } = imported.data;
      assert.deepEqual(actual, expected);
    }
    const renamed = api.unique("command");
    await api.body(200, "PATCH", `/api/commands?slug=${slug}`, { slug: renamed });
    assert.equal((await api.call("GET", `/api/commands/${slug}`)).status, 404);
    const { data: preview } = await api.body(200, "POST", `/api/commands/${renamed}/render`, {
      arguments: { issue: 7 },
    });
    assert.equal(preview.text, "Fix #7\n");
  });
});
