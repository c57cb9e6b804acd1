import { ActionIcon, Tooltip } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";

interface RowActionProps {
  readonly icon: Icon;
  /** "Remove Ada from Engineering" */
  readonly label: string;
  readonly isWorking?: boolean;
  onClick(): void;
}

/** The one thing that can be done with a row. Where there are several: `RowMenu`. */
export function RowAction({ icon: Icon, label, isWorking = false, onClick }: RowActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={onClick} loading={isWorking}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
