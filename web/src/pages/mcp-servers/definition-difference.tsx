import { Text } from "@mantine/core";
import type { Schemas } from "../../api/client.ts";
import { type Span, splitText } from "../../components/marked-text.ts";

type Difference = Schemas["ToolChange"]["differences"][number];

interface DifferenceProps {
  readonly difference: Difference;
  /** Texts in the current value that guards object to. */
  readonly spans: readonly Span[];
}

/** One part of a definition, before and after. Instructions have only a text, which needs no label. */
export function DefinitionDifference({ difference, spans }: DifferenceProps) {
  const { field, before, after, words } = difference;
  return (
    <div className="gh-difference">
      {field !== "text" && (
        <Text size="xs" c="dimmed">
          {field}
        </Text>
      )}
      {words && isMostlyUnchanged(words) ? (
        <p>
          {withOffsets(words).map(({ word, start }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: words repeat, so only their position is unique.
            <Words key={at} word={word} spans={spansWithin(spans, start, word.text.length)} />
          ))}
        </p>
      ) : (
        <>
          {before !== null && (
            <del>
              <Marked text={before} spans={[]} />
            </del>
          )}
          {after !== null && (
            <ins>
              <Marked text={after} spans={spans} />
            </ins>
          )}
        </>
      )}
    </div>
  );
}

type Word = NonNullable<Difference["words"]>[number];

/** A word-level diff of a rewritten sentence is harder to read than both sentences. */
function isMostlyUnchanged(words: readonly Word[]): boolean {
  const lengthOf = (kind: Word["kind"]) =>
    words.reduce((sum, word) => sum + (word.kind === kind ? word.text.trim().length : 0), 0);
  const same = lengthOf("same");
  // Added text is easy to see next to what was there before.
  return same > 0 && (lengthOf("removed") === 0 || same >= Math.max(lengthOf("removed"), lengthOf("added")));
}

/** The position of each word in the current text; removed words have none. */
function withOffsets(words: readonly Word[]): { readonly word: Word; readonly start: number | undefined }[] {
  let next = 0;
  return words.map((word) => {
    if (word.kind === "removed") return { word, start: undefined };
    const start = next;
    next += word.text.length;
    return { word, start };
  });
}

function spansWithin(spans: readonly Span[], start: number | undefined, length: number): Span[] {
  if (start === undefined) return [];
  return spans.flatMap((span) => {
    const within = { ...span, start: Math.max(0, span.start - start), end: Math.min(length, span.end - start) };
    return within.start < within.end ? [within] : [];
  });
}

function Words({ word: { kind, text }, spans }: { word: Word; spans: readonly Span[] }) {
  const marked = <Marked text={text} spans={spans} />;
  if (kind === "removed") return <del>{marked}</del>;
  return kind === "added" ? <ins>{marked}</ins> : marked;
}

function Marked({ text, spans }: { text: string; spans: readonly Span[] }) {
  return splitText(text, spans).map(({ text: part, start, label, hidden }) => {
    const className = hidden === undefined ? undefined : "gh-hidden-character";
    if (label === undefined) {
      return (
        <span key={start} className={className}>
          {hidden ?? part}
        </span>
      );
    }
    return (
      <mark key={start} className={className ?? "gh-flagged"} title={label}>
        {hidden ?? part}
      </mark>
    );
  });
}
