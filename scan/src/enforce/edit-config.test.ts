import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { configuration } from "../../test/configurations.ts";
import { parseConfig } from "../discover/parse-config.ts";
import { CannotEdit, insertEntry, removeEntries, snippetOf, valueAt } from "./edit-config.ts";
import { diffLines } from "./line-diff.ts";
import { maskLine } from "./mask.ts";

const comments = (text: string) => text.match(/\/\* note \*\/|\/\/ to the end/g)?.length ?? 0;

describe("removing entries from JSON", () => {
  it("removes exactly them and keeps comments outside of them", () => {
    fc.assert(
      fc.property(configuration, fc.infiniteStream(fc.boolean()), ({ text, keys }, choice) => {
        const chosen = keys.filter(() => choice.next().value);
        const output = removeEntries(
          text,
          "json",
          chosen.map((key) => ["mcpServers", key]),
        );
        const before = parseConfig(text, "json") as { mcpServers: Record<string, unknown> };
        const expected = Object.fromEntries(Object.entries(before.mcpServers).filter(([key]) => !chosen.includes(key)));
        assert.deepEqual(parseConfig(output, "json"), { other: 1, mcpServers: expected });
        // Between a key and its value, comments are part of the entry.
        if (chosen.length === 0) assert.equal(output, text);
        else assert.ok(comments(output) >= comments(text) - 2 * chosen.length);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps every line that does not belong to the entry", () => {
    const text =
      '{\n  // clients\n  "mcpServers": {\n    // first\n    "evil": { "command": "x" }, // why\n    // second\n    "good": { "command": "y" } // last\n  }\n}\n';
    const expected =
      '{\n  // clients\n  "mcpServers": {\n    // first\n     // why\n    // second\n    "good": { "command": "y" } // last\n  }\n}\n';
    assert.equal(removeEntries(text, "json", [["mcpServers", "evil"]]), expected);
    const last = removeEntries(text, "json", [["mcpServers", "good"]]);
    assert.equal(last, text.replace("},", "}").replace('    "good": { "command": "y" } // last', "     // last"));
  });

  it("removes all entries with the same key, because clients differ in which they use", () => {
    const text =
      '{"mcpServers":{"evil":{"command":"a"},"evil":{"command":"b"}},"mcpServers":{"evil":{"command":"c"},"good":{}}}';
    const output = removeEntries(text, "json", [["mcpServers", "evil"]]);
    assert.ok(!output.includes("evil"));
    assert.deepEqual(parseConfig(output, "json"), { mcpServers: { good: {} } });
  });

  it("inserts an entry into a file that changed", () => {
    const text = '{\n  // kept\n  "mcpServers": {\n    "new": {}\n  }\n}\n';
    const output = insertEntry(text, "json", ["mcpServers", "evil"], { command: "x" }, "");
    assert.ok(output.includes("// kept"));
    assert.deepEqual(parseConfig(output, "json"), { mcpServers: { new: {}, evil: { command: "x" } } });
  });
});

describe("a file in an unusual form", () => {
  it("keeps its byte order mark, and is refused if it is YAML", () => {
    const text = '\ufeff{"mcpServers":{"evil":{},"good":{}}}';
    assert.equal(removeEntries(text, "json", [["mcpServers", "evil"]]), '\ufeff{"mcpServers":{"good":{}}}');
    assert.throws(() => removeEntries("evil: 1\n", "yaml", [["evil"]]), /YAML files are not edited/);
    assert.throws(() => insertEntry("", "yaml", ["evil"], {}, ""), /YAML files are not edited/);
  });

  it("gets an entry back with its line ends and tabs, or after a line without an end", () => {
    const tabs = insertEntry('{\r\n\t"a": {}\r\n}\r\n', "json", ["b"], { c: 1 }, "");
    assert.ok(tabs.includes('\r\n\t"b": {\r\n\t\t"c": 1') && !/[^\r]\n/.test(tabs), JSON.stringify(tabs));
    assert.equal(insertEntry("a = 1", "toml", ["b"], undefined, "[b]\nc = 1\n"), "a = 1\n[b]\nc = 1\n");
    assert.throws(() => insertEntry("", "toml", ["b"], undefined, "[other]\n"), /cannot be added/);
  });

  it("has no value at a key that every object inherits", () => {
    assert.equal(valueAt({}, ["constructor"]), undefined);
  });

  it("can contain an escaped delimiter in a TOML string of several lines", () => {
    const text = '[x]\ntext = """\n\\"""\n[mcp_servers.evil]\n"""\n\n[mcp_servers.evil]\ncommand = "y"\n';
    const output = removeEntries(text, "toml", [["mcp_servers", "evil"]]);
    assert.equal(output, text.replace('[mcp_servers.evil]\ncommand = "y"\n', ""));
  });
});

describe("removing tables from TOML", () => {
  const TOML = `# settings
model = "gpt"
text = """
[mcp_servers.evil]
"""

[mcp_servers.evil] # blocked
command = "npx"
args = [
  "x",
]

[mcp_servers.evil.env]
TOKEN = "[mcp_servers.good]"

# about good
[mcp_servers.good]
command = "uvx"

[mcp_servers."evil.too"]
command = "y"
`;

  it("removes the table and its parts, and keeps comments of the next one", () => {
    const output = removeEntries(TOML, "toml", [["mcp_servers", "evil"]]);
    assert.deepEqual(
      diffLines(TOML, output).map(({ line }) => line),
      [7, 8, 9, 10, 11, 13, 14],
    );
    assert.ok(output.includes("# about good\n[mcp_servers.good]"));
  });

  it("refuses entries in another form", () => {
    for (const text of [
      'mcp_servers = { evil = { command = "x" } }\n',
      '[mcp_servers]\nevil = { command = "x" }\n',
      'mcp_servers.evil.command = "x"\n',
    ]) {
      assert.throws(() => removeEntries(text, "toml", [["mcp_servers", "evil"]]), CannotEdit);
    }
  });

  it("removes exactly the chosen tables of generated files", () => {
    const key = fc.constantFrom("evil", "good", "third", '"a.b"', '"x y"');
    const body = fc.constantFrom(
      'command = "npx"\n',
      'url = "https://x"\nargs = ["[a]", "b"]\n',
      "text = '''\n[mcp_servers.evil]\n'''\n",
      "# only a comment\nenabled = true\n",
    );
    const table = fc.record({
      key,
      body,
      env: fc.boolean(),
      before: fc.constantFrom("", "\n", "# note\n", "\n# note\n\n"),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(table, { minLength: 1, maxLength: 5, selector: (each) => each.key }),
        fc.nat(),
        (tables, pick) => {
          const parts = tables.map(
            ({ key: each, body: text, env, before }) =>
              `${before}[mcp_servers.${each}]\n${text}${env ? `[mcp_servers.${each}.env]\nK = "v"\n` : ""}`,
          );
          const text = `model = "x"\n${parts.join("")}`;
          const chosen = (tables[pick % tables.length]?.key ?? "").replaceAll('"', "");
          const output = removeEntries(text, "toml", [["mcp_servers", chosen]]);
          assert.equal(valueAt(parseConfig(output, "toml"), ["mcp_servers", chosen]), undefined);
          assert.equal(output.match(/# note/g)?.length ?? 0, text.match(/# note/g)?.length ?? 0);
          const snippet = snippetOf(text, "toml", ["mcp_servers", chosen]);
          const again = insertEntry(output, "toml", ["mcp_servers", chosen], undefined, snippet);
          assert.deepEqual(
            valueAt(parseConfig(again, "toml"), ["mcp_servers", chosen]),
            valueAt(parseConfig(text, "toml"), ["mcp_servers", chosen]),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("the preview of a change", () => {
  it("shows changed lines with both signs", () => {
    const text = '{"mcpServers": {\n  "good": {},\n  "evil": {}\n}}\n';
    const output = removeEntries(text, "json", [["mcpServers", "evil"]]);
    assert.deepEqual(
      diffLines(text, output).map(({ sign, line, text: shown }) => `${line}${sign}${shown}`),
      ['2-  "good": {},', '3-  "evil": {}', '4+  "good": {}'],
    );
  });

  it("turns one text into the other", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (old, fresh) => {
        const changes = diffLines(old.join("\n"), fresh.join("\n"));
        const count = (sign: string) => changes.filter((change) => change.sign === sign).length;
        assert.equal(Math.max(1, old.length) - count("-") + count("+"), Math.max(1, fresh.length));
        if (old.join() === fresh.join()) assert.deepEqual(changes, []);
      }),
    );
  });

  it("masks every string that is no key and not part of the report", () => {
    const reported = new Set(["npx", "-y", "https://a.example/mcp"]);
    const masked = (line: string) => maskLine(line, reported);
    assert.equal(
      masked('  "e": {"command":"npx","args":["-y", "hunter2"],'),
      '  "e": {"command":"npx","args":["-y", "[REDACTED]"],',
    );
    assert.equal(masked('"url": "https://u:p@a.example/mcp?key=1"'), '"url": "https://a.example/mcp"');
    assert.equal(
      masked('"headers": { "Authorization": "Bearer x" },'),
      '"headers": { "Authorization": "[REDACTED]" },',
    );
    assert.equal(masked("args = ['hunter2', \"x\"]"), 'args = ["[REDACTED]", "[REDACTED]"]');
    assert.equal(masked('[mcp_servers."evil.too"]'), '[mcp_servers."evil.too"]');
    assert.equal(masked('["hunter2"]'), '["[REDACTED]"]');
    assert.equal(masked('"type": "streamable-http"'), '"type": "streamable-http"');
    assert.equal(masked("x // sk-ant-api03-aaaaBBBBccccDDDDeeeeFFFF0123"), "x // [REDACTED]");
  });
});
