import { type Html, html } from "#api/pages/html";
import { isWebUrl } from "#lib/web-url";

/**
 * Renders an admin's Markdown safely: headings, lists, paragraphs, code, emphasis, and web links. Everything else, HTML
 * included, is shown as text (OA-8). The patterns run in linear time, so that no text blocks the process.
 */
export function renderHowTo(markdown: string): readonly Html[] {
  const parts = markdown.replaceAll("\r\n", "\n").split(/^```[^`\n]*$/m);
  return parts.flatMap((part, at) => {
    // Code is between two fences; text after an unclosed fence is text.
    if (at % 2 === 1 && at < parts.length - 1) return [html`<pre><code>${part.replace(/^\n|\n$/g, "")}</code></pre>`];
    return part
      .split(/\n{2,}/)
      .filter((block) => block.trim() !== "")
      .map(renderBlock);
  });
}

function renderBlock(block: string): Html {
  const lines = block.split("\n").filter((line) => line.trim() !== "");
  const [first = ""] = lines;
  if (lines.length === 1 && /^#{1,6}\s/.test(first)) {
    return html`<h3>${renderInline(first.replace(/^#{1,6}/, "").trim())}</h3>`;
  }
  const numbered = itemsOf(lines, /^\s*\d{1,9}[.)]\s(.*)$/s);
  if (numbered) return html`<ol>${numbered}</ol>`;
  const bulleted = itemsOf(lines, /^\s*[-*+]\s(.*)$/s);
  if (bulleted) return html`<ul>${bulleted}</ul>`;
  return html`<p>${lines.map((line, at) => html`${at === 0 ? undefined : html`<br>`}${renderInline(line)}`)}</p>`;
}

/** Undefined if a line is not an item. */
function itemsOf(lines: readonly string[], item: RegExp): readonly Html[] | undefined {
  const texts = lines.map((line) => item.exec(line)?.[1]);
  if (texts.some((text) => text === undefined)) return undefined;
  return texts.map((text) => html`<li>${renderInline(text?.trim() ?? "")}</li>`);
}

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^[\]]+\]\([^()\s]+\)|<?https?:\/\/[^\s<>"'`)\]]+>?)/;

function renderInline(text: string): readonly Html[] {
  return text.split(INLINE).map((part, at) => (at % 2 === 0 ? html`${part}` : renderMark(part)));
}

function renderMark(mark: string): Html {
  if (mark.startsWith("`")) return html`<code>${mark.slice(1, -1)}</code>`;
  if (mark.startsWith("**")) return html`<strong>${mark.slice(2, -2)}</strong>`;
  if (mark.startsWith("*")) return html`<em>${mark.slice(1, -1)}</em>`;
  const [, words, target] = /^\[([^\]]+)\]\(([^()\s]+)\)$/.exec(mark) ?? [];
  const address = target ?? mark.replace(/^<|>$/g, "");
  if (!isWebUrl(address)) return html`${mark}`;
  return html`<a href="${address}" rel="noopener noreferrer" target="_blank">${words ?? address}</a>`;
}
