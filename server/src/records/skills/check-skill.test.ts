import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { seedFor } from "#test/seed";
import { makeZip, SKILL_MD, type TestEntry } from "#test/zip";
import { checkSkill, type NewFile } from "./check-skill.ts";
import { changedSkillMd, composeSkillMd, contentOf } from "./compose.ts";
import { Findings } from "./findings.ts";
import { readSkillArchive } from "./read-archive.ts";

const file = (path: string, content: string | Buffer, executable = false): NewFile => ({
  path,
  content: Buffer.from(content),
  executable,
});

function check(skillMd: string | Buffer, ...others: NewFile[]) {
  const findings = new Findings();
  const checked = checkSkill([file("SKILL.md", skillMd), ...others], findings);
  const texts = (list: Findings["errors"]) => list.map(({ field, message }) => `${field}: ${message}`);
  return { checked, errors: texts(findings.errors), warnings: texts(findings.warnings) };
}

const withFields = (yaml: string, content = "# Notes\n") => `---\n${yaml}\n---\n${content}`;
const REQUIRED = "name: notes\ndescription: Writes notes.";

describe("SKILL.md", () => {
  it("is read with all fields of the specification, and keeps others", () => {
    const { checked, errors, warnings } = check(
      withFields(
        `${REQUIRED}\nlicense: MIT\ncompatibility: Needs git\nmetadata:\n  author: Ada\n  version: 1.0\nallowed-tools: Read Bash(git add *)\nx-custom: [1, two]`,
      ),
    );
    assert.deepEqual(errors, []);
    assert.deepEqual(checked?.fields, {
      name: "notes",
      description: "Writes notes.",
      license: "MIT",
      compatibility: "Needs git",
      metadata: { author: "Ada", version: "1.0" },
      allowed_tools: ["Read", "Bash(git add *)"],
    });
    assert.deepEqual(checked.frontMatter["x-custom"], [1, "two"]);
    assert.deepEqual(warnings, [
      'SKILL.md: field "x-custom" is not part of Agent Skills',
      "metadata.version: should be quoted to be text",
    ]);
  });

  it("is refused without front matter, or with YAML that is dangerous or ambiguous", () => {
    const refusals: [string | Buffer, RegExp][] = [
      ["# Notes", /^SKILL.md: must start with front matter/],
      ["\ufeff---\nname: x\n---\n", /^SKILL.md: must start with front matter/],
      ["---\nname: notes\n", /^SKILL.md: must start with front matter/],
      [withFields("- a"), /must consist of fields/],
      [withFields("a: &x 1\nb: *x"), /must not contain anchors/],
      [withFields("a: !!binary aGk="), /must not contain tags/],
      [withFields("a: !custom 1"), /must not contain tags/],
      [withFields("name: a\nname: b"), /not valid YAML/],
      [withFields("? [a]\n: b"), /names of fields/],
      [withFields(`a: ${"x".repeat(17_000)}`), /at most 16 KiB/],
      [Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]), /^SKILL.md: must be valid UTF-8/],
    ];
    for (const [text, reason] of refusals) assert.match(check(text).errors[0] ?? "", reason, String(text));
  });

  it("is refused with fields that break the rules, and every one is reported", () => {
    const names = ["Notes", "-a", "a-", "a--b", "a_b", "x".repeat(65), "ä"];
    for (const name of names) {
      const { errors } = check(withFields(`name: "${name}"\ndescription: x`));
      assert.deepEqual(errors, ["name: must be 1-64 lowercase letters, digits and single hyphens"], name);
    }
    assert.deepEqual(
      check(withFields(`compatibility: ${"x".repeat(501)}\nmetadata: [a]\nallowed-tools: 3`, "\n")).errors,
      [
        "name: name is required",
        "description: description is required",
        "compatibility: must be at most 500 characters",
        "metadata: must consist of names and texts",
        "allowed_tools: must be text",
        "content: content is required",
      ],
    );
    assert.deepEqual(check(withFields(`name: a\ndescription: ${"x".repeat(1_025)}`)).errors, [
      "description: must be at most 1024 characters",
    ]);
    assert.deepEqual(check(withFields(`${REQUIRED}\nmetadata:\n  io.modelcontextprotocol/x: "1"`)).errors, [
      "metadata.io.modelcontextprotocol/x: is reserved",
    ]);
  });

  it("causes warnings for many lines, broken links, and scripts that are not executable", () => {
    const content = `${"line\n".repeat(501)}[there](a.md) [gone](b/c.md#x) \`[code](d.md)\` [web](https://x.example)\n`;
    const { warnings, errors } = check(
      withFields(REQUIRED, content),
      file("a.md", "a"),
      file("scripts/run", "#!/bin/sh\n"),
    );
    assert.deepEqual(errors, []);
    assert.equal(warnings.length, 3, warnings.join("\n"));
    assert.match(warnings.join("\n"), /has 503 lines.*scripts\/run: is a script.*links to b\/c.md#x/s);
  });

  it("written from fields means the same fields again", (t) => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((value) => value.trim() !== "");
    const fields = fc.record({
      name: fc.constant("notes"),
      description: text,
      license: fc.option(text, { nil: null }),
      compatibility: fc.option(text, { nil: null }),
      metadata: fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.string({ maxLength: 20 }), { maxKeys: 4 }),
      allowed_tools: fc.array(fc.stringMatching(/^[A-Za-z]{1,8}(?:\([a-z *]{1,5}\))?$/), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fields, text, (given, content) => {
        const { checked, errors } = check(composeSkillMd(given, content));
        assert.deepEqual(errors, []);
        // A dictionary without a prototype is equal to one with it here.
        assert.deepEqual(JSON.parse(JSON.stringify(checked?.fields)), JSON.parse(JSON.stringify(given)));
      }),
      { seed: seedFor(t) },
    );
  });

  it("keeps its bytes if nothing changes, and unknown fields if something does", () => {
    const stored = withFields(`${REQUIRED} # comment\nx-custom: 1`, "\nText\n");
    const fields = check(stored).checked?.fields;
    assert.ok(fields);
    assert.equal(changedSkillMd(stored, fields, { description: "Writes notes.", content: "Text\n" }), undefined);
    const changed = changedSkillMd(stored, fields, { description: "New" }) ?? "";
    assert.equal(changed, "---\nname: notes\ndescription: New\nx-custom: 1\n---\n\nText\n");
    assert.equal(contentOf(changed), "Text\n");
  });
});

