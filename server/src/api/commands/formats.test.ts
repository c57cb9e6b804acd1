import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkFields } from "#api/kit/read-body";
import {
  argumentOf,
  type CommandForm,
  definitionOf,
  exportClaude,
  exportCursor,
  exportGemini,
  importGemini,
  importMarkdown,
} from "#records/commands";
import { CreateCommandBody } from "./bodies.ts";

const FORM: CommandForm = {
  ...{ slug: "notes", name: "Notes", description: null, content: "Write notes for {{version}}.\n", arguments: null },
  ...{ argument_hint: null, allowed_tools: [], model: null, disable_model_invocation: false, skills: [] },
  include_skills: false,
};

/** With the values that follow from the content. */
function complete(form: CommandForm) {
  const { description, arguments: declared, argument_hint } = definitionOf(form);
  return { ...form, description, arguments: declared, argument_hint };
}

function imported(file: string, slug?: string, read = importMarkdown) {
  const given = checkFields(CreateCommandBody, read(file, slug));
  const form: CommandForm = {
    ...{ ...FORM, slug: given.slug ?? "", name: given.name, content: given.content },
    ...{ description: given.description ?? null, arguments: given.arguments?.map(argumentOf) ?? null },
    ...{ argument_hint: given.argument_hint ?? null, allowed_tools: given.allowed_tools ?? [] },
    ...{ model: given.model ?? null, disable_model_invocation: given.disable_model_invocation ?? false },
    ...{ skills: given.skills ?? [], include_skills: given.include_skills ?? false },
  };
  return complete(form);
}

