import { Modal } from "@mantine/core";
import type { Pickable } from "../../components/pick.tsx";
import { emailsIn } from "../users/emails-in.ts";
import { PickUsers } from "../users/pick-users.tsx";
import { AddForm } from "./add-form.tsx";
import type { Group } from "./groups.ts";
import { useMembership } from "./membership.ts";

interface AddDialogProps {
  readonly group: Group;
  readonly opened: boolean;
  onClose(): void;
}

/** One address alone is searched for like whatever is typed. */
function pastedEmails(text: string): readonly Pickable[] {
  const emails = emailsIn(text);
  return emails.length < 2 ? [] : emails.map((email) => ({ value: email, label: email }));
}

/** D20: all are added or none, and the API names those that it does not know. */
function unknownEmails(error: Error): readonly string[] {
  return /^Users not found: (.+)$/.exec(error.message)?.[1]?.split(", ") ?? [];
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
          pick={(picking) => (
            <PickUsers
              label="People and machine users"
              description="Search, or paste a list of e-mail addresses."
              autoFocus
              pickPasted={pastedEmails}
              {...picking}
            />
          )}
          unknownIn={unknownEmails}
        />
      )}
    </Modal>
  );
}
