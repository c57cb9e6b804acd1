import { Button, Drawer, Skeleton, Stack, Text } from "@mantine/core";
import { IconCheck, IconMinus, IconX } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { ErrorNote, ErrorState } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { Note, type Tone } from "../../components/note.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { useMembership } from "../groups/membership.ts";
import { accessKey, type Explanation } from "./access.ts";

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

const VERDICTS: Readonly<Record<Explanation["verdict"], readonly [tone: Tone, label: string]>> = {
  allowed: ["good", "Allowed"],
  not_connected: ["warn", "Not connected"],
  refused: ["bad", "Denied"],
};

function Verdict({ explanation }: { explanation: Explanation }) {
  const { email, tool, verdict, says, next_step: next, steps } = explanation;
  const [tone, label] = VERDICTS[verdict];
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
          <strong>How to fix it:</strong> {next}
        </Note>
      )}
      <Fixes explanation={explanation} />
      <ol className="gh-access-steps">
        {steps.map(({ check, passed, says: found }) => (
          <li key={check} data-passed={String(passed)}>
            <StepMark passed={passed} />
            {found}
          </li>
        ))}
      </ol>
    </Stack>
  );
}

function StepMark({ passed }: { passed: boolean | null }) {
  if (passed === null) return <IconMinus size={15} role="img" aria-label="Not checked" />;
  return passed ? (
    <IconCheck size={15} role="img" aria-label="Passed" />
  ) : (
    <IconX size={15} role="img" aria-label="Failed" />
  );
}

/** The groups that contain the server, with a button to add the user to one. */
function Fixes({ explanation }: { explanation: Explanation }) {
  const { changes } = useRights();
  const { addUsers } = useMembership();
  const { email, groups, reason, tool } = explanation;
  const join = useMutation({ mutationFn: (group: string) => addUsers(group, [email]) });
  const slug = tool.split("__")[0] ?? "";
  return (
    <>
      {groups.length > 0 && (
        <div>
          <Text size="sm" fw={500} mb={4}>
            Groups with this server
          </Text>
          <ul className="gh-access-groups">
            {groups.map(({ name, member, gives }) => (
              <li key={name}>
                <Link to="/groups/$name" params={{ name }} search={{ tab: "servers" }}>
                  {name}
                </Link>
                <span className="gh-dim">
                  {member ? "Member" : "Not a member"}
                  {gives ? "" : ", hides drafts"}
                </span>
                {changes && !member && gives && reason === "no_group" && (
                  <Button
                    variant="default"
                    size="compact-xs"
                    loading={join.isPending && join.variables === name}
                    onClick={() => join.mutate(name)}
                  >
                    {`Add to ${name}`}
                  </Button>
                )}
              </li>
            ))}
          </ul>
          <ErrorNote error={join.error} />
        </div>
      )}
      {FIXED_ON_SERVER_PAGE.has(reason) && (
        <div>
          <LinkButton to="/mcp-servers/$slug" params={{ slug }} variant="default" size="compact-sm">
            Open server
          </LinkButton>
        </div>
      )}
    </>
  );
}

/** Reasons that are fixed on the server's page. */
const FIXED_ON_SERVER_PAGE: ReadonlySet<Explanation["reason"]> = new Set([
  "draft",
  "no_upstream",
  "not_synced",
  "unknown_tool",
  "tool_disabled",
  "tool_held",
]);
