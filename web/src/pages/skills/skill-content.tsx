import { Button, Group, SegmentedControl, Textarea } from "@mantine/core";
import { useState } from "react";
import { useRights } from "../../api/context.tsx";
import { useDraft } from "../../components/draft.ts";
import { ErrorNote } from "../../components/error-state.tsx";
import { LeaveDialog } from "../../components/leave-dialog.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { OutdatedNote } from "../../components/outdated-note.tsx";
import { useSaveSkill } from "./save-skill.ts";
import type { SkillDetail } from "./skills.ts";

/** The instructions as Markdown, next to their preview on wide screens. */
export function SkillContent({ skill }: { skill: SkillDetail }) {
  const { changes } = useRights();
  const [shown, setShown] = useState(changes ? "source" : "preview");
  const save = useSaveSkill(skill);
  const { value: content, isEdited, ...draft } = useDraft(skill.content, save.isPending);
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
            {isEdited && <span className="gh-dim">Unsaved changes</span>}
            {isEdited && (
              <Button variant="default" onClick={draft.discard} disabled={save.isPending}>
                Discard
              </Button>
            )}
            <Button
              onClick={() => save.mutate({ content }, { onSuccess: () => draft.finish(content) })}
              loading={save.isPending}
              disabled={!isEdited}
            >
              Save changes
            </Button>
          </Group>
        )}
      </div>
      {draft.isOutdated && <OutdatedNote onReload={draft.discard} />}
      <LeaveDialog isEdited={isEdited} />
      <ErrorNote error={save.error} />
      <div className="gh-skill-panes">
        <Textarea
          aria-label="Instructions in Markdown"
          className="gh-skill-source"
          autosize
          minRows={18}
          value={content}
          readOnly={!changes}
          onChange={(event) => draft.set(event.currentTarget.value)}
        />
        <section aria-label="Preview" className="gh-skill-preview">
          <Markdown text={content} />
        </section>
      </div>
    </div>
  );
}
