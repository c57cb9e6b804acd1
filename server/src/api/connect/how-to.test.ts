import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { renderHowTo } from "./how-to.ts";

const rendered = (markdown: string) =>
  renderHowTo(markdown)
    .map(({ text }) => text)
    .join("");

describe("an admin's Markdown (WEB-3)", () => {
  it("shows headings, lists, paragraphs, code, emphasis and links", () => {
    const markdown =
      "# Get a key\n\n1. Open [the page](https://a.example/keys)\n2. Press **New**\n\n- *one*\n- `two`\n\nfirst\nsecond https://b.example/x.\n\n```sh\nkey <x>\n\nend\n```";
    const link = (url: string, words: string) =>
      `<a href="${url}" rel="noopener noreferrer" target="_blank">${words}</a>`;
    assert.equal(
      rendered(markdown),
      `<h3>Get a key</h3><ol><li>Open ${link("https://a.example/keys", "the page")}</li><li>Press <strong>New</strong></li></ol>` +
        `<ul><li><em>one</em></li><li><code>two</code></li></ul><p>first<br>second ${link("https://b.example/x.", "https://b.example/x.")}</p>` +
        "<pre><code>key &lt;x&gt;\n\nend</code></pre>",
    );
  });

  it("is rendered in linear time", () => {
    for (const [start, repeated, end] of [
      ["# ", " ", "\u2028"],
      ["1. ", " ", "\u2028"],
      ["- ", " ", "\u2028"],
      ["# x", "#", "x"],
      ["", "[", ""],
      ["", "```a\n", ""],
      ["", "**a", ""],
      ["", "`` ", ""],
    ] as const) {
      const text = start + repeated.repeat(50_000 / repeated.length) + end;
      assert.ok(renderHowTo(text).length > 0, JSON.stringify(text.slice(0, 10)));
    }
  });

  it("shows text after an unclosed fence as text", () => {
    assert.equal(rendered("a\n```\nb <c>"), "<p>a</p><p>b &lt;c&gt;</p>");
  });

  for (const hostile of [
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "[x](data:text/html,y)",
    '[x](https://a.example/"onmouseover=alert(1))',
    "[<img src=x onerror=alert(1)>](vbscript:x)",
    "<https://a.example/<script>>",
    "![x](https://a.example/y.png)",
    "`<b>`**<i>**",
  ]) {
    it(`is inert: ${hostile}`, () => {
      const text = rendered(hostile);
      assert.doesNotMatch(text, /<(?!\/?(?:p|a|strong|em|code|br)\b)/);
      assert.doesNotMatch(text, /href="(?!https?:)|<[^>]*\son\w+=/);
    });
  }

  it("produces only known tags and only web links for any input", () => {
    const parts = fc.constantFrom(
      "[",
      "](",
      ")",
      "`",
      "**",
      "*",
      "<",
      ">",
      '"',
      "'",
      "https://a",
      "javascript:",
      "# ",
      "- ",
      "\n",
      "\n\n",
      "```",
      "x",
      " on=",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (pieces) => {
        const text = rendered(pieces.join(""));
        assert.doesNotMatch(text, /<(?!\/?(?:p|a|strong|em|code|br|pre|ul|ol|li|h3)[\s>])/);
        for (const [, address] of text.matchAll(/href="([^"]*)"/g)) assert.match(address ?? "", /^https?:/);
      }),
    );
  });
});
