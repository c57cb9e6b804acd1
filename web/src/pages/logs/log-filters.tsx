import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { OUTCOME_LABELS, OUTCOMES } from "./call-labels.ts";
import { type CallFilters, namesQuery } from "./calls.ts";
import { ActiveFilters, MoreFilters } from "./more-filters.tsx";
import { NameFilter } from "./name-filter.tsx";

interface LogFiltersProps {
  readonly filters: CallFilters;
  onChange(patch: Partial<CallFilters>): void;
  onClear: (() => void) | undefined;
}

const OUTCOME_OPTIONS = OUTCOMES.map((value) => ({ value, label: OUTCOME_LABELS[value].label }));

export function LogFilters({ filters, onChange, onClear }: LogFiltersProps) {
  const api = useApi();
  const { range, from, to } = filters;
  const [isChoosing, setChoosing] = useState(false);
  const { data: known } = useQuery({ ...namesQuery(api, { range, from, to }), enabled: isChoosing });
  const onFocus = () => setChoosing(true);
  return (
    <div className="gh-log-filters">
      <FilterBar>
        <SearchField label="Search errors, users, tools" value={filters.q} onChange={(q) => onChange({ q })} />
        <Choice
          label="Outcome"
          any="Any outcome"
          value={filters.outcome}
          options={OUTCOME_OPTIONS}
          onChange={(outcome) => onChange({ outcome })}
        />
        <NameFilter
          label="Server"
          any="Any server"
          value={filters.server}
          known={known?.servers ?? []}
          onFocus={onFocus}
          onChange={(server) => onChange({ server })}
        />
        <NameFilter
          label="Tool"
          any="Any tool"
          value={filters.tool}
          known={known?.tools ?? []}
          onFocus={onFocus}
          onChange={(tool) => onChange({ tool })}
        />
        <NameFilter
          label="User"
          any="Any user"
          value={filters.user}
          known={known?.users ?? []}
          onFocus={onFocus}
          onChange={(user) => onChange({ user })}
        />
        <MoreFilters filters={filters} onChange={onChange} />
        {onClear && (
          <Button variant="subtle" color="gray" onClick={onClear}>
            Clear
          </Button>
        )}
      </FilterBar>
      <ActiveFilters filters={filters} onChange={onChange} />
    </div>
  );
}
