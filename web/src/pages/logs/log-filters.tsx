import { Button, NumberInput, Popover, Stack, TextInput } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useApi } from "../../api/context.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { type CallFilters, namesQuery } from "./calls.ts";
import { NameFilter } from "./name-filter.tsx";
import { METHODS, OUTCOME_WORDS, OUTCOMES } from "./words.ts";

interface LogFiltersProps {
  readonly filters: CallFilters;
  readonly count: string | undefined;
  onChange(patch: Partial<CallFilters>): void;
  onClear: (() => void) | undefined;
}

const OUTCOME_OPTIONS = OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value].label }));
const METHOD_OPTIONS = METHODS.map((value) => ({ value, label: value === "other" ? "Other methods" : value }));

export function LogFilters({ filters, count, onChange, onClear }: LogFiltersProps) {
  const api = useApi();
  const { range, from, to } = filters;
  const [isChoosing, setChoosing] = useState(false);
  const { data: known } = useQuery({ ...namesQuery(api, { range, from, to }), enabled: isChoosing });
  const onFocus = () => setChoosing(true);
  return (
    <div className="gh-log-filters">
      <FilterBar count={count}>
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
    </div>
  );
}

function MoreFilters({ filters, onChange }: Pick<LogFiltersProps, "filters" | "onChange">) {
  const { method, min_ms: minMs, request_id: requestId } = filters;
  const isSet = method !== undefined || minMs !== undefined || requestId !== undefined;
  return (
    <Popover width={280} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" fw={isSet ? 600 : 400} leftSection={<IconAdjustmentsHorizontal size={15} />}>
          {isSet ? "More, in use" : "More"}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <MoreForm key={`${minMs} ${requestId}`} filters={filters} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  );
}

function MoreForm({ filters, onChange }: Pick<LogFiltersProps, "filters" | "onChange">) {
  const [minMs, setMinMs] = useState<string | number>(filters.min_ms ?? "");
  const [requestId, setRequestId] = useState(filters.request_id ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({
      min_ms: minMs === "" ? undefined : String(minMs),
      request_id: requestId.trim() === "" ? undefined : requestId.trim(),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Choice
          label="Method"
          any="Any method"
          value={filters.method}
          options={METHOD_OPTIONS}
          onChange={(method) => onChange({ method })}
        />
        <NumberInput
          label="Took at least"
          suffix=" ms"
          min={0}
          max={86_400_000}
          allowDecimal={false}
          allowNegative={false}
          value={minMs}
          onChange={setMinMs}
        />
        <TextInput
          label="Request id"
          description="The x-request-id of the answer"
          value={requestId}
          spellCheck={false}
          onChange={(event) => setRequestId(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Apply
        </Button>
      </Stack>
    </form>
  );
}
