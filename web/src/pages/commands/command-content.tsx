import { Button, Group, Textarea } from "@mantine/core";
import { useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { LeaveDialog } from "../../components/leave-dialog.tsx";
import { changedFields, useSavedForm } from "../../components/saved-form.ts";
import { CommandArguments } from "./command-arguments.tsx";
import { CommandPreview } from "./command-preview.tsx";
import type { Command } from "./commands.ts";
import { useSaveCommand } from "./save-command.ts";

/** The template and its arguments, next to a form that renders them. */
export function CommandContent({ command }: { command: Command }) {
  const { changes } = useRights();
  const save = useSaveCommand(command);
  const saved = { content: command.content, arguments: [...command.arguments] };
  const { form, onSubmit, isWorking, error } = useSavedForm({
    saved,
    // The arguments have no place for errors.
    fieldOf: () => undefined,
    submit: (values, before) => save.mutateAsync(changedFields(before, values)),
  });
  const { content, arguments: shown } = form.values;
  // Arguments that were not changed are derived again from the content.
  const draft = { ...changedFields(saved, form.values), content };
  return (
    <div className="gh-command-editor">
      <form className="gh-command-source" onSubmit={onSubmit} noValidate>
        <Textarea
          label="Content"
          description="{{name}} is replaced by an argument, $1 to $9 by its position, and $ARGUMENTS by everything that was typed."
          className="gh-skill-source"
          autosize
          minRows={10}
          readOnly={!changes}
          {...form.getInputProps("content")}
        />
        <h2>Arguments</h2>
        <CommandArguments
          value={shown}
          isReadOnly={!changes}
          onChange={(declared) => form.setFieldValue("arguments", declared)}
        />
        <ErrorNote error={error} />
        {changes && (
          <Group gap="xs">
            <Button type="submit" loading={isWorking} disabled={!form.isDirty()}>
              Save changes
            </Button>
            {form.isDirty() && (
              <Button variant="default" disabled={isWorking} onClick={form.reset}>
                Discard
              </Button>
            )}
          </Group>
        )}
        <LeaveDialog isEdited={form.isDirty()} />
      </form>
      <CommandPreview slug={command.slug} draft={draft} shown={shown} />
    </div>
  );
}
