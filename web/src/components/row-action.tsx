import { ActionIcon, Tooltip } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";

interface RowActionProps {
  readonly icon: Icon;
  /** "Remove Ada from Engineering" */
  readonly label: string;
  readonly isWorking?: boolean;
  onClick(): void;
}

/** The only action of a row. Rows with several actions use `RowMenu`. */
export function RowAction({ icon: Icon, label, isWorking = false, onClick }: RowActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={onClick} loading={isWorking}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
