import { Modal, Select, Stack } from "@mantine/core";
import { useState } from "react";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { useAllGroups } from "../groups/groups.ts";

interface BulkGroupDialogProps {
  /** Undefined: closed. */
  readonly how: "add" | "remove" | undefined;
  /** "3 servers" */
  readonly count: string;
  onChoose(group: string): void;
  onClose(): void;
}

export function BulkGroupDialog({ how, count, onChoose, onClose }: BulkGroupDialogProps) {
  const title = how === "remove" ? `Remove ${count} from a group` : `Add ${count} to a group`;
  return (
    <Modal opened={how !== undefined} onClose={onClose} title={title}>
      {how !== undefined && <GroupForm isRemoval={how === "remove"} onChoose={onChoose} onClose={onClose} />}
    </Modal>
  );
}

interface GroupFormProps extends Pick<BulkGroupDialogProps, "onChoose" | "onClose"> {
  readonly isRemoval: boolean;
}

function GroupForm({ isRemoval, onChoose, onClose }: GroupFormProps) {
  const groups = useAllGroups();
  const [group, setGroup] = useState<string | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (group !== null) onChoose(group);
      }}
    >
      <Stack gap="md">
        <Select
          label="Group"
          description={
            isRemoval
              ? "Its members lose access to these servers."
              : "Its members get access to the active ones immediately."
          }
          placeholder="Choose a group"
          data={(groups ?? []).map(({ name }) => name)}
          value={group}
          onChange={setGroup}
          nothingFoundMessage="No matching group"
          searchable
          data-autofocus
        />
        <DialogActions onCancel={onClose} isDisabled={group === null}>
          {isRemoval ? "Remove from group" : "Add to group"}
        </DialogActions>
      </Stack>
    </form>
  );
}
