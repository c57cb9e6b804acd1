import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { CLIENTS, receiveUpdate } from "./kit/clients.ts";
import { EVERYTHING_OVER_STDIO, startEverythingServer } from "./kit/everything-server.ts";
import { type Installation, type Source, startInstallation } from "./kit/installation.ts";
import { startProxy } from "./kit/proxy.ts";
import { startUpstream } from "./upstream/server.ts";

const MODERN = "2026-07-28";

interface Started {
  readonly source: Source;
  close(): Promise<void>;
}

const overHttp = async (): Promise<Started> => {
  const { url, close } = await startUpstream();
  return { source: { type: "http", url }, close };
};
const everything = (transport: "streamableHttp" | "sse") => async (): Promise<Started> => {
  const { url, close } = await startEverythingServer(transport);
  return { source: { type: transport === "sse" ? "sse" : "http", url }, close };
};
const ECHO = { tool: "echo", args: { message: "hello" }, says: "Echo: hello" };

const UPSTREAMS = [
  { name: "both eras", start: overHttp, tool: "test_structured_content", args: { a: 20000, b: 2345 }, says: "22345" },
  { name: "the legacy era", start: everything("streamableHttp"), ...ECHO },
  { name: "the legacy era over HTTP+SSE", start: everything("sse"), ...ECHO },
  {
    name: "the legacy era over stdio",
    start: async (): Promise<Started> => ({ source: EVERYTHING_OVER_STDIO, close: async () => {} }),
    ...ECHO,
  },
] as const;

for (const { name, start, tool, args, says } of UPSTREAMS)
  describe(`real clients, through the gateway, with an upstream over ${name}`, () => {
    let upstream: Started;
    let installation: Installation;
    let directory: string;

    before(async () => {
      upstream = await start();
      installation = await startInstallation(upstream.source);
      directory = await mkdtemp(join(tmpdir(), "gatehouse-clients-"));
    });

    after(async () => {
      await installation?.stop();
      await upstream?.close();
      if (directory !== undefined) await rm(directory, { recursive: true, force: true });
    });

    for (const client of CLIENTS)
      it(`${client.name} lists and calls a tool in the ${client.era} era`, async () => {
        const { gatewayUrl, authorization, slug } = installation;
        const versions = new Set<string>();
        const proxy = await startProxy({
          url: gatewayUrl,
          watch: (headers) => void versions.add(String(headers["mcp-protocol-version"])),
        });
        const gatewayName = `${slug}__${tool}`;
        const visit = { url: proxy.url, authorization, tool: gatewayName, args, directory };
        const { tools, result } = await client.visit(visit).finally(() => proxy.close());
        assert.ok(tools.includes(gatewayName), tools.join(" "));
        assert.ok(JSON.stringify(result)?.includes(says), JSON.stringify(result));
        assert.equal(versions.has(MODERN), client.era === "modern", [...versions].join(" "));
      });

    if (tool === ECHO.tool)
      it("notifies a client of changes to a resource that it is subscribed to", async () => {
        const { gatewayUrl: url, authorization, slug } = installation;
        const uri = "demo://resource/dynamic/text/1";
        const visit = { url, authorization, tool: `${slug}__toggle-subscriber-updates`, args: {}, directory };
        assert.equal(await receiveUpdate(visit, uri), uri);
      });
  });
