import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("Background agents", (api) => {
  it("run sessions that report their steps, and are refused with the reason [S2.9-agents]", async () => {
    const slug = api.unique("agent");
    const provider = { type: "scripted", script: [{ tool: "no__such" }, { text: "Saw: {{last_result}}" }] };
    const body = { name: slug, slug, instructions: "Help.", model: "scripted", provider };
    const { data } = await api.body(201, "POST", "/api/background-agents", body);
    assert.deepEqual([data.status, data.version, data.provider.has_api_key], ["draft", 1, false]);
    const resolved = { source: "agent", type: "scripted", model: "scripted", base_url: null };
    assert.deepEqual(data.resolved_provider, resolved);
    const { data: installed } = await api.body(200, "GET", "/api/agent-provider");
    const plain = { name: `${slug} plain`, slug: `${slug}-plain`, instructions: "Help." };
    const omitted = await api.call("POST", "/api/background-agents", plain);
    assert.equal(omitted.status, installed === null ? 400 : 201, omitted.text);
    await api.call("DELETE", `/api/background-agents?slug=${slug}-plain`);
    const idle = await api.call("POST", `/api/background-agents/${slug}/invoke`, { input: "Go" });
    assert.deepEqual([idle.status, idle.body], [409, { code: "CONFLICT", message: "agent is not active" }]);
    await api.body(200, "PATCH", `/api/background-agents?slug=${slug}`, { status: "active" });
    const invocation = { input: "Go", wait_seconds: 30, metadata: { ticket: 7 } };
    const { data: session } = await api.body(200, "POST", `/api/background-agents/${slug}/invoke`, invocation);
    assert.deepEqual(
      [session.status, session.output, session.metadata],
      ["completed", "Saw: Unknown tool: no__such", { ticket: 7 }],
    );
    const path = `/api/background-agents/${slug}/sessions/${session.id}`;
    const { data: steps } = await api.body(200, "GET", `${path}/steps`);
    assert.deepEqual(
      steps.map(({ type }: { type: string }) => type),
      ["model", "tool_call", "tool_result", "model"],
    );
    assert.equal((await api.call("POST", `${path}/cancel`)).status, 409);
    const { data: listed } = await api.body(200, "GET", `/api/background-agents/${slug}/sessions?status=completed`);
    assert.deepEqual(
      listed.map(({ id }: { id: string }) => id),
      [session.id],
    );
    await api.body(200, "DELETE", `/api/background-agents?slug=${slug}`);
    const gone = await api.call("GET", `/api/background-agents/${slug}`);
    assert.deepEqual([gone.status, gone.body], [404, { error: "Background agent not found" }]);
  });

  it("name the URL of their platform, and refuse unsigned requests [S2.9-background-agents]", async () => {
    const slug = api.unique("agent");
    const fields = { name: slug, slug, instructions: "Help.", model: "m", platform: "anthropic" };
    const config = { api_key: "not-a-key", environment_id: "env_1", base_url: "https://platform.example.com" };
    const { data } = await api.body(201, "POST", "/api/background-agents", { ...fields, platform_config: config });
    assert.deepEqual(data.platform_config, {
      ...{ url: null, base_url: config.base_url, environment_id: "env_1", vault_ids: [] },
      ...{ has_api_key: true, has_secret: false },
    });
    const wrong = { ...fields, slug: `${slug}-b`, platform_config: { api_key: "x", url: config.base_url } };
    const refused = await api.call("POST", "/api/background-agents", wrong);
    assert.deepEqual(
      [refused.status, refused.body],
      [400, { code: "INVALID_FORMAT", message: "platform_config.url: use base_url for anthropic" }],
    );
    for (const path of [`/hooks/agents/${slug}`, `/api/background-agents/${slug}/sessions/ses_none/report`]) {
      const unsigned = await api.call("POST", path, { status: "completed" });
      assert.deepEqual([unsigned.status, unsigned.body], [401, { error: "invalid_signature" }], path);
    }
    await api.body(200, "DELETE", `/api/background-agents?slug=${slug}`);
  });
});
