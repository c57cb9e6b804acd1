import { Autocomplete, CloseButton } from "@mantine/core";
import { useEffect, useState } from "react";

interface NameFilterProps {
  readonly label: string;
  /** What is shown while nothing is chosen: "Any user". */
  readonly any: string;
  readonly value: string | undefined;
  /** What occurs in the log; anything else may be typed. */
  readonly known: readonly string[];
  /** Somebody is about to choose. */
  onFocus(): void;
  onChange(value: string | undefined): void;
}

const MOST_SHOWN = 50;

/** One of many names, or any. It counts when it is chosen, or with Enter, or when the field is left. */
export function NameFilter({ label, any, value, known, onFocus, onChange }: NameFilterProps) {
  const [text, setText] = useState(value ?? "");
  useEffect(() => setText(value ?? ""), [value]);
  const commit = (next: string) => {
    const name = next.trim();
    setText(name);
    if (name !== (value ?? "")) onChange(name === "" ? undefined : name);
  };
  return (
    <Autocomplete
      size="sm"
      className="gh-filters-choice"
      aria-label={label}
      placeholder={any}
      data={[...known]}
      limit={MOST_SHOWN}
      value={text}
      onChange={setText}
      onFocus={onFocus}
      onOptionSubmit={commit}
      onBlur={() => commit(text)}
      onKeyDown={(event) => event.key === "Enter" && commit(text)}
      spellCheck={false}
      data-chosen={value !== undefined || undefined}
      rightSection={
        text === "" ? undefined : (
          <CloseButton size="sm" aria-label={`Clear ${label.toLowerCase()}`} onClick={() => commit("")} />
        )
      }
    />
  );
}
