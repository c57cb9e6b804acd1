import { Button, Group, Textarea } from "@mantine/core";
import { useState } from "react";
import { useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { CommandArguments } from "./command-arguments.tsx";
import { CommandPreview } from "./command-preview.tsx";
import type { Command, CommandArgument } from "./commands.ts";
import { useSaveCommand } from "./save-command.ts";

/** The template and its arguments, next to a form that renders them. */
export function CommandContent({ command }: { command: Command }) {
  const { changes } = useRights();
  const [content, setContent] = useState(command.content);
  /** Undefined: unchanged. Arguments that follow from the content are then derived again. */
  const [declared, setDeclared] = useState<CommandArgument[] | undefined>();
  const save = useSaveCommand(command);
  const isDirty = content !== command.content || declared !== undefined;
  const draft = { content, ...(declared && { arguments: declared }) };
  const shown = declared ?? command.arguments;
  return (
    <div className="gh-command-editor">
      <div className="gh-command-source">
        <Textarea
          label="Content"
          description="{{name}} is replaced by an argument, $1 to $9 by its position, and $ARGUMENTS by everything that was typed."
          className="gh-skill-source"
          autosize
          minRows={10}
          value={content}
          readOnly={!changes}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
        <h2>Arguments</h2>
        <CommandArguments value={shown} isReadOnly={!changes} onChange={setDeclared} />
        <ErrorNote error={save.error} />
        {changes && (
          <Group gap="xs">
            <Button onClick={() => save.mutate(draft)} loading={save.isPending} disabled={!isDirty}>
              Save changes
            </Button>
            {isDirty && (
              <Button
                variant="default"
                disabled={save.isPending}
                onClick={() => {
                  setContent(command.content);
                  setDeclared(undefined);
                }}
              >
                Discard
              </Button>
            )}
          </Group>
        )}
      </div>
      <CommandPreview slug={command.slug} draft={draft} shown={shown} />
    </div>
  );
}
