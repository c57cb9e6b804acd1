import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** What can be done with a row: `Menu.Item`s. */
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
