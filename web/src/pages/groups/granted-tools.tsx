import { Button, Skeleton } from "@mantine/core";
import { useRights } from "../../api/context.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { type Grant, grantedText } from "./grants.ts";
import "./granted-tools.css";

interface GrantedToolsProps {
  /** Undefined while it is loaded. */
  readonly grant: Grant | undefined;
  readonly onSelect: (grant: Grant) => void;
}

/** How many tools a group grants. Opens the selection. */
export function GrantedTools({ grant, onSelect }: GrantedToolsProps) {
  const { changes } = useRights();
  if (!grant) return <Skeleton height={16} width={64} />;
  const held = grant.held_tools.length;
  return (
    <span className="gh-granted">
      {changes ? (
        <Button
          variant="default"
          size="compact-xs"
          className="gh-above-row"
          aria-label={`Select tools of ${grant.server_name} for ${grant.group}: ${grantedText(grant)}`}
          onClick={() => onSelect(grant)}
        >
          {grantedText(grant)}
        </Button>
      ) : (
        grantedText(grant)
      )}
      {held > 0 && <StatusPill tone="warn">{`${held} new`}</StatusPill>}
    </span>
  );
}
