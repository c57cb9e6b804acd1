import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createServer } from "#test/factories";

/** The test service may not reach this host, so a sync fails immediately. */
const URL_1 = "http://10.0.0.1/mcp";
const ONLY = "only for servers without per-user authentication";

forEachApi("auth_settings.sharedHeaders", (api) => {
  let count = 0;
  const create = (sharedHeaders: object, url: string | undefined = URL_1) =>
    createServer(api.service, `Shared ${++count}`, url, { auth_settings: { sharedHeaders } });
  const path = (slug: string) => `/api/mcp-servers?slug=${slug}`;
  const patch = async (slug: string, body: object) => {
    const answer = await api.call("PATCH", path(slug), body);
    assert.equal(answer.status, 200, answer.text);
  };
  const set = (slug: string, sharedHeaders: object | null) => patch(slug, { auth_settings: { sharedHeaders } });
  const settings = async (slug: string) => {
    const answer = await api.call("GET", `/api/mcp-servers/${slug}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.auth_settings;
  };
  const shown = async (slug: string) => (await settings(slug)).sharedHeaders;

  describe("writing", () => {
    it("returns the names with null values and keeps authType none", async () => {
      const slug = await create({ "X-Api-Key": "secret-1", Authorization: "Bearer secret-2" });
      const { authType, sharedHeaders } = await settings(slug);
      assert.deepEqual([authType, sharedHeaders], ["none", { "X-Api-Key": null, Authorization: null }]);
    });

    it("leaves the field out for servers without shared headers", async () => {
      const slug = await createServer(api.service, `Plain ${++count}`, URL_1);
      assert.equal("sharedHeaders" in (await settings(slug)), false);
      await set(slug, {});
      assert.equal("sharedHeaders" in (await settings(slug)), false);
    });

    it("never returns a value", async () => {
      const slug = await create({ "X-Api-Key": "never-returned" });
      await set(slug, { "X-Api-Key": "never-returned-2" });
      for (const url of [`/api/mcp-servers/${slug}`, "/api/mcp-servers", "/api/audit", "/api/search?q=shared"])
        assert.doesNotMatch((await api.call("GET", url)).text, /never-returned/);
      const full = { name: "Full", auth_settings: { sharedHeaders: { "X-Api-Key": "never-returned" } } };
      const created = await api.call("POST", "/api/mcp-servers?return=full", full, {
        "idempotency-key": "shared-full",
      });
      assert.deepEqual(created.body.data.auth_settings.sharedHeaders, { "X-Api-Key": null });
      assert.doesNotMatch(JSON.stringify(await api.everything()), /never-returned/);
    });

    it("merges by name without regard to case; null removes one header", async () => {
      const slug = await create({ "X-One": "1", "X-Two": "2" });
      await set(slug, { "x-two": null, "X-Three": "3", "x-one": "1b" });
      assert.deepEqual(await shown(slug), { "x-one": null, "X-Three": null });
      await set(slug, { "X-Unknown": null });
      assert.deepEqual(await shown(slug), { "x-one": null, "X-Three": null });
    });

    it("is reported in the list without its names", async () => {
      const slug = await create({ "X-One": "1" });
      const listed = async () => {
        const { data } = (await api.call("GET", "/api/mcp-servers?fields=slug,has_shared_credential&limit=200")).body;
        return data.find((server: { slug: string }) => server.slug === slug);
      };
      assert.deepEqual(await listed(), { slug, has_shared_credential: true });
      await set(slug, null);
      assert.deepEqual(await listed(), { slug, has_shared_credential: false });
    });

    it("removes all headers with null", async () => {
      const slug = await create({ "X-One": "1", "X-Two": "2" });
      await set(slug, null);
      const row = await api.db.selectFrom("mcp_servers").selectAll().where("slug", "=", slug).executeTakeFirstOrThrow();
      assert.deepEqual([await shown(slug), row.sealed_shared_headers, row.auth_settings], [undefined, null, {}]);
    });

    it("keeps the headers when other fields change", async () => {
      const slug = await create({ "X-One": "1" });
      await patch(slug, { name: "Renamed", auth_settings: { howtoMarkdown: "text" } });
      assert.deepEqual(await shown(slug), { "X-One": null });
    });

    it("accepts headers inside mcp_proxy and inside upstream", async () => {
      const headers = { "X-Api-Key": "from-file" };
      const proxy = JSON.stringify({ type: "http", url: URL_1, headers });
      const one = await createServer(api.service, `File ${++count}`, undefined, { mcp_proxy: proxy });
      const two = await createServer(api.service, `File ${++count}`, undefined, { upstream: { url: URL_1, headers } });
      for (const slug of [one, two]) assert.deepEqual(await shown(slug), { "X-Api-Key": null });
      await patch(two, { upstream: { url: URL_1, headers: { "X-Other": "2", "X-Api-Key": null } } });
      assert.deepEqual(await shown(two), { "X-Other": null });
      await patch(two, { upstream: { url: URL_1 } });
      assert.deepEqual(await shown(two), { "X-Other": null });
    });
  });

  describe("400", () => {
    const field = "auth_settings.sharedHeaders";
    const refused = (message: string, sharedHeaders: unknown, rest: object = {}) =>
      api.invalid(message, "POST", "/api/mcp-servers", { name: "Refused", auth_settings: { sharedHeaders, ...rest } });

    it("refuses other authentication types", async () => {
      for (const authType of ["proxy-oauth", "proxy-api-key"]) {
        await refused(`${field}: ${ONLY}`, { "X-A": "1" }, { authType });
        const slug = await createServer(api.service, `Other ${++count}`, URL_1, { auth_settings: { authType } });
        await api.invalid(`${field}: ${ONLY}`, "PATCH", path(slug), {
          auth_settings: { sharedHeaders: { "X-A": "1" } },
        });
        await set(slug, null);
      }
    });

    it("refuses headers that the gateway controls", async () => {
      const names = ["Host", "connection", "Keep-Alive", "Proxy-Authorization", "TE", "Trailer", "Transfer-Encoding"];
      const more = [
        "Upgrade",
        "Content-Type",
        "content-length",
        "Content-Anything",
        "Accept",
        "Mcp-Session-Id",
        "mcp-x",
      ];
      for (const name of [...names, ...more])
        await refused(`${field}: ${name} cannot be set, because the gateway sets or removes it itself`, {
          [name]: "1",
        });
    });

    it("refuses invalid names", async () => {
      for (const name of ["", "X Y", "X:Y", "X\r\nY", "é"])
        await refused(`${field}: ${JSON.stringify(name)} is not a valid header name`, { [name]: "1" });
      await refused(`${field}: header names must be at most 100 characters`, { ["x".repeat(101)]: "1" });
      await refused(`${field}: x-a is given more than once`, { "X-A": "1", "x-a": "2" });
    });

    it("refuses invalid values without repeating them", async () => {
      for (const value of ["a\r\nInjected: 1", "a\nb", "a\0b", "日本"])
        await refused(`${field}.X-A: must be one line of Latin-1 text`, { "X-A": value });
      await refused(`${field}.X-A: must not be empty`, { "X-A": "" });
      await refused(`${field}.X-A: must not start or end with a space`, { "X-A": " a" });
      await refused(`${field}.X-A: must be at most 8192 characters`, { "X-A": "a".repeat(8193) });
      await refused(`${field}.X-A: must be a string, or null to remove it`, { "X-A": 1 });
      for (const value of ["Bearer $".concat("{input:token}"), "$".concat("{env:TOKEN}")])
        await refused(`${field}.X-A: contains a placeholder; enter the value itself`, { "X-A": value });
      for (const value of [[], "text", 1])
        await refused(`${field}: must be an object of header names and values`, value);
    });

    it("refuses more than 20 headers, also when merged", async () => {
      const many = (first: number, length: number) =>
        Object.fromEntries(Array.from({ length }, (_, n) => [`X-${first + n}`, "1"]));
      await refused(`${field}: must have at most 20 headers`, many(0, 21));
      const slug = await create(many(0, 20));
      const body = { auth_settings: { sharedHeaders: many(20, 1) } };
      await api.invalid(`${field}: must have at most 20 headers`, "PATCH", path(slug), body);
    });

    it("refuses headers in two places and names the field inside the upstream", async () => {
      const upstream = { url: URL_1, headers: { "X-A": "1" } };
      const both = { name: "Both", upstream, auth_settings: { sharedHeaders: { "X-B": "2" } } };
      await api.invalid(`${field}: give the headers here or with the URL, not both`, "POST", "/api/mcp-servers", both);
      const reserved = { name: "Host", upstream: { url: URL_1, headers: { Host: "x" } } };
      const message = "upstream.headers: Host cannot be set, because the gateway sets or removes it itself";
      await api.invalid(message, "POST", "/api/mcp-servers", reserved);
    });
  });

  describe("a server that moves", () => {
    it("keeps its headers on the same origin and loses them on another one", async () => {
      const slug = await create({ "X-One": "1" });
      await patch(slug, { upstream: { url: "http://10.0.0.1/v2/mcp", type: "sse" } });
      assert.deepEqual(await shown(slug), { "X-One": null });
      for (const url of ["http://10.0.0.2/mcp", "https://10.0.0.1/mcp", "http://10.0.0.1:81/mcp"]) {
        const moved = await create({ "X-One": "1" });
        const [entry] = await api.auditOf(() => patch(moved, { upstream: { url } }));
        assert.equal(await shown(moved), undefined);
        assert.deepEqual(Object(entry?.after).shared_headers_removed, ["X-One"]);
      }
    });

    it("keeps only headers that the same request sets", async () => {
      const slug = await create({ "X-One": "1", "X-Two": "2" });
      const moved = { upstream: { url: "http://10.0.0.2/mcp" }, auth_settings: { sharedHeaders: { "X-Two": "2b" } } };
      await patch(slug, moved);
      assert.deepEqual(await shown(slug), { "X-Two": null });
    });

    it("loses its headers when its URL is removed, so that no second request can move them", async () => {
      const slug = await create({ "X-One": "1" });
      await patch(slug, { upstream: null });
      await patch(slug, { upstream: { url: "http://10.0.0.2/mcp" } });
      assert.equal(await shown(slug), undefined);
    });

    it("loses its headers when users authenticate themselves", async () => {
      const slug = await create({ "X-One": "1" });
      await patch(slug, { auth_settings: { authType: "proxy-oauth" } });
      await patch(slug, { auth_settings: { authType: "none" } });
      assert.equal(await shown(slug), undefined);
    });
  });

  it("records which headers were set, by name only", async () => {
    const slug = await create({ "X-One": "1" });
    const [changed] = await api.auditOf(() => set(slug, { "X-One": "2", "X-New": "3" }));
    const [before, after] = [Object(changed?.before), Object(changed?.after)];
    assert.deepEqual(before.auth_settings.sharedHeaders, { "X-One": null });
    assert.deepEqual(after.auth_settings.sharedHeaders, { "X-One": null, "X-New": null });
    assert.deepEqual(after.shared_headers_set, ["X-One", "X-New"]);
  });
});
