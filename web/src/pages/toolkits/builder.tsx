import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
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
  const [entries, setEntries] = useState<readonly Entry[]>(toolkit.tools);
  const [items, setItems] = useState({ prompts: toolkit.prompts, resources: toolkit.resources });
  const [edited, setEdited] = useState<number>();
  const has = (server: string, tool: string) => entries.some((entry) => entry.server === server && entry.tool === tool);
  const toggle = (server: string, tool: string, isIn: boolean) =>
    setEntries(
      isIn
        ? [...entries, emptyEntry(server, tool)]
        : entries.filter((entry) => entry.server !== server || entry.tool !== tool),
    );
  const content: Content = { tools: entries, ...items };
  const restore = ({ tools, prompts, resources }: Content) => {
    setEntries(tools);
    setItems({ prompts, resources });
  };
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
        onChange={setItems}
      />
      <PreviewPanel toolkit={toolkit} entries={entries} />
      <SaveBar toolkit={toolkit} content={content} onRestore={restore} />
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

interface SaveBarProps {
  readonly toolkit: Toolkit;
  readonly content: Content;
  /** Replaces the edited content with the saved one. */
  onRestore(saved: Content): void;
}

/** Appears with the first change. */
function SaveBar({ toolkit, content, onRestore }: SaveBarProps) {
  const save = useSaveToolkit(toolkit);
  const { tools, prompts, resources } = toolkit;
  const isChanged = JSON.stringify(content) !== JSON.stringify({ tools, prompts, resources });
  const body = {
    tools: content.tools.map(bodyOf),
    prompts: content.prompts.map((prompt) => ({ ...prompt })),
    resources: content.resources.map((resource) => ({ ...resource })),
  };
  return (
    <>
      {save.data?.warnings && !isChanged && (
        <Note tone="warn">Saved, but these entries have no effect now: {save.data.warnings.join(". ")}</Note>
      )}
      <ErrorNote error={save.error} />
      {isChanged && (
        <Group justify="flex-end" gap="sm" className="gh-builder-save">
          <Text size="sm" c="dimmed">
            Unsaved changes
          </Text>
          <Button variant="default" disabled={save.isPending} onClick={() => onRestore(toolkit)}>
            Discard
          </Button>
          <Button
            loading={save.isPending}
            onClick={() => save.mutate(body, { onSuccess: ({ data }) => onRestore(data) })}
          >
            Save changes
          </Button>
        </Group>
      )}
    </>
  );
}
