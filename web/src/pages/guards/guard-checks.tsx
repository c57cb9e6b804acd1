import { ActionIcon, Button, Group, Text, Tooltip } from "@mantine/core";
import { IconPencil, IconPlus, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useRights } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Section } from "../../components/section.tsx";
import { bodyOf, type CheckDraft, CheckForm, draftOf, newDraft, useCheckTypes } from "./check-form.tsx";
import type { Check, CheckType, Guard } from "./guards.ts";
import { useSaveGuard } from "./save-guard.ts";
import "./guards.css";

export function GuardChecks({ guard }: { guard: Guard }) {
  const { changes } = useRights();
  const types = useCheckTypes(guard.type);
  const save = useSaveGuard(guard.slug);
  const [edited, setEdited] = useState<CheckDraft>();
  const canEdit = changes && !guard.is_builtin;
  const remove = (id: string) =>
    save.mutate({ checks: guard.checks.filter((check) => check.id !== id).map(writtenOf) });
  return (
    <Section
      title="Checks"
      description={
        guard.is_builtin
          ? "The checks of built-in guards are maintained with Gatehouse."
          : "The guard fires if one of them has a finding."
      }
      actions={
        canEdit && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            disabled={types.length === 0}
            onClick={() => setEdited(newDraft(types[0]))}
          >
            Add check
          </Button>
        )
      }
    >
      <ul className="gh-guard-checks">
        {guard.checks.map((check) => (
          <li key={check.id}>
            <CheckRow check={check} types={types} />
            {canEdit && (
              <Group gap={4} wrap="nowrap">
                <Tooltip label="Edit">
                  <ActionIcon aria-label={`Edit ${check.name}`} onClick={() => setEdited(draftOf(check, types))}>
                    <IconPencil size={16} />
                  </ActionIcon>
                </Tooltip>
                <Tooltip label={guard.checks.length === 1 ? "A guard needs a check" : "Remove"}>
                  <ActionIcon
                    aria-label={`Remove ${check.name}`}
                    disabled={guard.checks.length === 1 || save.isPending}
                    onClick={() => remove(check.id)}
                  >
                    <IconX size={16} />
                  </ActionIcon>
                </Tooltip>
              </Group>
            )}
          </li>
        ))}
      </ul>
      <ErrorNote error={edited ? null : save.error} />
      <CheckDialog guard={guard} types={types} draft={edited} onChange={setEdited} />
    </Section>
  );
}

function CheckRow({ check, types }: { check: Check; types: readonly CheckType[] }) {
  const type = types.find((each) => each.type === check.type);
  const config = Object.entries(check.config);
  return (
    <span className="gh-guard-check">
      <Text size="sm" fw={500} span>
        {check.name}
      </Text>
      <Text size="xs" c="dimmed" span>
        {type?.name ?? check.type}
        {type && !type.graded && `, certainty ${check.certainty}`}
      </Text>
      {config.length > 0 && (
        <pre className="gh-guard-config">
          {config.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join("\n")}
        </pre>
      )}
    </span>
  );
}

interface CheckDialogProps {
  readonly guard: Guard;
  readonly types: readonly CheckType[];
  /** Undefined: closed. */
  readonly draft: CheckDraft | undefined;
  onChange(draft: CheckDraft | undefined): void;
}

function CheckDialog({ guard, types, draft, onChange }: CheckDialogProps) {
  const save = useSaveGuard(guard.slug);
  const close = () => {
    save.reset();
    onChange(undefined);
  };
  const body = draft && bodyOf(draft, types);
  const submit = () => {
    if (!body) return;
    const others = guard.checks.map((check) => (check.id === draft?.id ? body : writtenOf(check)));
    save.mutate({ checks: draft?.id === undefined ? [...others, body] : others }, { onSuccess: close });
  };
  return (
    <FormDialog
      opened={draft !== undefined}
      onClose={close}
      title={draft?.id === undefined ? "Add check" : "Edit check"}
    >
      {draft && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <CheckForm types={types} draft={draft} onChange={onChange} />
          <ErrorNote error={save.error} />
          <DialogActions onCancel={close} isWorking={save.isPending} isDisabled={body === undefined}>
            Save
          </DialogActions>
        </form>
      )}
    </FormDialog>
  );
}

/** A stored check as it is sent back. Its secrets stay as they are. */
function writtenOf({ id, type, name, certainty, config }: Check) {
  return { id, type, name, certainty, config };
}
