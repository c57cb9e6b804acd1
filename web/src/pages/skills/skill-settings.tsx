import { Button, TagsInput, Textarea, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { withBasePath } from "../../api/base-path.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { useSavedForm } from "../../components/saved-form.ts";
import { Section } from "../../components/section.tsx";
import { DeleteSection } from "../records/delete-section.tsx";
import { SettingsFields } from "../records/settings-fields.tsx";
import { useSaveSkill } from "./save-skill.ts";
import { type SkillDetail, skillsKey } from "./skills.ts";

export function SkillSettings({ skill }: { skill: SkillDetail }) {
  const { changes } = useRights();
  return (
    <>
      <General skill={skill} />
      <Section
        title="Download"
        description="A ZIP file with the current version."
        actions={
          <Button
            component="a"
            href={withBasePath(`/api/skills/${skill.slug}/download`)}
            download={`${skill.slug}.zip`}
            variant="default"
            leftSection={<IconDownload size={16} />}
          >
            Download skill
          </Button>
        }
      />
      {changes && <Danger skill={skill} />}
    </>
  );
}

function General({ skill }: { skill: SkillDetail }) {
  const save = useSaveSkill(skill);
  const serverForm = useSavedForm({
    saved: {
      description: skill.description,
      license: skill.license ?? "",
      compatibility: skill.compatibility ?? "",
      allowed_tools: [...skill.allowed_tools],
    },
    validate: ({ description }): { description?: string } =>
      description.trim() === "" ? { description: "Enter a description" } : {},
    submit: ({ description, license, compatibility, allowed_tools }) =>
      save.mutateAsync({
        ...{ description: description.trim(), allowed_tools },
        ...{ license: license.trim() || null, compatibility: compatibility.trim() || null },
      }),
  });
  const { form } = serverForm;
  return (
    <Section title="Front matter" description="A change writes SKILL.md again, as a new version.">
      <SettingsFields form={serverForm}>
        <Textarea
          label="Description"
          description="What the skill does and when to use it. Models decide by this text."
          autosize
          minRows={2}
          maxRows={10}
          {...form.getInputProps("description")}
        />
        <TextInput label="License" {...form.getInputProps("license")} />
        <TextInput
          label="Compatibility"
          description="What the skill requires of its environment"
          {...form.getInputProps("compatibility")}
        />
        <TagsInput
          label="Allowed tools"
          description="Tools that clients may use without asking. The gateway ignores them."
          {...form.getInputProps("allowed_tools")}
        />
      </SettingsFields>
    </Section>
  );
}

function Danger({ skill: { slug, name } }: { skill: SkillDetail }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <DeleteSection
      kind="skill"
      name={name}
      slug={slug}
      description="Deletes all versions. Members can no longer read it."
      remove={() => api.deleteSkill({ query: { slug } })}
      onDeleted={async () => {
        await navigate({ to: "/skills", replace: true });
        await queries.invalidateQueries({ queryKey: skillsKey });
      }}
    >
      All versions are deleted. MCP clients get an error when they read the skill.
    </DeleteSection>
  );
}
