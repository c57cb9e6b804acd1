import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  derivedArguments,
  escapeTemplate,
  hasClientExpansion,
  parseTemplate,
  placeholdersOf,
  renderTemplate,
  takesOneText,
} from "./command-template.ts";

const render = (content: string, names: readonly string[], given: Record<string, string> = {}) =>
  renderTemplate(
    parseTemplate(content),
    names.map((name) => ({ name })),
    new Map(Object.entries(given)),
  );

describe("command templates", () => {
  it("insert arguments by name, by position, and all of them", () => {
    const given = { version: "1.2", tone: "dry" };
    for (const [content, text] of [
      ["Notes for {{version}}, {{ tone }}.", "Notes for 1.2, dry."],
      ["$1/$2/$3", "1.2/dry/$3"],
      ["Do: $ARGUMENTS.", "Do: 1.2 dry."],
      ["$ARGUMENTSX $ARGUMENT", "$ARGUMENTSX $ARGUMENT"],
      ["$$1 costs $$5, \\{{version}}", "$1 costs $5, {{version}}"],
      ["{{version", "{{version"],
      ["$10 $0 $", "1.20 $0 $"],
    ] as const)
      assert.equal(render(content, ["version", "tone"], given), text);
  });

  it("leave an argument without a value empty, or use its default", () => {
    const parts = parseTemplate("[{{a}}|{{b}}|$ARGUMENTS]");
    assert.equal(renderTemplate(parts, [{ name: "a" }, { name: "b", default: "x" }], new Map()), "[|x|x]");
  });

  it("take one text for all arguments", () => {
    assert.equal(render("Do: $ARGUMENTS", [], { arguments: "this and that" }), "Do: this and that");
    assert.equal(takesOneText(parseTemplate("Do: $ARGUMENTS"), []), true);
    assert.equal(takesOneText(parseTemplate("Do: $ARGUMENTS"), [{ name: "a" }]), false);
  });

  it("derive arguments from what the template uses", () => {
    assert.deepEqual(derivedArguments(parseTemplate("{{b}} {{a}} {{b}} $3")), ["b", "a"]);
    assert.deepEqual(derivedArguments(parseTemplate("$3 $1")), ["arg1", "arg2", "arg3"]);
    assert.deepEqual(derivedArguments(parseTemplate("$ARGUMENTS")), []);
    assert.deepEqual(placeholdersOf(parseTemplate("{{#if x}}\\{{y}}")), ["#if x"]);
  });

  it("never expand a value again", () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom("{{b}}", "$1", "$2", "$ARGUMENTS", "$$", "\\{{b}}", "{{a}}{{b}}", "{", "}}"),
    );
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        assert.equal(render("<{{a}}|$2|$ARGUMENTS>", ["a", "b"], { a, b }), `<${a}|${b}|${a} ${b}>`);
      }),
    );
  });

  it("keep escaped text as it was", () => {
    const pieces = fc.constantFrom("$", "{{", "{", "}}", "\\", "$1", "$ARGUMENTS", "{{a}}", "a ", "\n");
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (texts) => {
        const text = texts.join("");
        // A backslash before braces is an escape itself, so it cannot be written.
        fc.pre(!text.includes("\\{{"));
        assert.equal(render(escapeTemplate(text), ["a"], { a: "!" }), text);
      }),
    );
  });

  it("notice what only clients expand", () => {
    for (const content of ["!`git status`", "See @src/main.ts", "@README.md"])
      assert.equal(hasClientExpansion(content), true, content);
    for (const content of ["Mail ada@example.com", "Wow!", "@ada, hello", "`code`"])
      assert.equal(hasClientExpansion(content), false, content);
  });
});
