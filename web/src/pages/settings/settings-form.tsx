import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useApi } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { LeaveDialog } from "../../components/leave-dialog.tsx";
import { type ServerForm, useServerForm } from "../../components/server-form.ts";
import { type SettingsChanges, settingsKey } from "./settings.ts";

/** Shown before changes that cannot be undone are saved. */
interface Confirmation {
  readonly title: string;
  readonly name: string;
  readonly action: string;
  readonly text: ReactNode;
}

interface SettingsFormProps<Values extends Record<string, unknown>> {
  readonly initial: Values;
  readonly validate?: (values: Values) => Partial<Record<keyof Values & string, string>>;
  /** Maps a field of the API to a field of the form. */
  readonly fieldOf?: (bodyField: string) => string;
  changes(values: Values): SettingsChanges;
  confirmation?(values: Values): Confirmation | undefined;
  onSaved(): void;
  children(form: ServerForm<Values>["form"]): ReactNode;
}

/** All fields of one settings page, saved together. */
export function SettingsForm<Values extends Record<string, unknown>>(props: SettingsFormProps<Values>) {
  const { initial, validate, fieldOf, changes, confirmation, onSaved, children } = props;
  const save = useSaveSettings(onSaved);
  const [pending, setPending] = useState<Confirmation & { readonly body: SettingsChanges }>();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial,
    ...(validate ? { validate } : {}),
    ...(fieldOf ? { fieldOf } : {}),
    submit: async (values) => {
      const body = changes(values);
      const question = confirmation?.(values);
      if (question) setPending({ ...question, body });
      else await save.mutateAsync(body);
    },
  });
  const isDirty = form.isDirty() && !save.isSuccess;
  return (
    <form onSubmit={onSubmit} noValidate className="gh-settings-form">
      {children(form)}
      <SaveBar isDirty={isDirty} isWorking={isWorking} error={error} onDiscard={form.reset} />
      <LeaveDialog isEdited={isDirty} />
      <ConfirmByName
        opened={pending !== undefined}
        title={pending?.title ?? ""}
        name={pending?.name ?? ""}
        action={pending?.action ?? ""}
        isWorking={save.isPending}
        error={save.error}
        onConfirm={() => pending && save.mutate(pending.body)}
        onClose={() => setPending(undefined)}
      >
        {pending?.text}
      </ConfirmByName>
    </form>
  );
}

interface SaveBarProps {
  readonly isDirty: boolean;
  readonly isWorking: boolean;
  readonly error: unknown;
  onDiscard(): void;
}

function SaveBar({ isDirty, isWorking, error, onDiscard }: SaveBarProps) {
  if (!isDirty) return null;
  return (
    <section className="gh-save-bar" aria-label="Unsaved changes">
      <ErrorNote error={error} />
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          Unsaved changes
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onDiscard} disabled={isWorking}>
            Discard
          </Button>
          <Button type="submit" loading={isWorking}>
            Save changes
          </Button>
        </Group>
      </Group>
    </section>
  );
}

function useSaveSettings(onSaved: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: SettingsChanges) => api.updateSettings({ body }),
    onSuccess: ({ data }) => {
      queries.setQueryData(settingsKey, data);
      // The help contact is also part of the signed-in person's data.
      void queries.invalidateQueries({ queryKey: ["me"] });
      notifications.show({ message: "Saved" });
      onSaved();
    },
  });
}
