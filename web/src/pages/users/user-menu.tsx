import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPause, IconPlayerPlay, IconRoute } from "@tabler/icons-react";
import { LinkItem } from "../../components/links.tsx";
import { DangerItem, RowMenu } from "../../components/row-menu.tsx";
import { useCanManage } from "./can-manage.ts";
import { DeleteUser } from "./delete-user.tsx";
import type { Invited } from "./invite-link.tsx";
import { useInviteItem } from "./invite-user.tsx";
import { SetDisabled } from "./set-disabled.tsx";
import type { User } from "./users.ts";

interface UserMenuProps {
  readonly user: User;
  onInvited(invited: Invited): void;
}

export function UserMenu({ user, onInvited }: UserMenuProps) {
  const { canManage } = useCanManage(user);
  const [isDeleting, deleting] = useDisclosure();
  const [isDisabling, disabling] = useDisclosure();
  const invite = useInviteItem({ user, onInvited });
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
            {invite.item}
            {!user.suspended && (
              <Menu.Item
                leftSection={user.disabled ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
                onClick={disabling.open}
              >
                {user.disabled ? "Enable…" : "Disable…"}
              </Menu.Item>
            )}
            {user.provisioned_by === null && (
              <>
                <Menu.Divider />
                <DangerItem onClick={deleting.open}>Delete…</DangerItem>
              </>
            )}
          </>
        )}
      </RowMenu>
      {invite.dialog}
      <SetDisabled user={user} opened={isDisabling} onClose={disabling.close} />
      <DeleteUser user={user} opened={isDeleting} onClose={deleting.close} />
    </>
  );
}
