import { Select } from "@mantine/core";
import { clearButton } from "../../components/clear-button.ts";
import type { Group } from "./groups.ts";

interface GroupChoiceProps {
  readonly groups: readonly Group[] | undefined;
  readonly value: string | undefined;
  onChange(group: string | undefined): void;
}

/** Filters a list by group. */
export function GroupChoice({ groups = [], value, onChange }: GroupChoiceProps) {
  const names = groups.map(({ name }) => name);
  return (
    <Select
      className="gh-filters-choice"
      aria-label="Group"
      placeholder="Any group"
      // Keeps a group from the URL selectable even if it no longer exists.
      data={value === undefined || names.includes(value) ? names : [value, ...names]}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      nothingFoundMessage="No matching groups"
      searchable
      clearable
      clearButtonProps={clearButton("Clear group")}
      data-chosen={value !== undefined || undefined}
    />
  );
}
