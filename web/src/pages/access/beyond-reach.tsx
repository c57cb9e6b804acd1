import { Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { type AccessibleTool, accessKey, fetchToolNames } from "./access.ts";

const MOST = 60;

interface BeyondReachProps {
  readonly q: string;
  readonly reached: readonly AccessibleTool[];
  readonly hasHits: boolean;
  onExplain(tool: string): void;
}

/** What is searched for and cannot be called: known tools, or the very name that was typed. */
export function BeyondReach({ q, reached, hasHits, onExplain }: BeyondReachProps) {
  const api = useApi();
  const { data: names } = useQuery({
    queryKey: [...accessKey, "tools"],
    queryFn: ({ signal }) => fetchToolNames(api, signal),
  });
  if (!names) return null;
  const can = new Set(reached.map(({ tool }) => tool));
  const cannot = names.filter((name) => !can.has(name) && name.toLowerCase().includes(q.toLowerCase()));
  const isKnown = can.has(q) || names.includes(q);
  const typed = q.includes("__") && !isKnown ? [q] : [];
  const shown = [...typed, ...cannot.slice(0, MOST)];
  if (shown.length === 0) {
    return hasHits ? null : (
      <Text size="sm" c="dimmed">
        No tool has this in its name. Give a whole name, such as <code>github__create_issue</code>, to see why it cannot
        be called.
      </Text>
    );
  }
  return (
    <section className="gh-access-server" aria-label="Out of reach">
      <div className="gh-access-head">
        <strong>Cannot be called</strong>
        <span className="gh-dim">Pick one to see why, and what would change it</span>
        {cannot.length > MOST && <span className="gh-access-count">{`${MOST} of ${cannot.length}`}</span>}
      </div>
      <div className="gh-access-tools">
        {shown.map((name) => (
          <UnstyledButton key={name} className="gh-access-tool" data-beyond="" onClick={() => onExplain(name)}>
            {name}
          </UnstyledButton>
        ))}
      </div>
    </section>
  );
}
