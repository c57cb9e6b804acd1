import { Autocomplete, CloseButton } from "@mantine/core";
import { useEffect, useState } from "react";

interface NameFilterProps {
  readonly label: string;
  /** The placeholder: "Any user". */
  readonly any: string;
  readonly value: string | undefined;
  /** Suggestions from the log; other values can be typed. */
  readonly known: readonly string[];
  /** Called before the suggestions are needed. */
  onFocus(): void;
  onChange(value: string | undefined): void;
}

const MAX_SUGGESTIONS = 50;

/** A name filter with suggestions. Applied on selection, Enter, or blur. */
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
      limit={MAX_SUGGESTIONS}
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
