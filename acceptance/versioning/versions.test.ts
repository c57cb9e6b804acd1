import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CONTRACT_OPERATIONS } from "../kit/contract.ts";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("versions", (api) => {
  const version = (value: string | string[]) => ({ "service-api-version": value });

  describe("Service-API-Version", () => {
    it("is optional, and 1 by default [S4.0-version S9.1-version S9.2-default]", async () => {
      const name = await api.group();
      const path = `/api/groups?search=${name}`;
      const without = await api.body(200, "GET", path);
      assert.deepEqual(await api.body(200, "GET", path, undefined, version("1")), without);
    });

    it("every operation accepts it and rejects unsupported versions [S9.2-every-operation S9.7-unsupported API-11]", async () => {
      const { operations } = await api.document();
      for (const { method, path } of operations) {
        const answer = await api.call(method, path.replace(/\{\w+\}/g, "x"), undefined, version("2"));
        const message = 'Service-API-Version: unsupported version "2", supported: 1';
        // Operations for signed-in people reject a token before all other checks.
        if (answer.body.error === "Insufficient permissions: requires a web session") continue;
        assert.deepEqual([answer.status, answer.body], [400, { code: "INVALID_FORMAT", message }], `${method} ${path}`);
      }
      for (const value of ["", "v1", "1.0", "01"]) {
        assert.equal((await api.call("GET", "/api/groups", undefined, version(value))).status, 400, value);
      }
      const twice = await api.call("GET", "/api/groups", undefined, version(["1", "1"]));
      assert.equal(twice.body.message, "Service-API-Version: must be given once");
    });
  });

  describe("the API document", () => {
    it("is OpenAPI 3.0.3, version 1.0.0, and public [S1-admin-api]", async () => {
      const answer = await api.send("/openapi.json");
      assert.equal(answer.status, 200);
      assert.deepEqual([answer.body.openapi, answer.body.info.version], ["3.0.3", "1.0.0"]);
    });

    it("has every operation of the contract with the same name and the version header [S4-operations S9.2-every-operation]", async () => {
      const { operations } = await api.document();
      for (const { id, method, path } of CONTRACT_OPERATIONS) {
        const operation = operations.find((each) => each.operationId === id);
        assert.deepEqual([operation?.method, operation?.path], [method, path], id);
      }
      for (const { operationId, parameters } of operations) {
        const header = parameters.find(({ name }) => name === "Service-API-Version");
        assert.deepEqual([header?.in, header?.required], ["header", false], operationId);
      }
    });

    it("marks deprecated parameters [S9.4-flag S9.5-include-tools S4.1-list-include-tools]", async () => {
      const document = await api.document();
      const parameters = document.find("GET", "/api/mcp-servers")?.parameters ?? [];
      assert.deepEqual(
        parameters.filter(({ deprecated }) => deprecated).map(({ name }) => name),
        ["include_tools"],
      );
    });
  });

  describe("deprecation", () => {
    it("responses have the start and the end of a deprecation, at least six months apart [S9.4-headers S9.4-six-months S8-deprecation S9.5-include-tools API-11]", async () => {
      for (const value of ["true", "false"]) {
        const { status, headers } = await api.call("GET", `/api/mcp-servers?limit=1&include_tools=${value}`);
        assert.equal(status, 200);
        const since = /^@(\d+)$/.exec(String(headers.deprecation))?.[1];
        assert.ok(since, String(headers.deprecation));
        // Six months of the calendar, from February to August as well as from August to February.
        const earliest = new Date(Number(since) * 1000);
        earliest.setUTCMonth(earliest.getUTCMonth() + 6);
        const until = Date.parse(String(headers.sunset));
        assert.ok(until >= earliest.getTime(), `${headers.deprecation} ${headers.sunset}`);
      }
    });

    it("other responses have no deprecation headers [S9.4-headers]", async () => {
      for (const path of ["/api/mcp-servers?limit=1", "/api/mcp-servers?limit=1&fields=tools", "/api/groups?limit=1"]) {
        const { headers } = await api.call("GET", path);
        assert.deepEqual([headers.deprecation, headers.sunset], [undefined, undefined], path);
      }
    });
  });
});
