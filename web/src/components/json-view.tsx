import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { Fragment } from "react";
import { stringifyExact } from "#openapi/json";
import "./json-view.css";

/** JSON with its parts told apart by colour; as text, so it can be selected and searched. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const { copy, copied } = useClipboard({ timeout: 1500 });
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

/** Longer texts are not taken apart: colour is not worth a frozen page. */
const MOST_COLOURED = 60_000;
const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function Tokens({ text }: { text: string }) {
  if (text.length > MOST_COLOURED) return <code>{text}</code>;
  return <code>{taken(text)}</code>;
}

function taken(text: string) {
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
