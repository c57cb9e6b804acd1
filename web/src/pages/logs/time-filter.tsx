import { Button, Divider, Menu, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCalendar, IconCheck, IconChevronDown } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { DEFAULT_RANGE, formatRange, RANGE_LABELS, RANGES, type TimeWanted, time } from "./time-range.ts";

interface TimeFilterProps {
  readonly value: TimeWanted;
  onChange(value: TimeWanted): void;
}

/** Selects a relative time range or two fixed ends. */
export function TimeFilter({ value, onChange }: TimeFilterProps) {
  const [opened, menu] = useDisclosure();
  const isFixed = value.from !== undefined || value.to !== undefined;
  const choose = (next: TimeWanted) => {
    menu.close();
    onChange({ range: undefined, from: undefined, to: undefined, ...next });
  };
  return (
    <Menu opened={opened} onChange={(open) => (open ? menu.open() : menu.close())} width={260} position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          fw={400}
          leftSection={<IconCalendar size={15} />}
          rightSection={<IconChevronDown size={14} />}
        >
          {formatRange(value)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {RANGES.map((range) => (
          <Menu.Item
            key={range}
            onClick={() => choose(range === DEFAULT_RANGE ? {} : { range })}
            rightSection={
              !isFixed && (value.range ?? DEFAULT_RANGE) === range ? (
                <IconCheck size={14} aria-label="selected" />
              ) : null
            }
          >
            {RANGE_LABELS[range]}
          </Menu.Item>
        ))}
        <Divider my={4} />
        <BetweenForm key={`${value.from} ${value.to}`} value={value} onChange={choose} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Keeps its keys, except Escape, from the menu around it, which moves the focus with arrow keys. */
function BetweenForm({ value, onChange }: TimeFilterProps) {
  const [from, setFrom] = useState(localText(value.from));
  const [to, setTo] = useState(localText(value.to));
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [start, end] = [time(from), time(to)];
    if (start === undefined) return setError("Enter a start time");
    if (end !== undefined && end <= start) return setError("The start must be before the end");
    onChange({ from: start, to: end });
  };
  return (
    <form onSubmit={submit} onKeyDown={(event) => event.key !== "Escape" && event.stopPropagation()}>
      <Stack gap="xs" p="xs">
        <TextInput
          label="From"
          type="datetime-local"
          value={from}
          error={error}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          label="To"
          type="datetime-local"
          description="Leave empty for now"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Apply
        </Button>
      </Stack>
    </form>
  );
}

/** The format of a datetime-local input: local time without a zone. */
function localText(iso: string | undefined): string {
  if (iso === undefined) return "";
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
