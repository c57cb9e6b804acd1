import { Button, Group, SegmentedControl, Textarea } from "@mantine/core";
import { useState } from "react";
import { useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { useSaveSkill } from "./save-skill.ts";
import type { SkillDetail } from "./skills.ts";

/** The instructions as Markdown, next to their preview on wide screens. */
export function SkillContent({ skill }: { skill: SkillDetail }) {
  const { changes } = useRights();
  const [content, setContent] = useState(skill.content);
  const [shown, setShown] = useState(changes ? "source" : "preview");
  const save = useSaveSkill(skill);
  const isDirty = content !== skill.content;
  return (
    <div className="gh-skill-editor" data-shown={shown}>
      <div className="gh-skill-bar">
        <SegmentedControl
          className="gh-skill-switch"
          aria-label="View"
          value={shown}
          onChange={setShown}
          data={[
            { value: "source", label: "Markdown" },
            { value: "preview", label: "Preview" },
          ]}
        />
        {changes && (
          <Group gap="xs" ml="auto">
            {isDirty && <span className="gh-dim">Unsaved changes</span>}
            {isDirty && (
              <Button variant="default" onClick={() => setContent(skill.content)} disabled={save.isPending}>
                Discard
              </Button>
            )}
            <Button onClick={() => save.mutate({ content })} loading={save.isPending} disabled={!isDirty}>
              Save changes
            </Button>
          </Group>
        )}
      </div>
      <ErrorNote error={save.error} />
      <div className="gh-skill-panes">
        <Textarea
          aria-label="Instructions in Markdown"
          className="gh-skill-source"
          autosize
          minRows={18}
          value={content}
          readOnly={!changes}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
        <section aria-label="Preview" className="gh-skill-preview">
          <Markdown text={content} />
        </section>
      </div>
    </div>
  );
}
