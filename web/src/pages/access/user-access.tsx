import { Button, Skeleton, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { Note } from "../../components/note.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { type AccessibleServer, accessKey, byServer, fetchAccess, shortName } from "./access.ts";
import { ExplainDrawer } from "./explain-drawer.tsx";
import { UnavailableTools } from "./unavailable-tools.tsx";
import "./access.css";

interface UserAccessProps {
  readonly email: string;
  /** The search text and the explained tool, both from the URL. */
  readonly q: string | undefined;
  readonly tool: string | undefined;
  onChange(patch: { q?: string | undefined; tool?: string | undefined }, options?: { replace: boolean }): void;
}

/** The tools a user can call, by server, with reasons. A search also finds tools the user cannot call. */
export function UserAccess({ email, q, tool, onChange }: UserAccessProps) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: [...accessKey, "of", email],
    queryFn: ({ signal }) => fetchAccess(api, email, signal),
  });
  const explain = (name: string | undefined) => onChange({ tool: name });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const servers = byServer(data?.tools ?? [], q);
  return (
    <>
      <FilterBar count={data && counted(data.summary)}>
        <SearchField
          label="Search tools, including unavailable ones"
          value={q}
          onChange={(next) => onChange({ q: next }, { replace: true })}
        />
      </FilterBar>
      {data?.summary.disabled && <Note tone="bad">This user is disabled and has no access.</Note>}
      {data ? (
        servers.map((server) => (
          <ServerTools key={server.slug} server={server} isSearched={q !== undefined} onExplain={explain} />
        ))
      ) : (
        <AccessSkeleton />
      )}
      {data && q === undefined && servers.length === 0 && <NoTools />}
      {data && q !== undefined && (
        <UnavailableTools q={q} available={data.tools} hasMatches={servers.length > 0} onExplain={explain} />
      )}
      <ExplainDrawer email={email} tool={tool} onClose={() => explain(undefined)} />
    </>
  );
}

const FEW = 12;

interface ServerToolsProps {
  readonly server: AccessibleServer;
  readonly isSearched: boolean;
  onExplain(tool: string): void;
}

function ServerTools({ server, isSearched, onExplain }: ServerToolsProps) {
  const { slug, tools, why, draft } = server;
  const [isOpen, open] = useDisclosure();
  const shown = isOpen || isSearched ? tools : tools.slice(0, FEW);
  return (
    <section className="gh-access-server" aria-label={slug}>
      <div className="gh-access-head">
        <Link to="/mcp-servers/$slug" params={{ slug }}>
          <code>{slug}</code>
        </Link>
        {draft && <StatusPill tone="info">Draft</StatusPill>}
        <span className="gh-dim">{why}</span>
        <span className="gh-access-count">{tools.length === 1 ? "1 tool" : `${tools.length} tools`}</span>
      </div>
      <div className="gh-access-tools">
        {shown.map(({ tool }) => (
          <UnstyledButton key={tool} className="gh-access-tool" onClick={() => onExplain(tool)}>
            {shortName(tool)}
          </UnstyledButton>
        ))}
        {shown.length < tools.length && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={open.open}>
            {`${tools.length - shown.length} more`}
          </Button>
        )}
      </div>
    </section>
  );
}

function NoTools() {
  return (
    <EmptyState icon={IconLock} title="No tools">
      No group gives this user access to a server with tools. Search for a tool to see why it is unavailable.
    </EmptyState>
  );
}

function counted({ servers, tools }: Schemas["AccessSummary"]): string {
  const many = tools === 1 ? "1 tool" : `${tools.toLocaleString("en")} tools`;
  return `${many} from ${servers === 1 ? "1 server" : `${servers.toLocaleString("en")} servers`}`;
}

function AccessSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton height={84} mb="md" />
      <Skeleton height={84} mb="md" />
      <Skeleton height={84} />
    </div>
  );
}
