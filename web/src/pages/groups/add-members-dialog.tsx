import { Modal } from "@mantine/core";
import { PickUsers } from "../users/pick-users.tsx";
import { AddForm } from "./add-form.tsx";
import type { Group } from "./groups.ts";
import { useMembership } from "./membership.ts";

interface AddDialogProps {
  readonly group: Group;
  readonly opened: boolean;
  onClose(): void;
}

export function AddMembersDialog({ group, opened, onClose }: AddDialogProps) {
  const { addUsers } = useMembership();
  return (
    <Modal opened={opened} onClose={onClose} title={`Add members to ${group.name}`}>
      {opened && (
        <AddForm
          noun="member"
          submit={(emails) => addUsers(group.name, emails)}
          onClose={onClose}
          pick={(picking) => <PickUsers label="People and machine users" autoFocus {...picking} />}
        />
      )}
    </Modal>
  );
}
