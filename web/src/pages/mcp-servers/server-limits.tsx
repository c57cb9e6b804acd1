import { Button, Group, NumberInput, SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { changedFields, useSavedForm } from "../../components/saved-form.ts";
import { settingsQuery } from "../settings/settings.ts";
import { useServerChanges } from "./server-changes.ts";
import type { Detail } from "./servers.ts";

const LIMITS = [
  { name: "concurrent_calls", label: "Concurrent calls", unit: "" },
  { name: "queued_calls", label: "Queued calls", unit: "" },
  { name: "queue_seconds", label: "Queue timeout", unit: " s" },
  { name: "failures_until_pause", label: "Failures before pausing", unit: "" },
  { name: "pause_seconds", label: "Pause duration", unit: " s" },
  { name: "first_byte_seconds", label: "First byte timeout", unit: " s" },
  { name: "idle_seconds", label: "Idle timeout", unit: " s" },
  { name: "total_seconds", label: "Call timeout", unit: " s" },
] as const;

type LimitName = (typeof LIMITS)[number]["name"];

export function ServerLimits({ server }: { server: Detail }) {
  const { changes } = useRights();
  const { data: defaults } = useQuery(settingsQuery(useApi()));
  const { update } = useServerChanges(server);
  // LIMITS contains every name exactly once.
  const initial = Object.fromEntries(LIMITS.map(({ name }) => [name, server.limits[name] ?? ""])) as Record<
    LimitName,
    number | string
  >;
  const { form, onSubmit, isWorking, error } = useSavedForm({
    saved: initial,
    fieldOf: (field) => field.replace(/^limits\./, ""),
    submit: (values, before) => {
      const changed = Object.entries(changedFields(before, values));
      const limits = changed.map(([name, value]) => [name, value === "" ? null : Number(value)]);
      return update({ limits: Object.fromEntries(limits) });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <fieldset disabled={!changes} className="gh-fieldset">
        <Stack gap="sm" maw={560}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="sm">
            {LIMITS.map(({ name, label, unit }) => (
              <NumberInput
                key={name}
                label={label}
                placeholder={defaults ? `Default: ${defaults[`server_${name}`]}${unit}` : "Default"}
                suffix={unit}
                min={0}
                {...form.getInputProps(name)}
              />
            ))}
          </SimpleGrid>
          <ErrorNote error={error} />
          {changes && (
            <Group>
              <Button type="submit" disabled={!form.isDirty()} loading={isWorking}>
                Save changes
              </Button>
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  );
}
