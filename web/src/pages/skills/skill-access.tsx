import { Stack } from "@mantine/core";
import { CopyField } from "../../components/copy-field.tsx";
import { Note } from "../../components/note.tsx";
import { Section } from "../../components/section.tsx";
import { GroupsOf } from "../groups/groups-of.tsx";
import { InstallLines } from "./install-lines.tsx";
import { useSaveSkill } from "./save-skill.ts";
import type { SkillDetail } from "./skills.ts";

export function SkillAccess({ skill }: { skill: SkillDetail }) {
  const save = useSaveSkill(skill);
  return (
    <>
      <GroupsOf
        groups={skill.groups}
        description="Members of these groups can use the skill."
        tab="skills"
        save={save}
      />
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
