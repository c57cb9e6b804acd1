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
  /** What is typed is no JSON, and the value still the one before. */
  onBroken?(isBroken: boolean): void;
}

/** A value as JSON text. What is typed stays as it is typed; the value follows whenever it can be read. */
export function JsonInput({
  value,
  onChange,
  onBroken,
  isRequired = false,
  minRows = 2,
  error,
  ...label
}: JsonInputProps) {
  const [text, setText] = useState(() => written(value));
  const [broken, setBroken] = useState<string>();
  const told = useRef(value);
  // The value changed elsewhere: in the form, or in the history.
  useEffect(() => {
    if (stringifyExact(value) === stringifyExact(told.current)) return;
    told.current = value;
    setText(written(value));
    setBroken(undefined);
  }, [value]);
  const change = (next: string) => {
    setText(next);
    const read = readJson(next);
    setBroken(read.fault);
    onBroken?.(read.fault !== undefined);
    if (read.fault !== undefined) return;
    told.current = read.value;
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
      error={broken ?? error}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

function written(value: unknown): string {
  return stringifyExact(value, 2) ?? "";
}

function readJson(text: string): { readonly value?: unknown; readonly fault?: string } {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: parseWithBigInts(text) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : "This is not JSON" };
  }
}
