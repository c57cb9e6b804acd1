import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startEchoUpstream } from "./echo.ts";
import { startRawUpstream } from "./raw.ts";

type Upstream = { readonly url: string; close(): Promise<void> };
const kinds: Record<string, (eras: "modern" | "legacy" | "both", sessions: boolean) => Promise<Upstream>> = {
  raw: (eras, sessions) => startRawUpstream({ eras, sessions }),
  echo: (eras, sessionful) => startEchoUpstream({ eras, sessionful }),
};

for (const [kind, start] of Object.entries(kinds)) {
  for (const eras of ["modern", "legacy", "both"] as const) {
    for (const sessions of [false, true]) {
      test(`the official client works with the ${kind} upstream (${eras}, ${sessions ? "with" : "no"} sessions)`, async () => {
        const upstream = await start(eras, sessions);
        const client = new Client({ name: "judge", version: "1" }, { versionNegotiation: { mode: "auto" } });
        try {
          await client.connect(new StreamableHTTPClientTransport(new URL(upstream.url)));
          const { tools } = await client.listTools();
          assert.ok(tools.some((tool) => tool.name === "echo"));
          const result = await client.callTool({ name: "echo", arguments: { word: "Grüße" } });
          assert.deepEqual(result.structuredContent, { word: "Grüße" });
        } finally {
          await client.close();
          await upstream.close();
        }
      });
    }
  }
}
