import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconRoute } from "@tabler/icons-react";
import { LinkItem } from "../../components/links.tsx";
import { DangerItem, RowMenu } from "../../components/row-menu.tsx";
import { DeleteUser } from "../users/delete-user.tsx";
import { SetDisabled } from "../users/set-disabled.tsx";
import type { User } from "../users/users.ts";
import type { IssuedKey } from "./new-access-key.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";

interface MachineUserMenuProps {
  readonly user: User;
  onIssued(key: IssuedKey): void;
}

export function MachineUserMenu({ user, onIssued }: MachineUserMenuProps) {
  const [isDeleting, deleting] = useDisclosure();
  const [isRotating, rotating] = useDisclosure();
  const [isDisabling, disabling] = useDisclosure();
  return (
    <>
      <RowMenu label={`Actions for ${user.name}`}>
        <LinkItem
          to="/machine-users/$slug"
          params={{ slug: user.slug ?? "" }}
          search={{ tab: "access" }}
          leftSection={<IconRoute size={16} />}
        >
          View access
        </LinkItem>
        <Menu.Item leftSection={<IconRefresh size={16} />} onClick={rotating.open}>
          Rotate secret…
        </Menu.Item>
        <Menu.Item
          leftSection={user.disabled ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
          onClick={disabling.open}
        >
          {user.disabled ? "Enable…" : "Disable…"}
        </Menu.Item>
        <Menu.Divider />
        <DangerItem onClick={deleting.open}>Delete…</DangerItem>
      </RowMenu>
      <RotateDialog user={user} opened={isRotating} onClose={rotating.close} onIssued={onIssued} />
      <SetDisabled user={user} opened={isDisabling} onClose={disabling.close} />
      <DeleteUser user={user} opened={isDeleting} onClose={deleting.close} />
    </>
  );
}
