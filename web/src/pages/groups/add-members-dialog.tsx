import { FormDialog } from "../../components/form-dialog.tsx";
import type { Pickable } from "../../components/pick.tsx";
import { extractEmails } from "../users/extract-emails.ts";
import { PickUsers } from "../users/pick-users.tsx";
import { AddForm } from "./add-form.tsx";
import type { Group } from "./groups.ts";
import { useMembership } from "./membership.ts";

interface AddDialogProps {
  readonly group: Group;
  readonly opened: boolean;
  onClose(): void;
}

/** A single pasted email is a search. Two or more are picked directly. */
function pastedEmails(text: string): readonly Pickable[] {
  const emails = extractEmails(text);
  return emails.length < 2 ? [] : emails.map((email) => ({ value: email, label: email }));
}

/** D20: the API adds all users or none, and its error lists the unknown emails. */
function unknownEmails(error: Error): readonly string[] {
  return /^Users not found: (.+)$/.exec(error.message)?.[1]?.split(", ") ?? [];
}

export function AddMembersDialog({ group, opened, onClose }: AddDialogProps) {
  const { addUsers } = useMembership();
  return (
    <FormDialog opened={opened} onClose={onClose} title={`Add members to ${group.name}`}>
      {opened && (
        <AddForm
          noun="member"
          submit={(emails) => addUsers(group.name, emails)}
          onClose={onClose}
          pick={(picking) => (
            <PickUsers
              label="Users and machine users"
              description="Search, or paste a list of emails."
              excludeGroup={group.name}
              autoFocus
              pickPasted={pastedEmails}
              {...picking}
            />
          )}
          unknownIn={unknownEmails}
        />
      )}
    </FormDialog>
  );
}
