import { ActionIcon, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { Fragment } from "react";
import { stringifyExact } from "#openapi/json";
import { useCopy } from "./use-copy.ts";
import "./json-view.css";

/** JSON with syntax highlighting, as text that can be selected and searched. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const { copy, copied } = useCopy();
  const text = stringifyExact(value, 2) ?? "";
  return (
    <section className="gh-json" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0}>
        <Tokens text={text} />
      </pre>
      <Tooltip label={copied ? "Copied" : "Copy JSON"}>
        <ActionIcon className="gh-json-copy" size="sm" aria-label={`Copy ${label}`} onClick={() => copy(text)}>
          {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        </ActionIcon>
      </Tooltip>
    </section>
  );
}

/** Longer texts are not highlighted, which would block the page. */
const MAX_HIGHLIGHTED_CHARS = 60_000;
const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function Tokens({ text }: { text: string }) {
  if (text.length > MAX_HIGHLIGHTED_CHARS) return <code>{text}</code>;
  return <code>{highlight(text)}</code>;
}

function highlight(text: string) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon] = match;
    parts.push(<Fragment key={`t${match.index}`}>{text.slice(end, match.index)}</Fragment>);
    const kind = string === undefined ? "literal" : colon === undefined ? "string" : "key";
    parts.push(
      <span key={match.index} data-kind={kind}>
        {whole}
      </span>,
    );
    end = match.index + whole.length;
  }
  parts.push(<Fragment key="end">{text.slice(end)}</Fragment>);
  return parts;
}
