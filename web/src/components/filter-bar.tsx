import { CloseButton, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import "./filter-bar.css";

/** The line above a list: search, filters, how many there are. What is chosen stands in the address. */
export function FilterBar({ children, count }: { children: ReactNode; count?: ReactNode }) {
  return (
    <search className="gh-filters">
      {children}
      {count !== undefined && (
        <span className="gh-filters-count" aria-live="polite">
          {count}
        </span>
      )}
    </search>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  onChange(value: string | undefined): void;
}

const PAUSE_MS = 200;

/** Searches as somebody types, after a short pause. `/` leads here. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value ?? "");
  const input = useRef<HTMLInputElement>(null);
  const told = useRef(value ?? "");
  const tell = useDebouncedCallback((next: string) => {
    told.current = next;
    onChange(next === "" ? undefined : next);
  }, PAUSE_MS);
  useHotkeys([["/", () => input.current?.focus()]]);
  // The address changed by itself: somebody went back, or cleared all filters.
  useEffect(() => {
    if ((value ?? "") === told.current) return;
    told.current = value ?? "";
    setText(value ?? "");
  }, [value]);
  const change = (next: string) => {
    setText(next);
    tell(next.trim());
  };
  return (
    <TextInput
      ref={input}
      type="search"
      className="gh-filters-search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={
        text === "" ? undefined : <CloseButton size="sm" aria-label="Clear search" onClick={() => change("")} />
      }
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  /** What is shown while nothing is chosen: "Any status". */
  readonly any: string;
  readonly value: Value | undefined;
  readonly options: ReadonlyArray<{ readonly value: Value; readonly label: string }>;
  onChange(value: Value | undefined): void;
}

/** One of a few, or any. */
export function Choice<Value extends string>({ label, any, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <Select
      className="gh-filters-choice"
      aria-label={label}
      placeholder={any}
      data={options.map((option) => ({ ...option }))}
      value={value ?? null}
      onChange={(chosen) => onChange(options.find((option) => option.value === chosen)?.value)}
      clearable
      clearButtonProps={{ "aria-label": `Clear ${label.toLowerCase()}` }}
      data-chosen={value !== undefined || undefined}
    />
  );
}