describe("formats of commands", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 }).filter((value) => !value.includes("\0"));
  const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z]$/);
  const named = text.filter((value) => value.trim() !== "");
  const piece = fc.oneof(
    text,
    fc.constantFrom("{{a}}", "{{ b_1 }}", "\\{{a}}", "$1", "$2", "$$", "$ARGUMENTS", "---\n", "\n", "\r\n", "$", "0"),
  );
  const content = fc
    .array(piece, { minLength: 1, maxLength: 12 })
    .map((pieces) => pieces.join(""))
    .filter((value) => value.trim() !== "" && !value.startsWith("---") && !value.startsWith("\uFEFF"))
    .filter((value) => !/\{\{(?!\s*(?:a|b_1)\s*\}\})[^{}\n]*\}\}/.test(value.replaceAll("\\{{", "")));
  const argument = (name: string) =>
    fc.record({ description: text, required: fc.boolean(), default: fc.option(text) }).map((rest) => {
      return { name, ...rest, enum: null };
    });
  const form: fc.Arbitrary<CommandForm> = fc.record({
    ...{ slug: word, name: named, description: fc.option(named), content, argument_hint: fc.option(named) },
    arguments: fc.option(fc.tuple(argument("a"), argument("b_1")).map((made) => [...made])),
    ...{ allowed_tools: fc.uniqueArray(named), model: fc.option(named), disable_model_invocation: fc.boolean() },
    ...{ skills: fc.uniqueArray(word), include_skills: fc.boolean() },
  });

  it("import an exported file of Claude Code as the same command", () => {
    fc.assert(
      fc.property(form, (command) => {
        assert.deepEqual(imported(exportClaude(command)), complete(command));
      }),
    );
  });

  it("import an exported file of Gemini CLI as the same command", () => {
    fc.assert(
      fc.property(form, (command) => {
        assert.deepEqual(imported(exportGemini(command), undefined, importGemini), complete(command));
      }),
    );
  });

  it("import the changed prompt of an exported file", () => {
    const file = exportGemini({ ...FORM, content: "Compare {{a}} with {{b}}." });
    assert.deepEqual(imported(file, undefined, importGemini).content, "Compare {{a}} with {{b}}.");
    const changed = imported(file.replace('"""\nCompare', '"""\nExplain'), undefined, importGemini);
    assert.deepEqual([changed.content, changed.slug], ["Explain \\{{a}} with \\{{b}}.", "notes"]);
  });

  it("read files of Gemini CLI as people write them", () => {
    const toml = `# Invoked with: /fix
description = "Fixes an issue"
prompt = """
Fix {{args}} for $5 with {{braces}}.
"""
`;
    const command = imported(toml, "fix", importGemini);
    assert.deepEqual(
      [command.slug, command.name, command.description, command.content],
      ["fix", "fix", "Fixes an issue", "Fix $ARGUMENTS for $$5 with \\{{braces}}.\n"],
    );
    for (const [text, message] of [
      ['prompt = "x', /toml: must be valid TOML: line 1, column \d+/],
      ["prompt = 5", /toml: prompt must be a string/],
      ['description = "x"', /toml: prompt must be a string/],
      ['prompt = "x"\n[__proto__]\na = 1', /toml: must be valid TOML/],
      [`prompt = "x"\na = ${"[".repeat(100)}${"]".repeat(100)}`, /toml: must be valid TOML/],
      ['prompt = "x"\ndescription = 2026-01-01', /description: must be a string/],
      ['prompt = ""', /content: content is required/],
      ['prompt = "x"\n[gatehouse]\narguments = 5', /arguments: must be an array/],
    ] as const)
      assert.throws(() => imported(text, undefined, importGemini), { message });
  });

  it("import an exported file of Cursor with the same content", () => {
    fc.assert(
      fc.property(content, (template) => {
        assert.equal(imported(exportCursor({ ...FORM, content: template })).content, template);
      }),
    );
  });

  it("write placeholders as positions for Claude Code, if they can be read back", () => {
    assert.equal(
      exportClaude({ ...FORM, argument_hint: "[v]", allowed_tools: ["Bash(git *)"] }),
      '---\ndescription: Write notes for {{version}}.\nargument-hint: "[v]"\nallowed-tools:\n  - Bash(git *)\ngatehouse:\n  slug: notes\n  name: Notes\n  named:\n    - version\n---\n\nWrite notes for $1.\n',
    );
    assert.match(exportClaude({ ...FORM, content: "{{a}} and $1" }), /\n\n\{\{a\}\} and \$1$/);
  });

  it("read files as people write them", () => {
    const markdown =
      "---\ndescription: Fix an issue\nargument-hint: [issue] [priority]\nallowed-tools: Bash(git add:*), Read\nmodel: opus\n---\nFix #$1 with priority $2.\n";
    const command = imported(markdown, "fix-issue");
    assert.deepEqual(
      [command.slug, command.name, command.description, command.argument_hint, command.allowed_tools, command.model],
      ["fix-issue", "fix-issue", "Fix an issue", "[issue] [priority]", ["Bash(git add:*)", "Read"], "opus"],
    );
    assert.deepEqual(
      [command.content, command.arguments.map(({ name }) => name)],
      ["Fix #$1 with priority $2.\n", ["arg1", "arg2"]],
    );
    assert.equal(imported("# Review code\n\nReview it.").name, "Review code");
  });

  it("refuse front matter that cannot be read", () => {
    for (const [markdown, message] of [
      ["---\na: b\n", /markdown: front matter must end with a line of ---/],
      ["---\na: &x 1\nb: *x\n---\nText", /markdown: front matter must not contain/],
      ["---\ndescription: [1]\n---\nText", /description: must be a string/],
      ["---\ngatehouse:\n  arguments: 5\n---\nText", /arguments: must be an array/],
      ["---\ndescription: x\n---\n", /content: content is required/],
    ] as const)
      assert.throws(() => imported(markdown), { message });
  });

  it("write TOML for Gemini CLI with one placeholder", () => {
    const own = '\n[gatehouse]\nslug = "notes"\nname = "Notes"\ncontent = "Say \\"{{version}}\\"\\\\ \\"\\"\\""\n';
    assert.equal(
      exportGemini({ ...FORM, content: 'Say "{{version}}"\\ """' }),
      'description = "Say \\"{{version}}\\"\\\\ \\"\\"\\""\nprompt = """\nSay "{{args}}"\\\\ \\"\\"\\""""\n'.concat(own),
    );
    const several = { ...FORM, content: "{{a}}\u0007 {{b}} $ARGUMENTS $$5 \\{{x}}\r\n" };
    assert.match(
      exportGemini(several),
      /prompt = """\n\{\{a\}\}\\u0007 \{\{b\}\} \{\{args\}\} \$5 \{\{x\}\}\\u000d\n"""/,
    );
  });
});
