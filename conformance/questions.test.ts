/** Questions of servers of both eras, answered by clients of both generations of the SDK. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { startEverythingServer } from "./kit/everything-server.ts";
import { type Installation, startInstallation } from "./kit/installation.ts";
import { startUpstream } from "./upstream/server.ts";

const INFO = { name: "gatehouse-conformance", version: "1.0.0" };
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };
const ACCEPTED = { action: "accept" as const, content: { name: "Ada", username: "ada", email: "ada@example.com" } };
const SAMPLED = { role: "assistant" as const, model: "test", content: { type: "text" as const, text: "Good day" } };
const ROOTS = { roots: [{ uri: "file:///work", name: "work" }] };

type CallTool = (name: string, args?: Record<string, unknown>) => Promise<string>;

/** Connects, answers every question, and returns the function that calls a tool. */
const CLIENTS: Readonly<Record<string, (installation: Installation) => Promise<CallTool>>> = {
  "SDK 1": async ({ gatewayUrl, authorization, slug }) => {
    const client = new Client1(INFO, { capabilities: CAPABILITIES });
    client.setRequestHandler(ElicitRequestSchema, async () => ACCEPTED);
    client.setRequestHandler(CreateMessageRequestSchema, async () => SAMPLED);
    client.setRequestHandler(ListRootsRequestSchema, async () => ROOTS);
    await client.connect(new Transport1(new URL(gatewayUrl), { requestInit: { headers: { authorization } } }));
    return async (name, args = {}) =>
      JSON.stringify(await client.callTool({ name: `${slug}__${name}`, arguments: args }));
  },
  ...Object.fromEntries(
    (["auto", "legacy"] as const).map((mode) => [
      `SDK 2, ${mode === "auto" ? "modern" : "legacy"} era`,
      async ({ gatewayUrl, authorization, slug }: Installation): Promise<CallTool> => {
        const client = new Client2(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
        client.setRequestHandler("elicitation/create", async () => ACCEPTED);
        client.setRequestHandler("sampling/createMessage", async () => SAMPLED);
        client.setRequestHandler("roots/list", async () => ROOTS);
        await client.connect(new Transport2(new URL(gatewayUrl), { requestInit: { headers: { authorization } } }));
        return async (name, args = {}) =>
          JSON.stringify(await client.callTool({ name: `${slug}__${name}`, arguments: args }));
      },
    ]),
  ),
};

for (const [client, connect] of Object.entries(CLIENTS))
  describe(`questions to ${client}`, () => {
    let legacy: { readonly url: string; close(): Promise<void> };
    let modern: { readonly url: string; close(): Promise<void> };
    const installations: Installation[] = [];
    before(async () => {
      legacy = await startEverythingServer("streamableHttp");
      modern = await startUpstream();
      for (const { url } of [legacy, modern]) installations.push(await startInstallation({ type: "http", url }));
    });
    after(async () => {
      for (const installation of installations) await installation.stop();
      await legacy?.close();
      await modern?.close();
    });
    const callAt = async (at: 0 | 1) => {
      const installation = installations[at];
      assert.ok(installation);
      return connect(installation);
    };

    it("of a legacy server are answered", async () => {
      const call = await callAt(0);
      assert.match(await call("trigger-elicitation-request"), /ada@example\.com|accept/i);
      assert.match(await call("trigger-sampling-request", { prompt: "Greet", maxTokens: 10 }), /Good day/);
    });

    it("of a server of both eras are answered", async () => {
      const call = await callAt(1);
      const modernTools = client.includes("modern");
      const ask = modernTools ? "test_input_required_result_elicitation" : "test_elicitation";
      assert.match(await call(ask, modernTools ? {} : { message: "Who?" }), /Ada|ada@example\.com/);
      const sample = modernTools ? "test_input_required_result_sampling" : "test_sampling";
      assert.match(await call(sample, modernTools ? {} : { prompt: "Greet" }), /Good day/);
    });
  });
