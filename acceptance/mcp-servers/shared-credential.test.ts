import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";

const PATH = "/api/mcp-servers";

forEachTarget("auth_settings.sharedHeaders", (api) => {
  let upstream: Upstream;
  before(async () => {
    upstream = await startUpstream();
  });
  after(() => upstream.close());

  const keyOfNextSync = async (slug: string) => {
    const before = upstream.calls.length;
    await api.body(200, "POST", `${PATH}/${slug}/sync`);
    const keys = new Set(upstream.calls.slice(before).map(({ headers }) => headers["x-api-key"]));
    assert.equal(keys.size, 1);
    return [...keys][0];
  };
  const set = (slug: string, sharedHeaders: object | null) =>
    api.body(200, "PATCH", `${PATH}?slug=${slug}`, { auth_settings: { sharedHeaders } });

  it("is sent to the server, never returned, merged by name, and removed with null", async () => {
    const slug = await api.serverOf(upstream.url);
    await set(slug, { "X-Api-Key": "shared-key", "X-Team": "a" });
    assert.equal(await keyOfNextSync(slug), "shared-key");
    const { data } = await api.body(200, "GET", `${PATH}/${slug}`);
    assert.deepEqual(data.auth_settings.sharedHeaders, { "X-Api-Key": null, "X-Team": null });
    assert.doesNotMatch(JSON.stringify(data), /shared-key/);
    await set(slug, { "X-Team": null });
    assert.equal(await keyOfNextSync(slug), "shared-key");
    await set(slug, null);
    assert.equal(await keyOfNextSync(slug), undefined);
  });

  it("is rejected for servers with per-user authentication and for reserved names", async () => {
    const slug = await api.serverOf(upstream.url);
    const perUser = { authType: "proxy-api-key", sharedHeaders: { "X-Api-Key": "k" } };
    const rejected = await api.body(400, "PATCH", `${PATH}?slug=${slug}`, { auth_settings: perUser });
    assert.equal(rejected.message, "auth_settings.sharedHeaders: only for servers without per-user authentication");
    for (const name of ["Host", "Content-Type", "Accept", "Mcp-Session-Id", "Transfer-Encoding"]) {
      const body = { auth_settings: { sharedHeaders: { [name]: "x" } } };
      const { message } = await api.body(400, "PATCH", `${PATH}?slug=${slug}`, body);
      assert.match(message, /^auth_settings\.sharedHeaders: /, name);
    }
  });
});
