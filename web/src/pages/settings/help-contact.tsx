import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { SETTINGS } from "#openapi/constants";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { type Settings, settingsKey } from "./settings.ts";

/** The contact that people see when something does not work. */
export function HelpContact({ settings }: { settings: Settings }) {
  const api = useApi();
  const queries = useQueryClient();
  const { changes } = useRights();
  const before = settings.help_contact ?? "";
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { help_contact: before },
    submit: async ({ help_contact: typed }) => {
      await api.updateSettings({ body: { help_contact: typed.trim() === "" ? null : typed.trim() } });
      await Promise.all([settingsKey, ["me"]].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm" maw="32rem">
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label={SETTINGS.help_contact.label}
            placeholder="it-help@example.com"
            flex={1}
            disabled={!changes}
            {...form.getInputProps("help_contact")}
          />
          {changes && (
            <Button
              type="submit"
              variant="default"
              loading={isWorking}
              disabled={form.values.help_contact.trim() === before}
            >
              Save
            </Button>
          )}
        </Group>
        <ErrorNote error={error} />
      </Stack>
    </form>
  );
}
