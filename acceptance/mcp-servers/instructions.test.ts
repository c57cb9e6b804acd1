import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";

const TEXT = "Say it politely.";
const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "acceptance", version: "1" },
};

forEachTarget("the instructions of an MCP server", (api) => {
  let upstream: Upstream;
  before(async () => {
    upstream = await startUpstream(undefined, TEXT);
  });
  after(() => upstream.close());

  it("reach callers below the name of their server, until an admin turns them off", async () => {
    const name = api.unique("Polite");
    const slug = await api.serverOf(upstream.url, { name });
    const { email, credential } = await api.machineUser();
    await api.group({ slugs: [slug], emails: [email] });
    const received = async () => (await api.mcp(credential, "initialize", INITIALIZE)).body.result.instructions;
    const text: string = await received();
    assert.ok(text.includes(`## ${name}`) && text.includes(`> ${TEXT}`), text);
    assert.equal((await api.body(200, "GET", `/api/mcp-servers/${slug}`)).data.instructions, TEXT);
    await api.body(200, "PATCH", `/api/mcp-servers?slug=${slug}`, { pass_instructions: false });
    assert.equal(await received(), undefined);
  });
});
