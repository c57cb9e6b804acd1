import { Button, Skeleton, Title } from "@mantine/core";
import { IconLayoutGrid } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { type Pages, usePages } from "../../api/pages.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { LinkButton } from "../../components/links.tsx";
import { LoadMore } from "../../components/load-more.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { AddConnectorDialog } from "./add-connector-dialog.tsx";
import { Categories } from "./categories.tsx";
import { ConnectorCard } from "./connector-card.tsx";
import { type Connector, connectorsKey, featuredQuery, fetchConnectors } from "./connectors.ts";
import { useVisibleCards } from "./visible-cards.ts";
import "./catalog.css";

const route = getRouteApi("/catalog");

const SOURCES = [
  { value: "connector", label: "Built in" },
  { value: "registry", label: "Public registry" },
] as const;

export function CatalogPage() {
  const api = useApi();
  const { changes } = useRights();
  const { add, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages([...connectorsKey, "list", filters], (cursor, signal) =>
    fetchConnectors(api, filters, cursor, signal),
  );
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const featured = useQuery({ ...featuredQuery(api), enabled: !isFiltered });
  const choose = (patch: Partial<typeof filters>) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const openDialog = (id: string | undefined) => void navigate({ search: (old) => ({ ...old, add: id }) });
  const onChoose = changes ? openDialog : undefined;
  const known = [...list.rows, ...(featured.data ?? [])];
  return (
    <>
      <PageHeader
        title="Catalog"
        description="Add MCP servers to your gateway. People connect with their own accounts."
        actions={
          changes && (
            <LinkButton to="/mcp-servers" search={{ add: "url" }} variant="default">
              Add by URL
            </LinkButton>
          )
        }
      />
      <FilterBar count={list.total === undefined ? undefined : `${list.total.toLocaleString("en")} connectors`}>
        <SearchField label="Search the catalog" value={filters.q} onChange={(q) => choose({ q })} />
        <Choice
          label="Source"
          any="All sources"
          value={filters.source}
          options={SOURCES}
          onChange={(source) => choose({ source })}
        />
      </FilterBar>
      <div className="gh-catalog">
        <Categories chosen={filters.category} />
        <div>
          {!isFiltered && featured.data && featured.data.length > 0 && (
            <Featured connectors={featured.data} onChoose={onChoose} />
          )}
          <Cards list={list} onChoose={onChoose} onClear={() => void navigate({ search: {} })} />
        </div>
      </div>
      <AddConnectorDialog connector={known.find(({ id }) => id === add)} onClose={() => openDialog(undefined)} />
    </>
  );
}

type OnChoose = ((id: string) => void) | undefined;

function Featured({ connectors, onChoose }: { connectors: readonly Connector[]; onChoose: OnChoose }) {
  return (
    <section aria-labelledby="featured" className="gh-catalog-featured">
      <Title order={2} id="featured">
        Featured
      </Title>
      <ul className="gh-cards">
        {connectors.map((connector) => (
          <ConnectorCard key={connector.id} connector={connector} onChoose={onChoose} />
        ))}
      </ul>
      <Title order={2}>All connectors</Title>
    </section>
  );
}

interface CardsProps {
  readonly list: Pages<Connector>;
  readonly onChoose: OnChoose;
  onClear(): void;
}

const SKELETONS = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

function Cards({ list, onChoose, onClear }: CardsProps) {
  const { ref, from, to, before, after } = useVisibleCards(list.rows.length);
  if (list.error && list.rows.length === 0) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (!list.isPending && list.rows.length === 0) {
    return (
      <EmptyState
        icon={IconLayoutGrid}
        title="No matching connectors"
        actions={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        You can add a server that is not listed by its URL.
      </EmptyState>
    );
  }
  return (
    <div>
      <ul
        ref={ref}
        className="gh-cards"
        aria-label="Connectors"
        data-stale={list.isStale || undefined}
        aria-busy={list.isPending || list.isStale}
        style={{ paddingTop: before, paddingBottom: after }}
      >
        {list.isPending &&
          SKELETONS.map((key) => (
            <li key={key} className="gh-card" aria-hidden>
              <Skeleton height={32} width={32} />
              <Skeleton height={12} width="50%" mt="sm" />
              <Skeleton height={10} mt="xs" />
            </li>
          ))}
        {list.rows.slice(from, to).map((connector) => (
          <ConnectorCard key={`${connector.source} ${connector.id}`} connector={connector} onChoose={onChoose} />
        ))}
      </ul>
      <LoadMore list={list} />
    </div>
  );
}
