import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { useServerChanges } from "./server-changes.ts";
import type { Detail } from "./servers.ts";
import "./tool-changes.css";

type Authority = NonNullable<Detail["oauth"]>;

const FIELDS: ReadonlyArray<readonly [key: keyof Authority, label: string]> = [
  ["issuer", "Issuer"],
  ["authUrl", "Authorization URL"],
  ["tokenUrl", "Token URL"],
  ["resource", "Resource"],
];

/** OAuth settings that the server names instead of the current ones. An admin decides whether users connect with them. */
export function OAuthChange({ server }: { server: Detail }) {
  const api = useApi();
  const { changes } = useRights();
  const { refresh } = useServerChanges(server);
  const { oauth: current, oauth_change: change, slug } = server;
  const decide = useMutation({
    mutationFn: async ({ decision, digest }: { decision: "approve" | "keep"; digest: string }) => {
      const request = { path: { slug }, body: { digest } };
      await (decision === "approve" ? api.approveOAuthChange(request) : api.keepOAuthSettings(request));
    },
    onSuccess: refresh,
    onError: notifyFailure,
  });
  if (!change) return null;
  const differing = FIELDS.filter(([key]) => current?.[key] !== change[key]);
  const actions = changes && (
    <Group gap="xs">
      <Button
        variant={change.kept ? "default" : "filled"}
        disabled={decide.isPending}
        onClick={() => decide.mutate({ decision: "approve", digest: change.digest })}
      >
        Approve
      </Button>
      {!change.kept && (
        <Button
          variant="default"
          disabled={decide.isPending}
          onClick={() => decide.mutate({ decision: "keep", digest: change.digest })}
        >
          Keep current settings
        </Button>
      )}
    </Group>
  );
  return (
    <Section title="Changed authorization server" description={explain(server)} actions={actions}>
      <Group gap="xs" mb="sm">
        {change.kept ? <StatusPill tone="quiet">Not approved</StatusPill> : <StatusPill tone="warn">New</StatusPill>}
        <Text size="sm" c="dimmed">
          Found <TimeAgo time={change.found_at} />
        </Text>
      </Group>
      <KeyValues
        items={differing.map(([key, label]) => [label, <Difference key={key} {...{ current, change, name: key }} />])}
      />
    </Section>
  );
}

function explain({ oauth: current, oauth_change: change, connections: { connected } }: Detail): string {
  const disconnects =
    connected === 0 ? "" : ` Approving disconnects ${connected === 1 ? "1 user" : `${connected} users`}.`;
  if (current === null) {
    return `The server names an authorization server that also issues tokens for another server: ${change?.issuer}. If it issues tokens that are valid at both, this server can use them there. Users cannot connect until you approve it.`;
  }
  const what =
    current.issuer === change?.issuer
      ? "The server now names other OAuth settings."
      : `The server now names another authorization server: ${change?.issuer}.`;
  return `${what} Users still connect with the current one. Approve it only if the operator of the server announced it.${disconnects}`;
}

interface DifferenceProps {
  readonly current: Authority | null;
  readonly change: Authority;
  readonly name: keyof Authority;
}

function Difference({ current, change, name }: DifferenceProps) {
  return (
    <span className="gh-difference">
      {current && <del>{current[name]}</del>} <ins>{change[name]}</ins>
    </span>
  );
}
