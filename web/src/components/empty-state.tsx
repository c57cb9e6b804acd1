import { Group, Text } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import "./states.css";

interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  /** What this list will contain, and why. */
  readonly children: ReactNode;
  /** Buttons for the next step. */
  readonly actions?: ReactNode;
  /** Replaces the whole page, so its title is the page heading. */
  readonly isPage?: boolean;
}

export function EmptyState({ icon: Icon, title, children, actions, isPage }: EmptyStateProps) {
  return (
    <div className="gh-state">
      <div className="gh-state-icon">
        <Icon size={22} stroke={1.6} aria-hidden />
      </div>
      <Text fw={600} component={isPage ? "h1" : "div"}>
        {title}
      </Text>
      <Text size="sm" c="dimmed" className="gh-state-text" component="div">
        {children}
      </Text>
      {actions && (
        <Group gap="xs" mt="xs" justify="center">
          {actions}
        </Group>
      )}
    </div>
  );
}
