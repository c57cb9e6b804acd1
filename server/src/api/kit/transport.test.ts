import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { operations } from "#api/operations";
import { bearer, onSqliteApi } from "#test/api";
import { routeOf } from "./router.ts";

onSqliteApi("HTTP requests", (api) => {
  const http = (method: string, path: string, headers: Record<string, string | string[]> = {}, body?: string) =>
    api.service.http(path, {
      method,
      headers: { ...bearer(api.service.token), ...headers },
      ...(body === undefined ? {} : { body }),
    });

  describe("404 and 405", () => {
    it("answers an unknown path with 404", async () => {
      for (const path of ["/api/nothing", "/api/groups/x/y", "/api/mcp-servers/x/y/z", "/api/", "/api", "/nothing"]) {
        const answer = await http("GET", path);
        assert.deepEqual([answer.status, answer.body], [404, { error: "Not found" }], path);
      }
    });

    it("lists the allowed methods of a path for another method", async () => {
      const routes = operations.map(routeOf);
      for (const { url } of routes) {
        const path = url.replace(/\{\w+\}/g, "x");
        const leads = (to: string) => new RegExp(`^${to.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
        const allowed = [...new Set(routes.filter((route) => leads(route.url)).map((route) => route.method))];
        const other = allowed.includes("PUT") ? "PATCH" : "PUT";
        const answer = await http(other, `${path}?a=b`);
        assert.deepEqual([answer.status, answer.body], [405, { error: "Method not allowed" }], url);
        assert.equal(answer.headers.allow, allowed.join(", "));
      }
    });

    it("ignores method override headers and parameters (API-10)", async () => {
      const answer = await http("GET", "/api/groups?_method=DELETE&name=x", { "x-http-method-override": "DELETE" });
      assert.equal(answer.status, 200);
      assert.equal((await http("HEAD", "/api/groups")).status, 405);
    });

    it("answers a path that cannot be decoded or is too long with its own error", async () => {
      const broken = await http("GET", "/api/mcp-servers/%zz");
      assert.deepEqual([broken.status, broken.body], [404, { error: "Not found" }]);
      const long = await http("GET", `/api/mcp-servers/${"x".repeat(3_000)}`);
      assert.deepEqual([long.status, long.body], [404, { error: "Not found" }]);
    });
  });

  describe("413 and 415", () => {
    it("rejects a body above 1 MiB, with and without Content-Length", async () => {
      const body = JSON.stringify({ name: "x".repeat(1024 * 1024) });
      for (const framing of [{}, { "transfer-encoding": "chunked" }]) {
        const answer = await http("POST", "/api/groups", { "content-type": "application/json", ...framing }, body);
        assert.deepEqual(
          [answer.status, answer.body],
          [413, { error: "Request body is too large. The limit is 1 MiB" }],
        );
      }
    });

    it("rejects any content type other than JSON, however similar", async () => {
      for (const type of [
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "application/json-patch+json",
        "application/json\ta",
        "x application/json",
        "multipart/form-data; boundary=application/json",
      ]) {
        const answer = await http("POST", "/api/groups", { "content-type": type }, '{"name":"never"}');
        assert.deepEqual([answer.status, answer.body], [415, { error: "Content-Type must be application/json" }], type);
      }
      const untyped = await http("POST", "/api/groups", {}, '{"name":"never"}');
      assert.equal(untyped.status, 415);
      assert.deepEqual((await api.call("GET", "/api/groups")).body.data, []);
    });

    it("accepts the JSON content type with parameters and in any case", async () => {
      for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON", "application/json ;charset=UTF-8"]) {
        assert.equal((await http("POST", "/api/groups", { "content-type": type }, "{}")).body.code, "INVALID_FORMAT");
      }
    });

    it("requires no content type without a body, and ignores one", async () => {
      for (const headers of [{}, { "content-type": "application/json" }]) {
        assert.equal((await http("DELETE", "/api/groups?name=nowhere", headers)).status, 404);
        assert.equal((await http("POST", "/api/mcp-servers/nowhere/sync", headers)).status, 404);
      }
    });
  });

  describe("Service-API-Version", () => {
    it("defaults to version 1", async () => {
      assert.equal((await http("GET", "/api/groups", { "service-api-version": "1" })).status, 200);
    });

    it("rejects any other version on every operation", async () => {
      for (const operation of operations.filter(({ callers }) => callers !== "people")) {
        const { method, url } = routeOf(operation);
        const answer = await http(method, url.replace(/\{\w+\}/g, "x"), { "service-api-version": "2" });
        const message = 'Service-API-Version: unsupported version "2", supported: 1';
        assert.deepEqual([answer.status, answer.body], [400, { code: "INVALID_FORMAT", message }]);
      }
      for (const version of ["", "v1", "1.0", "01"]) {
        assert.equal((await http("GET", "/api/groups", { "service-api-version": version })).status, 400, version);
      }
      const twice = await http("GET", "/api/groups", { "service-api-version": ["1", "1"] });
      assert.equal(twice.body.message, "Service-API-Version: must be given once");
    });
  });

  describe("Deprecation and Sunset", () => {
    it("are sent when include_tools is used with any value, at least six months apart (Spec 9.4)", async () => {
      for (const value of ["true", "false"]) {
        const { headers } = await http("GET", `/api/mcp-servers?include_tools=${value}`);
        assert.equal(headers.deprecation, "@1794700800");
        assert.equal(headers.sunset, "Tue, 01 Jun 2027 00:00:00 GMT");
        const halfAYear = 183 * 24 * 60 * 60;
        assert.ok(Date.parse(String(headers.sunset)) / 1000 - 1_794_700_800 > halfAYear);
      }
    });

    it("are not sent otherwise", async () => {
      for (const path of ["/api/mcp-servers", "/api/mcp-servers?fields=tools", "/api/groups?include_tools=true"]) {
        const { headers } = await http("GET", path);
        assert.deepEqual([headers.deprecation, headers.sunset], [undefined, undefined], path);
      }
    });
  });

  it("sends a request ID and forbids caching on every response", async () => {
    const ids = new Set<string>();
    for (const path of [
      "/api/groups",
      "/api/groups?limit=0",
      "/api/nothing",
      "/api/mcp-servers/nowhere",
      "/api/groups/%zz",
    ]) {
      const { headers } = await http("GET", path);
      assert.match(String(headers["x-request-id"]), /^req_/);
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.match(String(headers["content-type"]), /^application\/json/);
      ids.add(String(headers["x-request-id"]));
    }
    assert.equal(ids.size, 5);
  });
});
