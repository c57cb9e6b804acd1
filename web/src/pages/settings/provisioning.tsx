import { Button, Skeleton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import { useApi, useMe, useRights } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { CreateToken } from "../api-tokens/create-token.tsx";

type Provisioning = Schemas["Provisioning"];

const provisioningKey = ["provisioning"] as const;

function provisioningQuery(api: Api) {
  return queryOptions({
    queryKey: provisioningKey,
    queryFn: async ({ signal }) => (await api.getProvisioning({ signal })).data,
  });
}

const SCIM_TOKEN = { name: "SCIM provisioning", scopes: ["admin:scim" as const], lifetime: "365" };

export function ProvisioningSettings() {
  const { data, error, refetch } = useQuery(provisioningQuery(useApi()));
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} aria-busy />;
  return (
    <>
      <Connect status={data} />
      <Activity status={data} />
      <DetachAll status={data} />
    </>
  );
}

function Connect({ status }: { status: Provisioning }) {
  const { data } = useMe();
  const queries = useQueryClient();
  const [isCreating, creating] = useDisclosure();
  const isOwner = data.scopes.includes("all");
  const hasStopped = status.tokens_count === 0 && status.users_count > 0;
  return (
    <Section
      title="SCIM"
      description="Your identity provider creates, updates, and deactivates people and groups. Works with Okta, Microsoft Entra ID, and others that support SCIM 2.0."
      actions={
        isOwner && (
          <Button variant={status.tokens_count === 0 ? "filled" : "default"} onClick={creating.open}>
            Create SCIM token
          </Button>
        )
      }
    >
      {hasStopped && (
        <Note tone="warn">
          No valid API token has the scope SCIM provisioning, so changes at your identity provider may no longer arrive.
          Create a token and enter it there.
        </Note>
      )}
      {!isOwner && <Note>Only an owner can create the API token for your identity provider.</Note>}
      <KeyValues
        items={[
          ["SCIM base URL", <CopyField key="url" value={status.scim_url} label="SCIM base URL" />],
          [
            "API tokens",
            <TextLink key="tokens" to="/api-tokens" size="sm">
              {`${status.tokens_count.toLocaleString("en")} with the scope SCIM provisioning`}
            </TextLink>,
          ],
        ]}
      />
      <CreateToken
        opened={isCreating}
        initial={SCIM_TOKEN}
        onClose={() => {
          creating.close();
          void queries.invalidateQueries({ queryKey: provisioningKey });
        }}
      />
    </Section>
  );
}

function Activity({ status }: { status: Provisioning }) {
  const { last_request: request, last_error: failure } = status;
  const number = (count: number) => count.toLocaleString("en");
  return (
    <Section title="Activity">
      <KeyValues
        items={[
          ["Users", `${number(status.users_count)}, of which ${number(status.suspended_count)} suspended`],
          ["Groups", number(status.groups_count)],
          ["Last request", request ? <LastRequest key="request" request={request} /> : "No requests yet"],
          [
            "Last error",
            failure ? (
              <span key="error">
                {failure.error} (<TimeAgo time={failure.at} />)
              </span>
            ) : (
              "None"
            ),
          ],
        ]}
      />
    </Section>
  );
}

function LastRequest({ request }: { request: NonNullable<Provisioning["last_request"]> }) {
  return (
    <span>
      <code>{request.request}</code> {`→ ${request.status}, token ${request.token_name}, `}
      <TimeAgo time={request.at} />
    </span>
  );
}

function DetachAll({ status }: { status: Provisioning }) {
  const api = useApi();
  const { changes } = useRights();
  const queries = useQueryClient();
  const [isAsking, asking] = useDisclosure();
  const detach = useMutation({
    mutationFn: () => api.detachFromScim({ body: { all: true } }),
    onSuccess: async ({ data }) => {
      asking.close();
      notifyDone(`Detached ${data.users_count} users and ${data.groups_count} groups from SCIM`);
      await queries.invalidateQueries();
    },
  });
  if (!changes || status.users_count + status.groups_count === 0) return null;
  return (
    <Section
      danger
      title="Detach all"
      description="Use this if your identity provider no longer manages people and groups here. Nothing is deleted. Suspended people stay disabled."
      actions={
        <Button color="red" variant="outline" onClick={asking.open}>
          Detach all…
        </Button>
      }
    >
      <ConfirmByName
        opened={isAsking}
        title="Detach all users and groups from SCIM?"
        name="detach"
        action="Detach all"
        isWorking={detach.isPending}
        error={detach.error}
        onConfirm={() => detach.mutate()}
        onClose={asking.close}
      >
        People and groups can then be changed here again. Delete the API token or stop provisioning at your provider
        first, because its next change manages them again.
      </ConfirmByName>
    </Section>
  );
}
