import { Button } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type Column, DataTable, type TableRows } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import type { RowLink } from "../../components/row-main.tsx";
import { type PublicationStatus, StatusFilter } from "./publication.tsx";

interface PublicationFilters {
  readonly q?: string | undefined;
  readonly status?: PublicationStatus | undefined;
}

interface PublicationListProps<Row> {
  /** "Skills" */
  readonly label: string;
  readonly icon: Icon;
  readonly list: TableRows<Row>;
  readonly columns: ReadonlyArray<Column<Row>>;
  rowLink(row: Row): RowLink;
  /** The filters in the URL. */
  readonly filters: PublicationFilters;
  onFilter(filters: PublicationFilters): void;
  /** "names and descriptions" */
  readonly searched: string;
  /** Shown while there are none. */
  readonly empty: string;
  /** The buttons that make the first one. */
  readonly actions: ReactNode;
}

/** A list of toolkits, skills, commands or plugins with search and status. */
export function PublicationList<Row extends { readonly slug: string }>(props: PublicationListProps<Row>) {
  const { label, icon, list, columns, rowLink, filters, onFilter, searched, empty, actions } = props;
  const plural = label.toLowerCase();
  const isFiltered = filters.q !== undefined || filters.status !== undefined;
  const clear = (
    <Button variant="default" onClick={() => onFilter({ q: undefined, status: undefined })}>
      Clear filters
    </Button>
  );
  return (
    <>
      <FilterBar>
        <SearchField label={`Search ${plural}`} value={filters.q} onChange={(q) => onFilter({ q })} />
        <StatusFilter value={filters.status} onChange={(status) => onFilter({ status })} />
      </FilterBar>
      <DataTable
        label={label}
        list={list}
        columns={columns}
        rowKey={({ slug }) => slug}
        rowLink={rowLink}
        empty={
          isFiltered ? (
            <EmptyState icon={icon} title={`No matching ${plural}`} actions={clear}>
              {`The search covers ${searched}.`}
            </EmptyState>
          ) : (
            <EmptyState icon={icon} title={`No ${plural} yet`} actions={actions}>
              {empty}
            </EmptyState>
          )
        }
      />
    </>
  );
}
