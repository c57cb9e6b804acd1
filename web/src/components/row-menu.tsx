import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { MenuItems } from "./menu-items.tsx";

/** The actions of a row: `Menu.Item`s, then `DangerItem`s. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={label}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <MenuItems>{children}</MenuItems>
    </Menu>
  );
}

/** Opens the confirmation of a destructive action. Mantine's default red is too dark in dark menus. */
export function DangerItem({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Menu.Item color="var(--mantine-color-error)" leftSection={<IconTrash size={16} />} onClick={onClick}>
      {children}
    </Menu.Item>
  );
}
