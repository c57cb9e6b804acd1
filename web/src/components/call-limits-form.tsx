import { Button, Group, NumberInput, SimpleGrid, Stack } from "@mantine/core";
import { ErrorNote } from "./error-state.tsx";
import { useServerForm } from "./server-form.ts";

const FIELDS = [
  { name: "calls_per_minute", label: "Calls per minute", maximum: 1_000_000 },
  { name: "concurrent_calls", label: "Concurrent calls", maximum: 10_000 },
] as const;

export type CallLimits = Readonly<Record<(typeof FIELDS)[number]["name"], number | null>>;

interface CallLimitsFormProps {
  readonly limits: CallLimits;
  readonly isReadOnly: boolean;
  save(limits: CallLimits): Promise<unknown>;
}

/** The limits of a group or a tool. An empty field means no limit. */
export function CallLimitsForm(props: CallLimitsFormProps) {
  // Starts again from the saved values.
  return <Fields key={JSON.stringify(props.limits)} {...props} />;
}

function Fields({ limits, isReadOnly, save }: CallLimitsFormProps) {
  const { form, onSubmit, isWorking, error } = useServerForm<Record<keyof CallLimits, number | string>>({
    initial: { calls_per_minute: limits.calls_per_minute ?? "", concurrent_calls: limits.concurrent_calls ?? "" },
    // The names of nested fields end with that of the field.
    fieldOf: (field) => field.split(".").at(-1),
    submit: (values) =>
      save({
        calls_per_minute: limitOf(values.calls_per_minute),
        concurrent_calls: limitOf(values.concurrent_calls),
      }),
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm" maw={560}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="sm">
          {FIELDS.map(({ name, label, maximum }) => (
            <NumberInput
              key={name}
              label={label}
              placeholder="No limit"
              disabled={isReadOnly}
              min={1}
              max={maximum}
              allowDecimal={false}
              allowNegative={false}
              thousandSeparator=","
              {...form.getInputProps(name)}
            />
          ))}
        </SimpleGrid>
        <ErrorNote error={error} />
        {!isReadOnly && (
          <Group>
            <Button type="submit" variant="default" disabled={!form.isDirty()} loading={isWorking}>
              Save changes
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

function limitOf(value: number | string): number | null {
  return value === "" ? null : Number(value);
}
