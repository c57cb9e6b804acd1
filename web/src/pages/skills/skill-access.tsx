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
import { InstallLines } from "./install-lines.tsx";
import { useSaveSkill } from "./save-skill.ts";
import type { SkillDetail } from "./skills.ts";

export function SkillAccess({ skill }: { skill: SkillDetail }) {
  return (
    <>
      <GroupsOf skill={skill} />
      <Section title="At the gateway" description="Members find it in the lists of their MCP clients under this URI.">
        <Stack gap="sm" maw="40rem">
          {skill.status === "draft" && <Note tone="info">Members get the skill when it is active.</Note>}
          <CopyField value={`skill://${skill.slug}/SKILL.md`} label="URI of the skill" />
        </Stack>
      </Section>
      <Section title="Install as files" description="For clients that do not read resources. Requires an access key.">
        <Stack maw="44rem">
          <InstallLines slug={skill.slug} />
        </Stack>
      </Section>
    </>
  );
}

function GroupsOf({ skill }: { skill: SkillDetail }) {
  const { changes } = useRights();
  const [isEditing, setEditing] = useState(false);
  return (
    <Section title="Groups" description="Members of these groups can use the skill.">
      {isEditing ? (
        <GroupsForm skill={skill} onClose={() => setEditing(false)} />
      ) : (
        <Group gap="md">
          {skill.groups.length === 0 && <span className="gh-dim">No groups</span>}
          {skill.groups.map((name) => (
            <TextLink key={name} to="/groups/$name" params={{ name }} search={{ tab: "skills" }} size="sm">
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

function GroupsForm({ skill, onClose }: { skill: SkillDetail; onClose: () => void }) {
  const [picked, setPicked] = useState<readonly Pickable[]>(skill.groups.map((name) => ({ value: name, label: name })));
  const save = useSaveSkill(skill);
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
