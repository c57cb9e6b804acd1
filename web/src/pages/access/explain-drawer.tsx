import { Drawer, Group as Row, Skeleton, Stack, Text } from "@mantine/core";
import { IconCheck, IconMinus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { accessKey, type Explanation, VERDICT_PILLS } from "./access.ts";
import { FixAction } from "./fix-action.tsx";
import { GroupsWithServer } from "./groups-with-server.tsx";

interface ExplainDrawerProps {
  readonly email: string;
  /** Undefined: closed. */
  readonly tool: string | undefined;
  onClose(): void;
}

/** Explains why a user can or cannot call a tool, and how to change it. */
export function ExplainDrawer({ email, tool, onClose }: ExplainDrawerProps) {
  return (
    <Drawer opened={tool !== undefined} onClose={onClose} title="Access check" size="md">
      {tool !== undefined && <Explained email={email} tool={tool} />}
    </Drawer>
  );
}

function Explained({ email, tool }: { email: string; tool: string }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: [...accessKey, "explained", email, tool],
    queryFn: ({ signal }) => api.explainAccess({ query: { email, tool }, signal }),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} />;
  return <Verdict explanation={data.data} />;
}

function Verdict({ explanation }: { explanation: Explanation }) {
  const { email, tool, verdict, says, next_step: next, steps, limits } = explanation;
  const { tone, label } = VERDICT_PILLS[verdict];
  return (
    <Stack gap="md">
      <div>
        <CopyText value={tool} label="Copy name" />
        <Text size="sm" c="dimmed">
          {email}
        </Text>
      </div>
      <div>
        <StatusPill tone={tone}>{label}</StatusPill>
        <Text size="sm" mt={6}>
          {says}
        </Text>
      </div>
      {next !== null && (
        <Note tone="info">
          <Stack gap="xs" align="flex-start">
            <span>
              <strong>How to fix it:</strong> {next}
            </span>
            <FixAction explanation={explanation} />
          </Stack>
        </Note>
      )}
      <GroupsWithServer explanation={explanation} />
      <ol className="gh-access-steps">
        {withoutRepeats(steps).map(({ check, passed, says: found }) => (
          <li key={check} data-passed={String(passed)}>
            <StepMark passed={passed} />
            {found}
          </li>
        ))}
      </ol>
      {limits.length > 0 && (
        <div>
          <Text size="sm" fw={500} mb={4}>
            Limits
          </Text>
          <ul className="gh-access-groups">
            {limits.map((limit) => (
              <li key={`${limit.scope} ${limit.name}`}>{limit.says}</li>
            ))}
          </ul>
        </div>
      )}
      <Row gap="md">
        <TextLink to="/access" search={{ tab: "tool", tool }} size="sm">
          Who can call this tool
        </TextLink>
        <TextLink to="/access" search={{ email }} size="sm">
          All tools of this user
        </TextLink>
      </Row>
    </Stack>
  );
}

/** Checks that were skipped for the same reason are listed once. */
function withoutRepeats(steps: Explanation["steps"]): Explanation["steps"] {
  return steps.filter(({ says }, at) => says !== steps[at - 1]?.says);
}

function StepMark({ passed }: { passed: boolean | null }) {
  if (passed === null) return <IconMinus size={15} role="img" aria-label="Not checked" />;
  return passed ? (
    <IconCheck size={15} role="img" aria-label="Passed" />
  ) : (
    <IconX size={15} role="img" aria-label="Failed" />
  );
}
