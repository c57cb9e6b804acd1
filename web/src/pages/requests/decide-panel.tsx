import { Autocomplete, Button, Drawer, Group, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { isSameName } from "../../api/find.ts";
import { ErrorNote } from "../../components/error-state.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { useGrants } from "../groups/grants.ts";
import { type Group as UserGroup, useAllGroups } from "../groups/groups.ts";
import { useMembership } from "../groups/membership.ts";
import { type AccessRequest, REQUEST_STATUSES, requestedTools, requestsKey } from "./requests.ts";

interface DecidePanelProps {
  /** Undefined: closed. */
  readonly request: AccessRequest | undefined;
  onClose(): void;
}

export function DecidePanel({ request, onClose }: DecidePanelProps) {
  const { changes } = useRights();
  return (
    <Drawer opened={request !== undefined} onClose={onClose} title="Access request">
      {request && (
        <>
          <Details request={request} />
          {changes && request.status === "pending" && <Decide key={request.id} request={request} onClose={onClose} />}
        </>
      )}
    </Drawer>
  );
}

function Details({ request }: { request: AccessRequest }) {
  const { name, email, server_name: server, status, reason, created_at: createdAt } = request;
  const { decided_by: by, decided_at: at, group, note } = request;
  return (
    <Section
      title={`${name} requests ${server}`}
      actions={<StatusPill tone={REQUEST_STATUSES[status].tone}>{REQUEST_STATUSES[status].label}</StatusPill>}
    >
      <KeyValues
        items={[
          ["User", email],
          ["Tools", request.tools.length > 0 ? request.tools.join(", ") : requestedTools(request)],
          ["Reason", reason],
          ["Requested", <TimeAgo key="requested" time={createdAt} />],
          ...(at === null ? [] : [["Decided", <TimeAgo key="decided" time={at} />] as const]),
          ...(by === null ? [] : [["By", by] as const]),
          ...(group === null ? [] : [["Group", group] as const]),
          ...(note === null ? [] : [["Note", note] as const]),
        ]}
      />
    </Section>
  );
}

function Decide({ request, onClose }: { request: AccessRequest; onClose(): void }) {
  const groups = useAllGroups() ?? [];
  const grants = useGrants({ server: request.server });
  const having = groups.filter(({ name }) => grants?.some(({ group }) => group === name));
  const [typed, setTyped] = useState<string>();
  const name = (typed ?? having[0]?.name ?? "").trim();
  const group = groups.find((each) => isSameName(each.name, name));
  const [note, setNote] = useState("");
  const { approve, deny } = useDecision(request, onClose);
  const isWorking = approve.isPending || deny.isPending;
  return (
    <Section title="Decision">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          approve.mutate({ group: name, grant: true, create_group: group === undefined, note: note.trim() || null });
        }}
      >
        <Stack gap="md">
          <Autocomplete
            label="Group"
            description="The group that gives access. Enter a new name to create one."
            data={[
              { group: `With ${request.server_name}`, items: having.map((each) => each.name) },
              {
                group: "Other groups",
                items: groups.filter((each) => !having.includes(each)).map((each) => each.name),
              },
            ]}
            value={typed ?? having[0]?.name ?? ""}
            onChange={setTyped}
          />
          {name !== "" && (
            <Effect
              request={request}
              name={name}
              group={group}
              hasServer={group !== undefined && having.includes(group)}
            />
          )}
          <Textarea
            label="Note"
            description={`Optional. ${request.name} sees it.`}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={1_000}
            autosize
            minRows={2}
          />
          <ErrorNote error={approve.error ?? deny.error} />
          <Group justify="flex-end" gap="xs">
            <Button
              variant="default"
              color="red"
              loading={deny.isPending}
              disabled={isWorking}
              onClick={() => deny.mutate(note.trim() || null)}
            >
              Deny
            </Button>
            <Button type="submit" loading={approve.isPending} disabled={isWorking || name === ""}>
              Approve
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

interface EffectProps {
  readonly request: AccessRequest;
  readonly name: string;
  readonly group: UserGroup | undefined;
  readonly hasServer: boolean;
}

/** What approving changes, also for others. */
function Effect({ request, name, group, hasServer }: EffectProps) {
  const { name: user, server_name: server } = request;
  const others = group ? group.integrations_count - (hasServer ? 1 : 0) : 0;
  const sentences = [
    ...(group ? [] : [`Creates group ${name}.`]),
    `Adds ${user} to ${name}.`,
    ...(others > 0
      ? [`${user} also gets access to its ${others === 1 ? "other server" : `${others} other servers`}.`]
      : []),
    ...(hasServer ? [] : [`Adds ${server} to ${name}${membersText(group)}.`]),
  ];
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {sentences.join(" ")}
    </Text>
  );
}

function membersText(group: UserGroup | undefined): string {
  const count = group?.users_count ?? 0;
  return count === 0 ? "" : `, for its ${count === 1 ? "member" : `${count} members`} too`;
}

function useDecision({ id, name, server_name: server }: AccessRequest, onClose: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const { refresh } = useMembership();
  const decided = async (message: string) => {
    await Promise.all([refresh(), queries.invalidateQueries({ queryKey: requestsKey })]);
    notifyDone(message);
    onClose();
  };
  const approve = useMutation({
    mutationFn: (body: { group: string; grant: true; create_group: boolean; note: string | null }) =>
      api.approveAccessRequest({ path: { id }, body }),
    onSuccess: () => decided(`${name} has access to ${server}`),
  });
  const deny = useMutation({
    mutationFn: (note: string | null) => api.denyAccessRequest({ path: { id }, body: { note } }),
    onSuccess: () => decided(`Denied the request of ${name}`),
  });
  return { approve, deny };
}
