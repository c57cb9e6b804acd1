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

/** Shutting out, which can be taken back, and deleting, which cannot. */
export function UserDanger({ user, onDeleted }: UserDangerProps) {
  const [isDeleting, deleting] = useDisclosure();
  const setDisabled = useSetDisabled(user);
  const { disabled, slug } = user;
  const shutOut =
    slug === undefined
      ? "They are signed out and their MCP clients are disconnected. Groups and connections stay for when they are enabled again."
      : "Its key is refused at once, and nothing is forgotten: enabling brings it back.";
  return (
    <>
      <Section
        title={disabled ? "Disabled" : "Disable"}
        description={disabled ? "Reaches nothing until it is enabled again." : shutOut}
        actions={
          <Button variant="default" loading={setDisabled.isPending} onClick={() => setDisabled.mutate(!disabled)}>
            {disabled ? "Enable" : "Disable"}
          </Button>
        }
      />
      <Section
        danger
        title={slug === undefined ? "Delete this person" : "Delete this machine user"}
        description="For good, with groups, keys and connections. The log keeps their calls."
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
