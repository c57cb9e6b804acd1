import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Section } from "../../components/section.tsx";
import { DeleteUser } from "./delete-user.tsx";
import { ScimManaged } from "./scim-managed.tsx";
import { disableConsequence, SetDisabled } from "./set-disabled.tsx";
import type { User } from "./users.ts";

interface UserDangerProps {
  readonly user: User;
  onDeleted(): Promise<void>;
}

/** Disabling, which can be undone, and deleting, which cannot. */
export function UserDanger({ user, onDeleted }: UserDangerProps) {
  const [isDeleting, deleting] = useDisclosure();
  const [isDisabling, disabling] = useDisclosure();
  const { disabled, suspended, slug, provisioned_by: provisioner } = user;
  return (
    <>
      {suspended ? (
        <Section
          title="Suspended"
          description="Your identity provider deactivated this person. They have no access. Group memberships and connections are kept."
        />
      ) : (
        <Section
          title={disabled ? "Disabled" : "Disable"}
          description={
            disabled
              ? "A disabled user has no access. Group memberships and connections are kept."
              : disableConsequence(user)
          }
          actions={
            <Button variant="default" onClick={disabling.open}>
              {disabled ? "Enable…" : "Disable…"}
            </Button>
          }
        />
      )}
      {provisioner === "scim" ? (
        <ScimManaged name={user.name} target={{ emails: [user.email] }}>
          Your identity provider manages the name, the email, and the deletion of this person.
        </ScimManaged>
      ) : (
        <Section
          danger
          title={slug === undefined ? "Delete user" : "Delete machine user"}
          description="Also deletes group memberships, access keys, and connections. Logged calls are kept. This cannot be undone."
          actions={
            <Button color="red" variant="outline" onClick={deleting.open}>
              Delete…
            </Button>
          }
        />
      )}
      <SetDisabled user={user} opened={isDisabling} onClose={disabling.close} />
      <DeleteUser user={user} opened={isDeleting} onClose={deleting.close} onDeleted={onDeleted} />
    </>
  );
}
