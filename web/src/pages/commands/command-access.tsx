import { Stack } from "@mantine/core";
import { CopyField } from "../../components/copy-field.tsx";
import { Note } from "../../components/note.tsx";
import { Section } from "../../components/section.tsx";
import { GroupsOf } from "../groups/groups-of.tsx";
import type { Command } from "./commands.ts";
import { useSaveCommand } from "./save-command.ts";

export function CommandAccess({ command }: { command: Command }) {
  const save = useSaveCommand(command);
  return (
    <>
      <GroupsOf
        groups={command.groups}
        description="Members of these groups can use the command."
        tab="commands"
        save={save}
      />
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
