import { Button, Group, NumberInput, Pill, Popover, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { CALL_GUARD_ACTIONS } from "#openapi/constants";
import { Choice } from "../../components/filter-bar.tsx";
import { duration, GUARD_ACTION_LABELS, METHODS, VIA_LABELS, VIAS } from "./call-labels.ts";
import type { CallFilters } from "./calls.ts";

const METHOD_OPTIONS = METHODS.map((value) => ({ value, label: value === "other" ? "Other methods" : value }));
const GUARD_ACTION_OPTIONS = CALL_GUARD_ACTIONS.map((value) => ({ value, label: GUARD_ACTION_LABELS[value] }));
const VIA_OPTIONS = VIAS.map((value) => ({ value, label: VIA_LABELS[value] }));

interface MoreFiltersProps {
  readonly filters: CallFilters;
  onChange(patch: Partial<CallFilters>): void;
}

/** Less common filters. */
export function MoreFilters({ filters, onChange }: MoreFiltersProps) {
  const [opened, popover] = useDisclosure();
  const apply = (patch: Partial<CallFilters>) => {
    popover.close();
    onChange(patch);
  };
  return (
    <Popover
      opened={opened}
      onChange={(open) => (open ? popover.open() : popover.close())}
      width={300}
      position="bottom-start"
      shadow="md"
      trapFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          onClick={popover.toggle}
          leftSection={<IconAdjustmentsHorizontal size={15} />}
        >
          More filters
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <MoreForm key={JSON.stringify(filters)} filters={filters} onChange={apply} />
      </Popover.Dropdown>
    </Popover>
  );
}

type Texts = Record<
  "error" | "toolkit" | "guard" | "agent" | "agent_session" | "client" | "request_id" | "trace_id",
  string
>;

const FIELDS: ReadonlyArray<{ readonly name: keyof Texts; readonly label: string; readonly description?: string }> = [
  { name: "error", label: "Error", description: "The complete message; … matches any text" },
  { name: "toolkit", label: "Toolkit", description: "The slug" },
  { name: "guard", label: "Guard", description: "The slug" },
  { name: "agent", label: "Agent", description: "The slug" },
  { name: "agent_session", label: "Agent session", description: "The ID" },
  { name: "client", label: "Client ID" },
  { name: "request_id", label: "Request ID" },
  { name: "trace_id", label: "Trace ID" },
];

function textsOf(filters: CallFilters): Texts {
  const { error = "", toolkit = "", guard = "", agent = "", agent_session = "", client = "" } = filters;
  const { request_id = "", trace_id = "" } = filters;
  return { error, toolkit, guard, agent, agent_session, client, request_id, trace_id };
}

function MoreForm({ filters, onChange }: MoreFiltersProps) {
  const [choices, setChoices] = useState({
    ...{ method: filters.method, via: filters.via, guard_action: filters.guard_action },
  });
  const [minMs, setMinMs] = useState<string | number>(filters.min_ms ?? "");
  const [maxMs, setMaxMs] = useState<string | number>(filters.max_ms ?? "");
  const [texts, setTexts] = useState<Texts>(() => textsOf(filters));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = Object.entries(texts).map(([name, text]) => [name, text.trim() === "" ? undefined : text.trim()]);
    const number = (value: string | number) => (value === "" ? undefined : String(value));
    onChange({ ...choices, min_ms: number(minMs), max_ms: number(maxMs), ...Object.fromEntries(given) });
  };
  const milliseconds = { suffix: " ms", min: 0, max: 86_400_000, allowDecimal: false, allowNegative: false } as const;
  return (
    <form onSubmit={submit} className="gh-more-filters">
      <Stack gap="sm">
        <Choice
          label="Method"
          any="Any method"
          value={choices.method}
          options={METHOD_OPTIONS}
          onChange={(method) => setChoices((old) => ({ ...old, method }))}
        />
        <Choice
          label="Authenticated with"
          any="Any authentication"
          value={choices.via}
          options={VIA_OPTIONS}
          onChange={(via) => setChoices((old) => ({ ...old, via }))}
        />
        <Choice
          label="Guard action"
          any="Any guard action"
          value={choices.guard_action}
          options={GUARD_ACTION_OPTIONS}
          onChange={(guard_action) => setChoices((old) => ({ ...old, guard_action }))}
        />
        <Group gap="xs" grow>
          <NumberInput label="Minimum duration" {...milliseconds} value={minMs} onChange={setMinMs} />
          <NumberInput label="Maximum duration" {...milliseconds} value={maxMs} onChange={setMaxMs} />
        </Group>
        {FIELDS.map(({ name, label, description }) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            value={texts[name]}
            spellCheck={false}
            onChange={({ currentTarget: { value } }) => setTexts((old) => ({ ...old, [name]: value }))}
          />
        ))}
        <Button type="submit" variant="default">
          Apply
        </Button>
      </Stack>
    </form>
  );
}

/** The active filters as removable pills. */
export function ActiveFilters({ filters, onChange }: MoreFiltersProps) {
  const {
    method,
    via,
    error,
    toolkit,
    guard,
    guard_action: action,
    client,
    min_ms: minMs,
    max_ms: maxMs,
    request_id: request,
    trace_id: trace,
  } = filters;
  const active: ReadonlyArray<readonly [name: keyof CallFilters, label: string | undefined]> = [
    ["method", method],
    ["via", via && VIA_LABELS[via]],
    ["min_ms", minMs && `at least ${duration(Number(minMs))}`],
    ["max_ms", maxMs && `at most ${duration(Number(maxMs))}`],
    ["error", error],
    ["toolkit", toolkit && `toolkit ${toolkit}`],
    ["guard", guard && `guard ${guard}`],
    ["guard_action", action ? `guard action ${GUARD_ACTION_LABELS[action].toLowerCase()}` : undefined],
    ["client", client && `client ID ${client}`],
    ["request_id", request && `request ID ${request}`],
    ["trace_id", trace && `trace ID ${trace}`],
  ];
  const shown = active.filter(([, label]) => label !== undefined);
  if (shown.length === 0) return null;
  return (
    <Pill.Group className="gh-active-filters">
      {shown.map(([name, label]) => (
        <Pill
          key={name}
          withRemoveButton
          removeButtonProps={{ "aria-label": `Remove filter ${label}`, "aria-hidden": false, tabIndex: 0 }}
          onRemove={() => onChange({ [name]: undefined })}
        >
          {label}
        </Pill>
      ))}
    </Pill.Group>
  );
}
