import { Select, Stack } from "@mantine/core";
import { useState } from "react";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useAllGroups } from "../groups/groups.ts";

interface BulkGroupDialogProps {
  /** Undefined: closed. */
  readonly how: "add" | "remove" | undefined;
  /** "3 servers" */
  readonly count: string;
  /** The groups of each selected server. */
  readonly groupsOfEach: ReadonlyArray<readonly string[]>;
  onChoose(group: string): void;
  onClose(): void;
}

export function BulkGroupDialog({ how, count, groupsOfEach, onChoose, onClose }: BulkGroupDialogProps) {
  const title = how === "remove" ? `Remove ${count} from a group` : `Add ${count} to a group`;
  return (
    <FormDialog opened={how !== undefined} onClose={onClose} title={title}>
      {how !== undefined && (
        <GroupForm isRemoval={how === "remove"} groupsOfEach={groupsOfEach} onChoose={onChoose} onClose={onClose} />
      )}
    </FormDialog>
  );
}

interface GroupFormProps extends Pick<BulkGroupDialogProps, "groupsOfEach" | "onChoose" | "onClose"> {
  readonly isRemoval: boolean;
}

function GroupForm({ isRemoval, groupsOfEach, onChoose, onClose }: GroupFormProps) {
  const groups = useAllGroups();
  const [group, setGroup] = useState<string | null>(null);
  // Adding skips groups that contain all selected servers, and removing those that contain none.
  const isUseful = (name: string) =>
    isRemoval ? groupsOfEach.some((each) => each.includes(name)) : !groupsOfEach.every((each) => each.includes(name));
  const options = (groups ?? []).map(({ name }) => name).filter(isUseful);
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
          data={options}
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
