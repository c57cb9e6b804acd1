import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil, IconPlugConnected, IconPlus, IconTools } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { allRows, type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LinkItem } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { DangerItem, RowMenu } from "../../components/row-menu.tsx";
import { PublicationPill } from "../records/publication.tsx";
import { EditOwnToolkit } from "./edit-own-toolkit.tsx";
import { type MyToolkit, myToolkitsKey, myToolkitsQuery } from "./my-toolkits.ts";

const route = getRouteApi("/my-toolkits");

/** Toolkits that the user's MCP clients can select: those of the groups, and the user's own. */
export function MyToolkitsPage() {
  const api = useApi();
  const { add, edit } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(myToolkitsQuery(api));
  const open = (search: { add?: "toolkit"; edit?: string }) => void navigate({ search });
  const createButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => open({ add: "toolkit" })}>
      Create toolkit
    </Button>
  );
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHeader
        title="Your toolkits"
        description="A toolkit limits an MCP client to the tools of one task. Select it on Connect a client."
        actions={data?.data.length !== 0 && createButton}
      />
      <DataTable
        label="Your toolkits"
        list={allRows(data?.data ?? [])}
        columns={COLUMNS}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/setup", search: { toolkit: slug } })}
        rowMenu={(toolkit: MyToolkit) => <ToolkitMenu toolkit={toolkit} onEdit={() => open({ edit: toolkit.slug })} />}
        empty={
          <EmptyState icon={IconTools} title="No toolkits yet" actions={createButton}>
            With fewer tools, an MCP client needs fewer tokens and makes better choices.
          </EmptyState>
        }
      />
      <EditOwnToolkit slug={edit} opened={add === "toolkit" || edit !== undefined} onClose={() => open({})} />
    </>
  );
}

function ToolkitMenu({ toolkit, onEdit }: { toolkit: MyToolkit; onEdit(): void }) {
  const { slug, name, own } = toolkit;
  const api = useApi();
  const queries = useQueryClient();
  const [isDeleting, deleting] = useDisclosure();
  const remove = useMutation({
    mutationFn: () => api.deleteMyToolkit({ query: { slug } }),
    onSuccess: async () => {
      deleting.close();
      await queries.invalidateQueries({ queryKey: myToolkitsKey });
    },
  });
  return (
    <>
      <RowMenu label={`Actions for ${name}`}>
        <LinkItem to="/setup" search={{ toolkit: slug }} leftSection={<IconPlugConnected size={16} />}>
          Connect a client
        </LinkItem>
        {own && (
          <>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
              Edit
            </Menu.Item>
            <Menu.Divider />
            <DangerItem onClick={deleting.open}>Delete…</DangerItem>
          </>
        )}
      </RowMenu>
      <ConfirmDialog
        opened={isDeleting}
        title={`Delete ${name}?`}
        action="Delete toolkit"
        isDestructive
        isWorking={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={deleting.close}
      >
        MCP clients that use the URL of this toolkit get an error.
      </ConfirmDialog>
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<MyToolkit>> = [
  {
    key: "name",
    header: "Name",
    render: ({ name, slug, description }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{name}</span>
        <span className="gh-truncate">{description || slug}</span>
      </span>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "8rem",
    narrowWidth: "6rem",
    render: ({ status }) => <PublicationPill status={status} />,
  },
  {
    key: "of",
    header: "Created by",
    width: "9rem",
    hideBelow: "sm",
    render: ({ own }) => <span className="gh-dim">{own ? "You" : "Your organization"}</span>,
  },
  {
    key: "applies",
    header: "Applies",
    width: "9rem",
    hideBelow: "md",
    render: ({ least_privilege: isDefault }) => (
      <span className="gh-dim">{isDefault ? "By default" : "When selected"}</span>
    ),
  },
];
