import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { AddTools } from "./add-tools.tsx";
import { EditEntry } from "./edit-entry.tsx";
import { EntryList } from "./entry-list.tsx";
import { useSaveToolkit } from "./save-toolkit.ts";
import { type Entry, emptyEntry, type Toolkit } from "./toolkits.ts";
import "./toolkits.css";

/** Servers and their tools on the left, the toolkit with its changes on the right. Nothing is saved before "Save". */
export function Builder({ toolkit }: { toolkit: Toolkit }) {
  const { changes } = useRights();
  const [entries, setEntries] = useState<readonly Entry[]>(toolkit.tools);
  const [edited, setEdited] = useState<number>();
  const save = useSaveToolkit(toolkit);
  const isChanged = JSON.stringify(entries) !== JSON.stringify(toolkit.tools);
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
          isReadOnly={!changes}
          onEdit={setEdited}
          onRemove={(at) => setEntries(entries.filter((_, index) => index !== at))}
        />
      </div>
      {save.data?.warnings && !isChanged && (
        <Note tone="warn">Saved, but these entries have no effect now: {save.data.warnings.join(". ")}</Note>
      )}
      <ErrorNote error={save.error} />
      {isChanged && (
        <Group justify="flex-end" gap="sm" className="gh-builder-save">
          <Text size="sm" c="dimmed">
            Unsaved changes
          </Text>
          <Button variant="default" disabled={save.isPending} onClick={() => setEntries(toolkit.tools)}>
            Discard
          </Button>
          <Button
            loading={save.isPending}
            onClick={() =>
              save.mutate(
                { tools: entries.map((entry) => bodyOf(entry)) },
                { onSuccess: ({ data }) => setEntries(data.tools) },
              )
            }
          >
            Save changes
          </Button>
        </Group>
      )}
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

/** "*" takes no changes, not even empty ones. */
function bodyOf({ server, tool, ...changes }: Entry) {
  return tool === "*" ? { server, tool } : { server, tool, ...changes };
}
