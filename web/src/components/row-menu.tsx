import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** What can be done with a row: `Menu.Item`s, and `DangerItem`s last. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={label}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** Opens what asks before something is gone. Mantine's own red is too dark for the dark theme's menus. */
export function DangerItem({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Menu.Item color="var(--mantine-color-error)" leftSection={<IconTrash size={16} />} onClick={onClick}>
      {children}
    </Menu.Item>
  );
}
