import { Select } from "@mantine/core";
import type { Group } from "./groups.ts";

interface GroupChoiceProps {
  readonly groups: readonly Group[] | undefined;
  readonly value: string | undefined;
  onChange(group: string | undefined): void;
}

/** Above a list: only members of one group. */
export function GroupChoice({ groups = [], value, onChange }: GroupChoiceProps) {
  const names = groups.map(({ name }) => name);
  return (
    <Select
      className="gh-filters-choice"
      aria-label="Group"
      placeholder="Any group"
      // A group of the address that is gone meanwhile is still shown as what was asked for.
      data={value === undefined || names.includes(value) ? names : [value, ...names]}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      nothingFoundMessage="No such group"
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Clear group" }}
      data-chosen={value !== undefined || undefined}
    />
  );
}
