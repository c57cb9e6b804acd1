import { CloseButton, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import "./filter-bar.css";
import { clearButton } from "./clear-button.ts";

/** The line above a list: search, filters, and the number of results. Filters are kept in the URL. */
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

/** Searches while the user types, after a short pause. `/` focuses it. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value ?? "");
  const input = useRef<HTMLInputElement>(null);
  const reported = useRef(value ?? "");
  const report = useDebouncedCallback((next: string) => {
    reported.current = next;
    onChange(next === "" ? undefined : next);
  }, PAUSE_MS);
  useHotkeys([["/", () => input.current?.focus()]]);
  // The URL changed elsewhere: browser navigation, or cleared filters.
  useEffect(() => {
    if ((value ?? "") === reported.current) return;
    reported.current = value ?? "";
    setText(value ?? "");
  }, [value]);
  const change = (next: string) => {
    setText(next);
    report(next.trim());
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
  /** The placeholder while nothing is selected: "Any status". */
  readonly any: string;
  readonly value: Value | undefined;
  readonly options: ReadonlyArray<{ readonly value: Value; readonly label: string }>;
  onChange(value: Value | undefined): void;
}

/** A filter with a few options. */
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
      clearButtonProps={clearButton(`Clear ${label.toLowerCase()}`)}
      data-chosen={value !== undefined || undefined}
    />
  );
}
