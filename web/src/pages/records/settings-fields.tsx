import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import type { ServerForm } from "../../components/server-form.ts";

interface SettingsFieldsProps<Values extends Record<string, unknown>> {
  readonly form: ServerForm<Values>;
  readonly children: ReactNode;
}

/** A form of a settings tab. Who may not change it can read it. */
export function SettingsFields<Values extends Record<string, unknown>>(props: SettingsFieldsProps<Values>) {
  const { changes } = useRights();
  const { form, onSubmit, isWorking, error } = props.form;
  return (
    <form onSubmit={onSubmit} noValidate>
      <fieldset disabled={!changes} className="gh-fieldset">
        <Stack gap="sm" maw={560}>
          {props.children}
          <ErrorNote error={error} />
          {changes && (
            <Group>
              <Button type="submit" loading={isWorking} disabled={!form.isDirty()}>
                Save changes
              </Button>
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  );
}
