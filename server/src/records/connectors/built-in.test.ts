import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TEST_CONNECTORS } from "#test/registry";
import { readBuiltInConnectors, readConnector } from "./built-in.ts";

const GOOD = { name: "Files", description: "Keeps files." };

describe("the file of a built-in connector", () => {
  it("has few required fields and defaults for the others", () => {
    assert.deepEqual(readConnector("files.json", JSON.stringify(GOOD)), {
      id: "files",
      ...GOOD,
      status: "active",
      transport: "both",
      authTypes: [],
      tools: [],
    });
  });

  for (const [file, content, message] of [
    ["Files.json", GOOD, /^connector Files\.json: the file name is not a slug$/],
    [`${"a".repeat(41)}.json`, GOOD, /the file name is not a slug/],
    ["a.json", "{", /^connector a\.json: Invalid input/],
    ["a.json", { description: "x" }, /^connector a\.json: name: Invalid input/],
    ["a.json", { ...GOOD, color: "red" }, /^connector a\.json: Unrecognized key: "color"/],
    ["a.json", { ...GOOD, description: "two\nlines" }, /^connector a\.json: description: must be one line of text$/],
    ["a.json", { ...GOOD, url: "javascript:1" }, /^connector a\.json: url: must be a valid http or https URL$/],
    ["a.json", { ...GOOD, status: "draft" }, /^connector a\.json: status: /],
    ["a.json", { ...GOOD, authTypes: ["oauth"] }, /^connector a\.json: authTypes: 0: /],
    [
      "a.json",
      { ...GOOD, headerName: "Host" },
      /^connector a\.json: headerName: must be a header name that may be set$/,
    ],
    ["a.json", { ...GOOD, tools: [{ name: "x" }] }, /^connector a\.json: tools: 0: description: /],
  ] as const) {
    it(`is rejected with its name: ${message}`, () => {
      const text = typeof content === "string" ? content : JSON.stringify(content);
      assert.throws(() => readConnector(file, text), { message });
    });
  }
});

describe("built-in connectors", () => {
  it("are read from their folder, sorted by name regardless of case", async () => {
    const connectors = await readBuiltInConnectors(TEST_CONNECTORS);
    const all = connectors.select({ source: undefined, status: undefined, category: undefined, search: undefined });
    assert.deepEqual(
      all.map(({ id }) => id),
      ["files", "issues", "later", "wiki"],
    );
    assert.equal(connectors.find("wiki")?.name, "Wiki");
    assert.equal(connectors.find("toString"), undefined);
    assert.equal(connectors.endpointKeys.length, 2);
  });

  it("are part of the release: a missing folder fails the start", async () => {
    await assert.rejects(readBuiltInConnectors(new URL("nowhere/", TEST_CONNECTORS)), /ENOENT/);
  });
});
