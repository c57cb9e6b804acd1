import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useRights } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import type { Pickable } from "../../components/pick.tsx";
import { Section } from "../../components/section.tsx";
import { PickGroups } from "../groups/pick-groups.tsx";
import type { Command } from "./commands.ts";
import { useSaveCommand } from "./save-command.ts";

export function CommandAccess({ command }: { command: Command }) {
  return (
    <>
      <GroupsOf command={command} />
      <Section
        title="At the gateway"
        description="Members find the command among the prompts of their MCP clients, usually as a slash command."
      >
        <Stack gap="sm" maw="40rem">
          {command.status === "draft" && <Note tone="info">Members get the command when it is active.</Note>}
          <CopyField value={command.slug} label="Name of the prompt" />
        </Stack>
      </Section>
    </>
  );
}

function GroupsOf({ command }: { command: Command }) {
  const { changes } = useRights();
  const [isEditing, setEditing] = useState(false);
  return (
    <Section title="Groups" description="Members of these groups can use the command.">
      {isEditing ? (
        <GroupsForm command={command} onClose={() => setEditing(false)} />
      ) : (
        <Group gap="md">
          {command.groups.length === 0 && <span className="gh-dim">No groups</span>}
          {command.groups.map((name) => (
            <TextLink key={name} to="/groups/$name" params={{ name }} search={{ tab: "commands" }} size="sm">
              {name}
            </TextLink>
          ))}
          {changes && (
            <Button variant="default" size="compact-sm" onClick={() => setEditing(true)}>
              Change groups
            </Button>
          )}
        </Group>
      )}
    </Section>
  );
}

function GroupsForm({ command, onClose }: { command: Command; onClose: () => void }) {
  const [picked, setPicked] = useState<readonly Pickable[]>(
    command.groups.map((name) => ({ value: name, label: name })),
  );
  const save = useSaveCommand(command);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ groups: picked.map(({ value }) => value) }, { onSuccess: onClose });
      }}
    >
      <Stack gap="xs" maw="32rem">
        <PickGroups label="Groups" picked={picked} onPick={setPicked} />
        <ErrorNote error={save.error} />
        <Group gap="xs">
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
          <Button variant="default" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
