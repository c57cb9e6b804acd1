import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Section } from "../../components/section.tsx";
import { DeleteUser } from "./delete-user.tsx";
import { useSetDisabled } from "./set-disabled.ts";
import type { User } from "./users.ts";

interface UserDangerProps {
  readonly user: User;
  onDeleted(): Promise<void>;
}

/** Disabling, which can be undone, and deleting, which cannot. */
export function UserDanger({ user, onDeleted }: UserDangerProps) {
  const [isDeleting, deleting] = useDisclosure();
  const setDisabled = useSetDisabled(user);
  const { disabled, slug } = user;
  const consequence =
    slug === undefined
      ? "The user is signed out and their MCP clients are disconnected. Group memberships and connections are kept."
      : "Its access key stops working immediately. Group memberships and connections are kept.";
  return (
    <>
      <Section
        title={disabled ? "Disabled" : "Disable"}
        description={
          disabled ? "A disabled user has no access. Group memberships and connections are kept." : consequence
        }
        actions={
          <Button variant="default" loading={setDisabled.isPending} onClick={() => setDisabled.mutate(!disabled)}>
            {disabled ? "Enable" : "Disable"}
          </Button>
        }
      />
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
      <DeleteUser user={user} opened={isDeleting} onClose={deleting.close} onDeleted={onDeleted} />
    </>
  );
}
