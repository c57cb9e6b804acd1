import { Textarea } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { parseWithBigInts, stringifyExact } from "#openapi/json";

interface JsonInputProps {
  readonly label?: string;
  readonly description?: string | undefined;
  readonly withAsterisk?: boolean;
  readonly error?: string | undefined;
  readonly value: unknown;
  readonly isRequired?: boolean;
  readonly minRows?: number;
  onChange(value: unknown): void;
  /** Called with true while the text is not valid JSON; the value keeps its last valid state. */
  onInvalid?(isInvalid: boolean): void;
}

/** Edits a value as JSON text. The value updates whenever the text is valid JSON. */
export function JsonInput({
  value,
  onChange,
  onInvalid,
  isRequired = false,
  minRows = 2,
  error,
  ...label
}: JsonInputProps) {
  const [text, setText] = useState(() => toText(value));
  const [syntaxError, setSyntaxError] = useState<string>();
  const reported = useRef(value);
  // The value changed elsewhere: in the form or the history.
  useEffect(() => {
    if (stringifyExact(value) === stringifyExact(reported.current)) return;
    reported.current = value;
    setText(toText(value));
    setSyntaxError(undefined);
  }, [value]);
  const change = (next: string) => {
    setText(next);
    const read = readJson(next);
    setSyntaxError(read.error);
    onInvalid?.(read.error !== undefined);
    if (read.error !== undefined) return;
    reported.current = read.value;
    onChange(read.value);
  };
  return (
    <Textarea
      {...label}
      classNames={{ input: "gh-arguments-json" }}
      aria-label={label.label === undefined ? "Arguments as JSON" : undefined}
      autosize
      minRows={minRows}
      maxRows={24}
      spellCheck={false}
      placeholder={isRequired ? "JSON" : "JSON, or empty"}
      value={text}
      error={syntaxError ?? error}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

function toText(value: unknown): string {
  return stringifyExact(value, 2) ?? "";
}

function readJson(text: string): { readonly value?: unknown; readonly error?: string } {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: parseWithBigInts(text) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : "Invalid JSON" };
  }
}
