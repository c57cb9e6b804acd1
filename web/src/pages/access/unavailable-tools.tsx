import { Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { type AccessibleTool, accessKey, fetchToolNames } from "./access.ts";

const MOST = 60;

interface UnavailableToolsProps {
  readonly q: string;
  readonly available: readonly AccessibleTool[];
  readonly hasMatches: boolean;
  onExplain(tool: string): void;
}

/** Matching tools that the user cannot call. Includes a full gateway name that no tool has. */
export function UnavailableTools({ q, available, hasMatches, onExplain }: UnavailableToolsProps) {
  const api = useApi();
  const { data: names } = useQuery({
    queryKey: [...accessKey, "tools"],
    queryFn: ({ signal }) => fetchToolNames(api, signal),
  });
  if (!names) return null;
  const can = new Set(available.map(({ tool }) => tool));
  const cannot = names.filter((name) => !can.has(name) && name.toLowerCase().includes(q.toLowerCase()));
  const isKnown = can.has(q) || names.includes(q);
  const typed = q.includes("__") && !isKnown ? [q] : [];
  const shown = [...typed, ...cannot.slice(0, MOST)];
  if (shown.length === 0) {
    return hasMatches ? null : (
      <Text size="sm" c="dimmed">
        No matching tools. Enter a full name, such as <code>github__create_issue</code>, to see why it is unavailable.
      </Text>
    );
  }
  return (
    <section className="gh-access-server" aria-label="Unavailable tools">
      <div className="gh-access-head">
        <strong>Unavailable</strong>
        <span className="gh-dim">Select a tool to see why and how to fix it</span>
        {cannot.length > MOST && <span className="gh-access-count">{`${MOST} of ${cannot.length}`}</span>}
      </div>
      <div className="gh-access-tools">
        {shown.map((name) => (
          <UnstyledButton key={name} className="gh-access-tool" data-unavailable="" onClick={() => onExplain(name)}>
            {name}
          </UnstyledButton>
        ))}
      </div>
    </section>
  );
}
