import { Button, Checkbox } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { allRows, type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { DangerItem, RowMenu } from "../../components/row-menu.tsx";
import { Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { type ApiToken, apiTokensKey, fetchApiTokens, isExpired } from "./api-tokens.ts";
import { CreateToken } from "./create-token.tsx";

const route = getRouteApi("/api-tokens");

export function ApiTokensPage() {
  const api = useApi();
  const { changes } = useRights();
  const { add } = route.useSearch();
  const navigate = route.useNavigate();
  const [revoked, setRevoked] = useState<ApiToken>();
  const query = useQuery({ queryKey: apiTokensKey, queryFn: ({ signal }) => fetchApiTokens(api, signal) });
  const openAdd = (isOpen: boolean) => void navigate({ search: isOpen ? { add: "token" } : {} });
  const now = Date.now();
  const tokens = query.data ?? [];
  const expired = tokens.filter((token) => isExpired(token, now));
  const list = {
    ...allRows(tokens.filter((token) => !isExpired(token, now))),
    isPending: query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
  };
  const rowMenu = changes ? { rowMenu: (token: ApiToken) => <TokenMenu token={token} onRevoke={setRevoked} /> } : {};
  return (
    <>
      <PageHeader
        title="API tokens"
        description="API tokens authenticate scripts, CI, and the CLI at the administration API. Agents that call tools use machine users instead. A token is deleted when the person who created it stops being an owner."
        actions={
          changes && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => openAdd(true)}>
              Create token
            </Button>
          )
        }
      />
      <DataTable
        label="API tokens"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        {...rowMenu}
        empty={<NoTokens onAdd={changes ? () => openAdd(true) : undefined} />}
      />
      {expired.length > 0 && (
        <Section
          title="Expired"
          description="Expired tokens are rejected. Delete them when you no longer need the record."
        >
          <DataTable
            label="Expired API tokens"
            list={allRows(expired)}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            {...rowMenu}
            empty={null}
          />
        </Section>
      )}
      <CreateToken opened={add !== undefined && changes} onClose={() => openAdd(false)} />
      <Revoke
        token={revoked}
        created={tokens.filter(({ created_by_id: id }) => id !== null && id === revoked?.id).length}
        onClose={() => setRevoked(undefined)}
      />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<ApiToken>> = [
  {
    key: "name",
    header: "Name",
    render: ({ name, prefix }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{name}</span>
        {prefix !== null && <code className="gh-truncate">{`${prefix}…`}</code>}
      </span>
    ),
  },
  {
    key: "scopes",
    header: "Scopes",
    width: "18%",
    hideBelow: "sm",
    render: ({ scopes }) => (
      <code className="gh-truncate" title={scopes.join(" ")}>
        {scopes.join(" ")}
      </code>
    ),
  },
  {
    key: "creator",
    header: "Created by",
    width: "16%",
    hideBelow: "md",
    render: ({ created_by: creator, responsible }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate" title={creator ?? undefined}>
          {creator ?? "–"}
        </span>
        {responsible !== null && responsible !== creator && (
          <span className="gh-truncate" title={responsible}>{`for ${responsible}`}</span>
        )}
      </span>
    ),
  },
  {
    key: "created",
    header: "Created",
    width: "7rem",
    hideBelow: "lg",
    render: ({ created_at: time }) => <TimeAgo time={time} />,
  },
  {
    key: "used",
    header: "Last used",
    width: "7rem",
    hideBelow: "sm",
    render: ({ last_used_at: time }) => <TimeAgo time={time} never="Never used" />,
  },
  {
    key: "expires",
    header: "Expires",
    width: "8rem",
    narrowWidth: "7rem",
    render: (token) => <Expiry token={token} />,
  },
];

const SOON_MS = 7 * 24 * 60 * 60 * 1000;

function Expiry({ token }: { token: ApiToken }) {
  const { expires_at: end } = token;
  if (end === null) return "Never";
  const left = Date.parse(end) - Date.now();
  const time = <TimeAgo time={end} />;
  if (left <= 0) return <StatusPill tone="quiet">{time}</StatusPill>;
  return left < SOON_MS ? <StatusPill tone="warn">{time}</StatusPill> : time;
}

function TokenMenu({ token, onRevoke }: { token: ApiToken; onRevoke: (token: ApiToken) => void }) {
  return (
    <RowMenu label={`Actions for ${token.name}`}>
      <DangerItem onClick={() => onRevoke(token)}>Revoke…</DangerItem>
    </RowMenu>
  );
}

interface RevokeProps {
  readonly token: ApiToken | undefined;
  /** The number of tokens that were created with it. */
  readonly created: number;
  onClose(): void;
}

function Revoke({ token, created, onClose }: RevokeProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [includesCreated, setIncludesCreated] = useState(false);
  const close = () => {
    setIncludesCreated(false);
    onClose();
  };
  const revoke = useMutation({
    mutationFn: (id: string) => api.deleteApiToken({ query: { id, include_created: includesCreated } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: apiTokensKey });
      close();
    },
  });
  return (
    <ConfirmByName
      opened={token !== undefined}
      title={`Revoke token ${token?.name ?? ""}?`}
      name={token?.name ?? ""}
      action="Revoke token"
      isWorking={revoke.isPending}
      error={revoke.error}
      onConfirm={() => token && revoke.mutate(token.id)}
      onClose={close}
    >
      Requests with this token are rejected immediately. This cannot be undone.
      {created > 0 && (
        <Checkbox
          mt="md"
          label={`Also revoke ${created === 1 ? "the token" : `the ${created} tokens`} created with it`}
          description="Choose this if the token may have leaked. Pending invitations are revoked too."
          checked={includesCreated}
          onChange={(event) => setIncludesCreated(event.currentTarget.checked)}
        />
      )}
    </ConfirmByName>
  );
}

function NoTokens({ onAdd }: { onAdd: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={IconKey}
      title="No API tokens yet"
      actions={onAdd && <Button onClick={onAdd}>Create token</Button>}
    >
      A token lets a script add servers, manage groups, or read logs. Give it only the scopes it needs.
    </EmptyState>
  );
}
