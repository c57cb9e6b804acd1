import { Switch, Text } from "@mantine/core";
import { formatTokens } from "../../components/quantities.ts";
import type { MyServer } from "../connections/connections.ts";

/** With more tokens than this, models choose tools worse, and every conversation gets expensive. */
const MANY_TOKENS = 20_000;
const LARGEST = 3;

interface ContextBudgetProps {
  /** The servers of the URL. */
  readonly servers: readonly MyServer[];
  /** The URL lists only some of the tools; how many tokens they take is not known here. */
  readonly hasToolkit: boolean;
  readonly usesSearch: boolean;
  readonly onChange: (usesSearch: boolean) => void;
}

/** How much of the model's context the tools take, and the way out. */
export function ContextBudget({ servers, hasToolkit, usesSearch, onChange }: ContextBudgetProps) {
  const contributors = servers.filter((server) => server.tokens_estimate > 0);
  const tokens = servers.reduce((sum, server) => sum + server.tokens_estimate, 0);
  return (
    <div className="gh-setup-budget">
      <Switch
        checked={usesSearch}
        onChange={(event) => onChange(event.currentTarget.checked)}
        label="Tool search"
        description="The client lists three tools, with which the model finds and calls all others. For clients that load every tool."
      />
      {tokens > 0 && !hasToolkit && (
        <Text size="sm" c="dimmed">
          {usesSearch ? (
            <>Without tool search, your tools take about {formatTokens(tokens)} tokens in every conversation.</>
          ) : (
            <>
              Your tools take about <strong>{formatTokens(tokens)} tokens</strong> in every conversation
              {contributors.length > 1 && <>. Largest: {largestOf(contributors)}</>}.
              {tokens >= MANY_TOKENS && " Turn on tool search to save nearly all of them, or use a toolkit."}
            </>
          )}
        </Text>
      )}
    </div>
  );
}

function largestOf(servers: readonly MyServer[]): string {
  const sorted = [...servers].sort((one, other) => other.tokens_estimate - one.tokens_estimate);
  const shown = sorted.slice(0, LARGEST);
  return shown.map(({ name, tokens_estimate }) => `${name} (${formatTokens(tokens_estimate)})`).join(", ");
}
