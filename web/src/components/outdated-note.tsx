import { Button } from "@mantine/core";
import { Note } from "./note.tsx";

/** Shown while saving would overwrite a change that was made after the edit started. */
export function OutdatedNote({ onReload }: { onReload(): void }) {
  return (
    <Note tone="warn">
      This was changed elsewhere while you edited it. Saving replaces that change. Reloading discards your edits.
      <Button size="compact-sm" variant="default" mt="xs" display="block" onClick={onReload}>
        Discard edits and reload
      </Button>
    </Note>
  );
}
