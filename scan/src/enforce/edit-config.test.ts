import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { configuration } from "../../test/configurations.ts";
import { parseConfig } from "../discover/parse-config.ts";
import { CannotEdit, insertEntry, removeEntries, snippetOf, valueAt } from "./edit-config.ts";
import { diffLines } from "./line-diff.ts";

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

  it("removes lines that become empty, and no others", () => {
    const without = (text: string) => removeEntries(text, "json", [["a"]]);
    for (const [text, expected] of [
      ['{\n\t"a": {},\n\t"b": {}\n}\n', '{\n\t"b": {}\n}\n'],
      ['{\n"a": {},\n"b": {}\n}\n', '{\n"b": {}\n}\n'],
      ['{\n  "a": {}, \t\r\n  "b": {}\r\n}', '{\n  "b": {}\r\n}'],
      ['{"a": {}\n}', "{\n}"],
      ['{ "a": {} }', "{  }"],
      ['{\n  "a": {}, "b": {}\n}', '{\n   "b": {}\n}'],
      ['{\n  "a": 1,\n}', "{\n}"],
    ])
      assert.equal(without(String(text)), expected);
  });

  it("refuses entries that are not there", () => {
    for (const text of ["", "{", '{"mcpServers"', '{"mcpServers":{}}', '{"mcpServers":[["evil",{}]]}', "[]"])
      assert.throws(() => removeEntries(text, "json", [["mcpServers", "evil"]]), /form that cannot be removed/, text);
    assert.throws(() => removeEntries('{"mcpServers":[{}]}', "json", [["mcpServers", 0]]), CannotEdit);
  });

  it("removes an entry whose parent occurs again without it", () => {
    for (const [again, pointer] of [
      ["{}", ["projects", "/x", "mcpServers", "evil"]],
      ["null", ["projects", "/x", "mcpServers", "evil"]],
      ['{"/x":1}', ["projects", "/x", "mcpServers", "evil"]],
    ] as const) {
      const text = (servers: string) => `{"projects":{"/x":{"mcpServers":{${servers}}}},"projects":${again}}`;
      assert.equal(removeEntries(text('"evil":{}'), "json", [pointer]), text(""));
    }
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
    const spaces = insertEntry('{\n  "a": {} //\tx\n}\n', "json", ["b"], { c: 1 }, "");
    assert.equal(spaces, '{\n  "a": {},\n  "b": {\n    "c": 1\n  } //\tx\n}\n');
    for (const blank of ["", " \n", "{}"])
      assert.deepEqual(parseConfig(insertEntry(blank, "json", ["b"], { c: 1 }, ""), "json"), { b: { c: 1 } });
    for (const text of ["", "a = 1\n"])
      assert.equal(insertEntry(text, "toml", ["b"], undefined, "[b]\nc = 1\n"), `${text}[b]\nc = 1\n`);
    assert.equal(insertEntry("a = 1", "toml", ["b"], undefined, "[b]\nc = 1\n"), "a = 1\n[b]\nc = 1\n");
    assert.throws(() => insertEntry("", "toml", ["b"], undefined, "[other]\n"), /cannot be added/);
  });

  it("gets numbers and comments of an entry back as they were written", () => {
    const value = '{ "id": 12345678901234567890, /* two */ "ratio": 1.10 }';
    const text = `{"mcpServers":{"evil":1,"evil":${value}}}`;
    const snippet = snippetOf(text, "json", ["mcpServers", "evil"]);
    assert.equal(snippet, value);
    const stored = valueAt(parseConfig(text, "json"), ["mcpServers", "evil"]);
    const output = insertEntry('{"mcpServers":{}, "entry": "$&"}\n', "json", ["mcpServers", "evil"], stored, snippet);
    assert.ok(output.includes(value) && output.includes('"entry": "$&"'), output);
    const named = insertEntry("{}", "json", ["mcpServers", "entry"], stored, snippet);
    assert.ok(named.includes(`"entry": ${value}`), named);
    const damaged = insertEntry("{}", "json", ["a"], { b: 1 }, '{"b":2}');
    assert.deepEqual(parseConfig(damaged, "json"), { a: { b: 1 } });
  });

  it("has a text to put back only if it has the entry and is not YAML", () => {
    assert.deepEqual(
      [snippetOf('{"a":\n["a"]\n}', "json", ["a"]), snippetOf("{}", "json", ["a"]), snippetOf("a: 1", "yaml", ["a"])],
      ['["a"]', "", ""],
    );
    assert.deepEqual(
      [snippetOf("[b]\n", "toml", ["a"]), snippetOf("[a]\nb = 1\n", "toml", ["a"])],
      ["", "[a]\nb = 1\n"],
    );
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
  it("finds tables in files with CRLF and with a byte order mark, and keeps both", () => {
    const text = '\ufeff[mcp_servers.evil]\r\ncommand = "x"\r\n\r\n# next\r\n[mcp_servers.good]\r\ncommand = "g"\r\n';
    const output = removeEntries(text, "toml", [["mcp_servers", "evil"]]);
    assert.equal(output, '\ufeff\r\n# next\r\n[mcp_servers.good]\r\ncommand = "g"\r\n');
    const snippet = snippetOf(text, "toml", ["mcp_servers", "evil"]);
    assert.equal(
      insertEntry("a = 1\r\nb = 2", "toml", ["mcp_servers", "evil"], {}, snippet),
      `a = 1\r\nb = 2\r\n${snippet}`,
    );
  });

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
      assert.throws(() => removeEntries(text, "toml", [["mcp_servers", "evil"]]), /form that cannot be removed/);
    }
  });

  it("refuses an entry of which a part is written in another form", () => {
    const text = '[mcp_servers]\nevil.command = "x"\n\n[mcp_servers.evil.env]\nA = "b"\n';
    assert.throws(
      () => removeEntries(text, "toml", [["mcp_servers", "evil"]]),
      (error) => {
        return error instanceof CannotEdit && /would change other parts/.test(error.message);
      },
    );
  });

  const EVIL = '[mcp_servers.evil]\ncommand = "x"\n';
  for (const before of [
    "a = [\n[1, 2],\n]\n",
    `a = "x'''"\n`,
    `a = "\\"'''"\n`,
    `a = "'''\\""\n`,
    `a = '"""'\n`,
    `a = 'x"""'\n`,
    '# """\n',
    'a = """"""\n',
    `a = ["x", """\n${EVIL}"""]\n`,
    `a = ["", """\n${EVIL}"""]\n`,
    `a = ['', '''\n${EVIL}''']\n`,
    `a = """""\n${EVIL}"""\n`,
    "a = '''\\'''\n",
    `a = '''x'''#"""\n`,
    `a = ['''x''', '"""']\n`,
    "b = 1979-05-27\n",
    "[[other]]\n[[other]]\n",
  ]) {
    it(`finds the table after ${JSON.stringify(before)}`, () => {
      assert.equal(removeEntries(before + EVIL, "toml", [["mcp_servers", "evil"]]), before);
    });
  }

  it("removes an indented table, and keeps an empty comment before the next one", () => {
    const text = '  [mcp_servers.evil]\n  command = "x"\n#\n\n[other]\na = 1\n';
    assert.equal(removeEntries(text, "toml", [["mcp_servers", "evil"]]), "#\n\n[other]\na = 1\n");
  });

  it("removes all tables of a list", () => {
    const text = "[[mcp_servers.evil]]\na = 1\n[[mcp_servers.evil]]\na = 2\n";
    assert.equal(removeEntries(text, "toml", [["mcp_servers", "evil"]]), "");
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
        fc.infiniteStream(fc.boolean()),
        fc.constantFrom("lf", "crlf", "mixed"),
        (tables, pick, choice, ends) => {
          const parts = tables.map(
            ({ key: each, body: text, env, before }) =>
              `${before}[mcp_servers.${each}]\n${text}${env ? `[mcp_servers.${each}.env]\nK = "v"\n` : ""}`,
          );
          const hasReturn = () => ends === "crlf" || (ends === "mixed" && choice.next().value);
          const text = `model = "x"\n${parts.join("")}`.replace(/\n/g, () => (hasReturn() ? "\r\n" : "\n"));
          const chosen = (tables[pick % tables.length]?.key ?? "").replaceAll('"', "");
          const output = removeEntries(text, "toml", [["mcp_servers", chosen]]);
          assert.equal(valueAt(parseConfig(output, "toml"), ["mcp_servers", chosen]), undefined);
          assert.equal(output.match(/# note/g)?.length ?? 0, text.match(/# note/g)?.length ?? 0);
          const snippet = snippetOf(text, "toml", ["mcp_servers", chosen]);
          for (const line of output.split("\n")) assert.ok(text.split("\n").includes(line), JSON.stringify(line));
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
