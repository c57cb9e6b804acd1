import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exampleServer, exampleTools } from "#test/example-entries";
import { View } from "../snapshot/view.ts";
import { definitionOf, definitionsAt, foundTool } from "./definitions.ts";
import { ToolIndexes } from "./tool-indexes.ts";

const DEFINITIONS: Record<string, object> = {
  create_issue: { description: "Open a new ticket in a project" },
  listIssues: { description: "All tickets" },
  send_message: { title: "Post to chat", description: "Writes to a channel" },
  upload: { description: "Stores bytes", inputSchema: { type: "object", properties: { folder_path: {} } } },
};
const viewOf = (...slugs: string[]) =>
  new View(
    slugs.map((slug) => {
      const tools = exampleTools(slug, Object.keys(DEFINITIONS), (name) => DEFINITIONS[name] ?? {});
      return exampleServer(slug, [], { tools });
    }),
  );

async function find(view: View, query: string, limit = 3): Promise<string[]> {
  const index = await new ToolIndexes().indexOf(view);
  return definitionsAt(view, index.search(query, limit)).map((definition) => JSON.parse(foundTool(definition)).name);
}

describe("the search index of a view", () => {
  for (const [query, best] of [
    ["create issue", "a__create_issue"],
    ["list the issues", "a__listIssues"],
    ["CREATE-ISSUES", "a__create_issue"],
    ["post chat", "a__send_message"],
    ["folder", "a__upload"],
    ["crate isue", "a__create_issue"],
    ["chan", "a__send_message"],
  ] as const) {
    it(`ranks ${best} first for ${JSON.stringify(query)}`, async () => {
      assert.equal((await find(viewOf("a"), query))[0], best);
    });
  }

  it("distinguishes servers by the prefix of the name", async () => {
    assert.equal((await find(viewOf("github", "linear"), "linear create issue"))[0], "linear__create_issue");
  });

  it("finds nothing for words of no tool, and for words that say nothing", async () => {
    assert.deepEqual(await find(viewOf("a"), "quantum"), []);
    assert.deepEqual(await find(viewOf("a"), "the of !?"), []);
  });

  it("ignores terms of most tools if there are many, unless nothing else is found", async () => {
    const names = Array.from({ length: 600 }, (_, at) => `item_${at}`);
    const tools = exampleTools("a", names, () => ({ description: "Handles a widget" }));
    const view = new View([exampleServer("a", [], { tools })]);
    assert.deepEqual((await find(view, "handle widget 77", 1))[0], "a__item_77");
    assert.equal((await find(view, "widgets")).length, 3);
  });

  it("returns at most `limit` tools", async () => {
    assert.equal((await find(viewOf("a", "b", "c"), "issue", 2)).length, 2);
  });

  it("returns the server's bytes of a schema, without members for clients", () => {
    const definition = Buffer.from(
      '{"name":"a","outputSchema":{},"inputSchema":{"maximum": 9007199254740993,"é":1e2},"icons":[],"title":"T"}',
    );
    assert.equal(foundTool(definition), '{"name":"a","title":"T","inputSchema":{"maximum": 9007199254740993,"é":1e2}}');
  });

  it("describes a tool by the exact name that the view lists", () => {
    const view = viewOf("a", "b");
    assert.equal(JSON.parse(String(definitionOf(view, "b__upload"))).name, "b__upload");
    for (const name of ["upload", "b__uploa", "b__upload2", "", 'b__upload","x":"']) {
      assert.equal(definitionOf(view, name), undefined, name);
    }
  });
});

describe("ToolIndexes", () => {
  it("builds one index for views with the same listings, also if both ask while it is built", async () => {
    const indexes = new ToolIndexes();
    const view = viewOf("a", "b");
    const both = await Promise.all([indexes.indexOf(view), indexes.indexOf(new View(view.sources))]);
    assert.equal(both[0], both[1]);
    assert.equal(indexes.indexOf(view), both[0]);
    assert.equal(indexes.size, 1);
  });

  it("builds another index when a listing changes or is missing", async () => {
    const indexes = new ToolIndexes();
    const view = viewOf("a", "b");
    const [first] = view.sources;
    assert.ok(first);
    const all = await indexes.indexOf(view);
    assert.notEqual(await indexes.indexOf(new View([first])), all);
    assert.notEqual(await indexes.indexOf(viewOf("a", "b")), all);
  });

  it("keeps as many indexes as its budget allows", async () => {
    const indexes = new ToolIndexes(10_000);
    for (let round = 0; round < 20; round++) await indexes.indexOf(viewOf("a"));
    assert.ok(indexes.size > 0 && indexes.size < 20, String(indexes.size));
  });
});
