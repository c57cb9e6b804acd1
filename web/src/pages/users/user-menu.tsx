import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconMail, IconPlayerPause, IconPlayerPlay, IconRoute, IconTrash } from "@tabler/icons-react";
import { LinkItem } from "../../components/links.tsx";
import { RowMenu } from "../../components/row-menu.tsx";
import { useCanManage } from "./can-manage.ts";
import { DeleteUser } from "./delete-user.tsx";
import { useInvite } from "./invite.ts";
import type { Invited } from "./invite-link.tsx";
import { useSetDisabled } from "./set-disabled.ts";
import type { User } from "./users.ts";

interface UserMenuProps {
  readonly user: User;
  onInvited(invited: Invited): void;
}

export function UserMenu({ user, onInvited }: UserMenuProps) {
  const { canManage } = useCanManage(user);
  const [isDeleting, deleting] = useDisclosure();
  const setDisabled = useSetDisabled(user);
  const invite = useInvite(user, onInvited);
  return (
    <>
      <RowMenu label={`Actions for ${user.name}`}>
        <LinkItem
          to="/users/$email"
          params={{ email: user.email }}
          search={{ tab: "access" }}
          leftSection={<IconRoute size={16} />}
        >
          View access
        </LinkItem>
        {canManage && (
          <>
            <Menu.Item leftSection={<IconMail size={16} />} disabled={user.disabled} onClick={() => invite.mutate()}>
              Create invitation link
            </Menu.Item>
            <Menu.Item
              leftSection={user.disabled ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
              onClick={() => setDisabled.mutate(!user.disabled)}
            >
              {user.disabled ? "Enable" : "Disable"}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={deleting.open}>
              Delete…
            </Menu.Item>
          </>
        )}
      </RowMenu>
      <DeleteUser user={user} opened={isDeleting} onClose={deleting.close} />
    </>
  );
}
