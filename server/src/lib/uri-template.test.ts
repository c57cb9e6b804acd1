import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { matchesTemplate, parseTemplate } from "./uri-template.ts";

function matches(template: string, address: string): boolean {
  const parts = parseTemplate(template);
  assert.ok(parts, template);
  return matchesTemplate(parts, address);
}

describe("a URI template", () => {
  const cases: [string, string[], string[]][] = [
    ["file:///{name}", ["file:///a", "file:///a%20b.txt"], ["file:///", "file:///a/b", "http:///a"]],
    ["file:///{+path}", ["file:///a", "file:///a/b/c"], ["file:///", "file:/a"]],
    ["db://{table}/{id}", ["db://users/7"], ["db://users", "db://users/", "db://users/7/8"]],
    ["x://{a}-{b}", ["x://1-2", "x://1-2-3"], ["x://12", "x://-2", "x://1-"]],
    ["x://q{?a,b}", ["x://q", "x://q?a=1&b=2", "x://q?a=/"], ["x://qa=1", "x://"]],
    ["x://q?z=1{&a}", ["x://q?z=1", "x://q?z=1&a=2"], ["x://q?z=2"]],
    ["x://a{/b*}", ["x://a", "x://a/b/c"], ["x://ab"]],
    ["x://a{.ext}", ["x://a", "x://a.txt"], ["x://a.t/x", "x://atxt"]],
    ["x://a{#frag}", ["x://a", "x://a#b/c"], ["x://ab"]],
    ["x://plain", ["x://plain"], ["x://plain/", "x://plai"]],
    ["{+all}", ["anything:/at/all"], [""]],
    ["x://{id}/end", ["x://1/end"], ["x://1/2/end", "x://1/end/end"]],
  ];
  for (const [template, good, bad] of cases) {
    it(`${template} matches its expansions and nothing else`, () => {
      for (const address of good) assert.equal(matches(template, address), true, address);
      for (const address of bad) assert.equal(matches(template, address), false, address);
    });
  }

  it("is rejected if it is malformed or has too many placeholders", () => {
    for (const template of ["x://{a", "x://a}", "x://{}", "x://{a b}", "x://{{a}}", `x://${"{a}".repeat(17)}`]) {
      assert.equal(parseTemplate(template), undefined, template);
    }
  });

  it("matches its own expansions", () => {
    const value = fc.stringMatching(/^[a-z0-9-]{1,5}$/);
    const text = fc.stringMatching(/^[a-z/.-]{0,4}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(text, value), { maxLength: 8 }), (pieces) => {
        const template = pieces.map(([before], at) => `${before}{v${at}}`).join("");
        const address = pieces.map(([before, filled]) => `${before}${filled}`).join("");
        assert.equal(matches(`x:${template}`, `x:${address}`), true);
      }),
    );
  });

  it("does not match a URI of unreasonable length", () => {
    assert.equal(matches("x://{+a}", `x://${"a".repeat(2_048)}`), false);
  });
});
