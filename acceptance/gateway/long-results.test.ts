import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { MachineUser } from "../kit/api.ts";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";

const LIMIT = 2_048;

forEachTarget("a tool result above result_limit_bytes", (api) => {
  let upstream: Upstream;
  let bot: MachineUser;
  let slug: string;

  before(async () => {
    upstream = await startUpstream();
    slug = await api.serverOf(upstream.url, { result_limit_bytes: LIMIT });
    bot = await api.machineUser();
    await api.group({ slugs: [slug], emails: [bot.email] });
  });
  after(() => upstream.close());

  for (const mode of ["auto", "legacy"] as const) {
    it(`is cut and can be read completely with the SDK client (${mode})`, async () => {
      const client = new Client({ name: "acceptance", version: "1.0.0" }, { versionNegotiation: { mode } });
      const authorization = `Bearer ${bot.credential}`;
      const url = new URL(`${api.target.gatewayUrl}/mcp`);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }));
      try {
        const text = "é".repeat(10_000);
        const { content } = await client.callTool({ name: `${slug}__echo`, arguments: { text } });
        const [kept, link] = content;
        assert.ok(kept?.type === "text" && Buffer.byteLength(kept.text) <= LIMIT);
        assert.ok(link?.type === "resource_link", JSON.stringify(link));
        const whole = await read(client, link.uri);
        assert.ok(JSON.parse(whole).arguments.text === text, "the text is complete");
        let parts = "";
        for (let offset = 0; offset < Buffer.byteLength(whole); offset += 4_096) {
          parts += await read(client, `${link.uri}?offset=${offset}&length=4096`);
        }
        assert.ok(parts === whole, "the parts are complete");
      } finally {
        await client.close();
      }
    });
  }
});

async function read(client: Client, uri: string): Promise<string> {
  const [part] = (await client.readResource({ uri })).contents;
  assert.ok(part && "text" in part, JSON.stringify(part));
  return String(part.text);
}
