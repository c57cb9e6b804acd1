import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useRights } from "../../api/context.tsx";
import { type Draft, useDraft } from "../../components/draft.ts";
import { ErrorNote } from "../../components/error-state.tsx";
import { LeaveDialog } from "../../components/leave-dialog.tsx";
import { Note } from "../../components/note.tsx";
import { OutdatedNote } from "../../components/outdated-note.tsx";
import { AddTools } from "./add-tools.tsx";
import { EditEntry } from "./edit-entry.tsx";
import { EntryList } from "./entry-list.tsx";
import { ItemCheckboxes } from "./item-checkboxes.tsx";
import { PreviewPanel, TokenEstimate } from "./preview-panel.tsx";
import { useSaveToolkit } from "./save-toolkit.ts";
import { bodyOf, type Entry, emptyEntry, type Toolkit } from "./toolkits.ts";
import "./toolkits.css";

/** Servers and their tools on the left, the toolkit with its changes on the right. Nothing is saved before "Save". */
export function Builder({ toolkit }: { toolkit: Toolkit }) {
  const { changes } = useRights();
  const save = useSaveToolkit(toolkit);
  const draft = useDraft(contentOf(toolkit), save.isPending);
  const { tools: entries, ...items } = draft.value;
  const setEntries = (tools: readonly Entry[]) => draft.set(contentOf({ ...items, tools }));
  const [edited, setEdited] = useState<number>();
  const has = (server: string, tool: string) => entries.some((entry) => entry.server === server && entry.tool === tool);
  const toggle = (server: string, tool: string, isIn: boolean) =>
    setEntries(
      isIn
        ? [...entries, emptyEntry(server, tool)]
        : entries.filter((entry) => entry.server !== server || entry.tool !== tool),
    );
  return (
    <>
      <div className="gh-builder">
        {changes && <AddTools has={has} onToggle={toggle} />}
        <EntryList
          entries={entries}
          broken={toolkit.broken_tools}
          estimate={<TokenEstimate toolkit={toolkit} entries={entries} />}
          isReadOnly={!changes}
          onEdit={setEdited}
          onRemove={(at) => setEntries(entries.filter((_, index) => index !== at))}
        />
      </div>
      <ItemCheckboxes
        servers={[...new Set(entries.map(({ server }) => server))]}
        items={items}
        isReadOnly={!changes}
        onChange={(changed) => draft.set(contentOf({ ...changed, tools: entries }))}
      />
      <PreviewPanel toolkit={toolkit} entries={entries} />
      <SaveBar draft={draft} save={save} />
      <EditEntry
        entry={edited === undefined ? undefined : entries[edited]}
        onClose={() => setEdited(undefined)}
        onApply={(entry) => setEntries(entries.map((old, index) => (index === edited ? entry : old)))}
        onDuplicate={(entry) => {
          setEntries([...entries, entry]);
          setEdited(entries.length);
        }}
      />
    </>
  );
}

interface Content extends Pick<Toolkit, "prompts" | "resources"> {
  readonly tools: readonly Entry[];
}

/** In one order, because drafts are compared as JSON. */
function contentOf({ tools, prompts, resources }: Content): Content {
  return { tools, prompts, resources };
}

interface SaveBarProps {
  readonly draft: Draft<Content>;
  readonly save: ReturnType<typeof useSaveToolkit>;
}

/** Appears with the first change. */
function SaveBar({ draft, save }: SaveBarProps) {
  const { value: content, isEdited } = draft;
  const body = {
    tools: content.tools.map(bodyOf),
    prompts: content.prompts.map((prompt) => ({ ...prompt })),
    resources: content.resources.map((resource) => ({ ...resource })),
  };
  return (
    <>
      {save.data?.warnings && !isEdited && (
        <Note tone="warn">Saved, but these entries have no effect now: {save.data.warnings.join(". ")}</Note>
      )}
      <ErrorNote error={save.error} />
      {draft.isOutdated && <OutdatedNote onReload={draft.discard} />}
      {isEdited && (
        <Group justify="flex-end" gap="sm" className="gh-builder-save">
          <Text size="sm" c="dimmed">
            Unsaved changes
          </Text>
          <Button variant="default" disabled={save.isPending} onClick={draft.discard}>
            Discard
          </Button>
          <Button
            loading={save.isPending}
            onClick={() => save.mutate(body, { onSuccess: () => draft.finish(content) })}
          >
            Save changes
          </Button>
        </Group>
      )}
      <LeaveDialog isEdited={isEdited} />
    </>
  );
}