describe("files of a skill", () => {
  it("are refused with unsafe paths", () => {
    const unsafe = [
      "../a",
      "a/../b",
      "/a",
      "a//b",
      "a\\b",
      "C:a",
      "a\0b",
      "a/",
      "",
      ".",
      "a./b",
      "a /b",
      "a\nb",
      "x".repeat(513),
    ];
    for (const path of unsafe) {
      const { errors } = check(SKILL_MD, file(path, "x"));
      assert.equal(errors.length, 1, `${JSON.stringify(path)}: ${errors.join(", ")}`);
    }
  });

  it("are refused if some file systems cannot distinguish their paths", () => {
    const pairs = [
      ["a.md", "A.md"],
      ["caf\u00e9.md", "cafe\u0301.md"],
      ["a", "a/b"],
      ["skill.MD", "b"],
    ];
    for (const [one = "", other = ""] of pairs) {
      const { errors } = check(SKILL_MD, file(one, "x"), file(other, "y"));
      assert.match(errors.join(), /duplicate path|is a file and a folder/, `${one} ${other}`);
    }
  });

  it("have a digest of all paths and contents", () => {
    const one = check(SKILL_MD, file("a", "1"), file("b", "2")).checked;
    const other = check(SKILL_MD, file("b", "2"), file("a", "1")).checked;
    assert.match(one?.digest ?? "", /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(other?.digest, one?.digest);
    assert.notEqual(check(SKILL_MD, file("a", "1"), file("c", "2")).checked?.digest, one?.digest);
  });
});

describe("archives of skills", () => {
  const read = async (entries: readonly TestEntry[]) => {
    const findings = new Findings();
    const archived = await readSkillArchive(makeZip(entries), findings);
    return { archived, errors: findings.errors.map(({ field, message }) => `${field}: ${message}`), findings };
  };

  it("have SKILL.md at the top or in their only folder", async () => {
    const top = await read([
      { path: "SKILL.md", content: SKILL_MD },
      { path: "a/b", content: "x" },
    ]);
    assert.deepEqual(
      [top.archived?.folder, top.archived?.files.map(({ path }) => path)],
      [undefined, ["SKILL.md", "a/b"]],
    );
    const folder = await read([
      { path: "notes/", mode: 0o040755 },
      { path: "notes/SKILL.md", content: SKILL_MD },
      { path: "__MACOSX/notes/._SKILL.md", content: "x" },
      { path: "notes/.DS_Store", content: "x" },
    ]);
    assert.deepEqual(
      [folder.archived?.folder, folder.archived?.files.map(({ path }) => path), folder.findings.warnings.length],
      ["notes", ["SKILL.md"], 1],
    );
    for (const paths of [["a/SKILL.md", "b/x"], ["a/b/SKILL.md"], ["x"], []]) {
      const { errors } = await read(paths.map((path) => ({ path, content: SKILL_MD })));
      assert.deepEqual(errors, ["archive: must contain SKILL.md at the top or in its only folder"]);
    }
  });

  it("are refused with paths that leave the folder", async () => {
    for (const path of ["../evil", "a/../../evil", "/etc/evil", "..\\evil"]) {
      const { errors } = await read([
        { path: "SKILL.md", content: SKILL_MD },
        { path, content: "x" },
      ]);
      assert.match(errors[0] ?? "", /^archive: contains an unsafe path/, path);
    }
  });
});
