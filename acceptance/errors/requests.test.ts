import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CONTRACT_OPERATIONS } from "../kit/contract.ts";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("requests that cannot be served", (api) => {
  const authorization = `Bearer ${api.target.token}`;
  const post = (path: string, body: string | Buffer, headers = {}) =>
    api.send(path, { method: "POST", headers: { authorization, ...headers }, body });
  const json = { "content-type": "application/json" };

  describe("400", () => {
    it("reports which target parameter is missing [S4.0-target S7-missing-parameter]", async () => {
      for (const { method, path, target, takesBody } of CONTRACT_OPERATIONS) {
        if (target === undefined) continue;
        await api.invalid(`${target} query parameter is required`, method, path, takesBody ? {} : undefined);
      }
    });

    it("reports the first invalid field in the contract's order, then the reason [S7-invalid S7-code]", async () => {
      const body = { auth_settings: 1, status: 1, description: 1, mcp_proxy: 1, slug: 1, name: 1 };
      for (const [field, reason] of [
        ["name", "must be a string"],
        ["slug", "must be a string"],
        ["mcp_proxy", "mcp_proxy must be a string"],
        ["description", "must be a string"],
        ["status", "must be one of active, draft"],
        ["auth_settings", "must be an object"],
      ] as const) {
        await api.invalid(`${field}: ${reason}`, "POST", "/api/mcp-servers", body);
        Object.assign(body, { [field]: field === "name" ? "x" : undefined });
      }
    });

    it("rejects a body that is not a JSON object [S4.0-json S7-invalid]", async () => {
      for (const [text, message] of [
        ["{", "body: must be valid JSON"],
        ["", "body: must be valid JSON"],
        [Buffer.from([0x7b, 0xff, 0x7d]), "body: must be valid JSON"],
        ["[]", "body: must be a JSON object"],
        ["null", "body: must be a JSON object"],
        ['"name"', "body: must be a JSON object"],
      ] as const) {
        const answer = await post("/api/groups", text, json);
        assert.deepEqual([answer.status, answer.body], [400, { code: "INVALID_FORMAT", message }]);
      }
    });

    it("rejects a repeated parameter [API-10]", async () => {
      for (const [path, name] of [
        ["/api/mcp-servers?limit=1&limit=1", "limit"],
        ["/api/mcp-servers?search=a&search=b", "search"],
        ["/api/groups?skip=0&skip=1", "skip"],
        ["/api/users?limit=1&limit=2", "limit"],
      ] as const) {
        await api.invalid(`${name}: must be given once`, "GET", path);
      }
      const slug = await api.server();
      await api.invalid("slug: must be given once", "DELETE", `/api/mcp-servers?slug=x&slug=${slug}`);
      assert.equal((await api.call("GET", `/api/mcp-servers/${slug}`)).status, 200);
    });

    it("rejects text that cannot be stored: NUL, unpaired surrogates [API-4]", async () => {
      const message = "name: must be well-formed text without NUL characters";
      for (const name of ["a\0b", "a\ud800", "\udc00"]) {
        await api.invalid(message, "POST", "/api/groups", { name });
        await api.invalid(message, "POST", "/api/mcp-servers", { name });
      }
      const search = "search: must be well-formed text without NUL characters";
      for (const list of ["mcp-servers", "groups", "users"])
        await api.invalid(search, "GET", `/api/${list}?search=%00`);
    });
  });

  describe("404 and 405", () => {
    it("404 for an unknown path [S4.0-paths]", async () => {
      for (const path of ["/api/nothing", "/api/groups/", "/api/mcp-servers/a/b/c", "/api/groups/%zz"]) {
        const { status, body } = await api.call("GET", path);
        assert.deepEqual([status, body], [404, { error: "Not found" }], path);
      }
    });

    it("405 with the allowed methods [API-10]", async () => {
      for (const [method, path, allowed] of [
        ["PUT", "/api/mcp-servers", ["DELETE", "GET", "PATCH", "POST"]],
        ["PUT", "/api/groups", ["DELETE", "GET", "PATCH", "POST"]],
        ["OPTIONS", "/api/users", ["DELETE", "GET", "PATCH", "POST"]],
        ["PUT", "/api/groups/x/integrations", ["DELETE", "PATCH", "POST"]],
      ] as const) {
        const { status, body, headers } = await api.call(method, path);
        assert.deepEqual([status, body], [405, { error: "Method not allowed" }], path);
        const methods = String(headers.allow).split(/, ?/);
        for (const each of allowed) assert.ok(methods.includes(each), `${path}: ${headers.allow}`);
        assert.equal(methods.includes(method), false);
      }
    });

    it("ignores method overrides in headers and parameters [API-10]", async () => {
      const name = await api.group();
      const path = `/api/groups?name=${name}&search=${name}&_method=DELETE`;
      const headers = { "x-http-method-override": "DELETE", "x-method-override": "DELETE" };
      assert.equal((await api.body(200, "GET", path, undefined, headers)).data.length, 1);
      assert.equal((await api.body(200, "GET", `/api/groups?search=${name}`)).data.length, 1);
    });
  });

  describe("413 and 415", () => {
    it("rejects other content types, even similar ones [API-2 S4.0-json]", async () => {
      const name = api.unique("never");
      for (const type of [
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "application/json\ta",
        "application/json-patch+json",
        "multipart/form-data; boundary=application/json",
        undefined,
      ]) {
        const answer = await post("/api/groups", JSON.stringify({ name }), type ? { "content-type": type } : {});
        assert.deepEqual([answer.status, answer.body], [415, { error: "Content-Type must be application/json" }], type);
      }
      assert.deepEqual((await api.body(200, "GET", `/api/groups?search=${name}`)).data, []);
    });

    it("accepts JSON content types with parameters, spaces, and any case [API-2 S4.0-json]", async () => {
      const message = "name: name is required";
      for (const type of [
        "application/json; charset=utf-8",
        "APPLICATION/JSON",
        "application/json ;charset=UTF-8",
        " application/json",
      ]) {
        const answer = await post("/api/groups", "{}", { "content-type": type });
        assert.deepEqual([answer.status, answer.body], [400, { code: "INVALID_FORMAT", message }], type);
      }
    });

    it("rejects a body larger than 1 MiB [S8-sizes]", async () => {
      const answer = await post("/api/groups", JSON.stringify({ name: "x".repeat(1024 * 1024) }), json);
      assert.deepEqual([answer.status, answer.body], [413, { error: "Request body is too large. The limit is 1 MiB" }]);
    });
  });

  it("every error response is JSON [S4.0-json]", async () => {
    for (const [method, path] of [
      ["GET", "/api/groups"],
      ["GET", "/api/groups?limit=0"],
      ["GET", "/api/nothing"],
      ["PUT", "/api/groups"],
      ["DELETE", "/api/groups?name=none"],
    ] as const) {
      const { headers, body } = await api.call(method, path);
      assert.match(String(headers["content-type"]), /^application\/json\b/, path);
      assert.equal(typeof body, "object");
    }
  });
});
