import { Checkbox, Skeleton } from "@mantine/core";
import { type CSSProperties, memo, type ReactNode, useRef } from "react";
import { ErrorState } from "./error-state.tsx";
import { type GrowingList, LoadMore } from "./load-more.tsx";
import { type RowLink, RowMain } from "./row-main.tsx";
import { type RowSelector, type Selection, useRowSelector } from "./row-selection.ts";
import { type HeadColumn, type Sorting, TableHead } from "./table-head.tsx";
import { COMPACT_ROW_HEIGHT, ROW_HEIGHT, useVisibleRows } from "./visible-rows.ts";
import "./data-table.css";

export interface Column<Row> extends HeadColumn {
  render(row: Row): ReactNode;
  /** A CSS width. Columns without one share the remaining space. */
  readonly width?: string;
  /** The width on small screens. */
  readonly narrowWidth?: string;
}

/** The loaded part of a list, as `usePages` returns it. */
export interface TableRows<Row> extends GrowingList {
  readonly rows: readonly Row[];
  readonly isPending: boolean;
  readonly isStale: boolean;
  retry(): void;
}

/** A list that is loaded completely. */
export function allRows<Row>(rows: readonly Row[]): TableRows<Row> {
  const nothing = () => undefined;
  const done = { isPending: false, isStale: false, error: null, hasMore: false, isLoadingMore: false };
  return { rows, ...done, loadMore: nothing, retry: nothing };
}

interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly list: TableRows<Row>;
  readonly columns: ReadonlyArray<Column<Row>>;
  rowKey(row: Row): string;
  /** The page a row opens. The first column becomes the link and the row is its click target. */
  rowLink?(row: Row): RowLink;
  /** Opens a panel next to the table instead of a page. */
  onOpen?(row: Row): void;
  /** The row whose panel is open. */
  readonly openKey?: string | undefined;
  /** A menu at the end of the row. */
  rowMenu?(row: Row): ReactNode;
  /** Rows of 32 px with one line of text, for logs. */
  readonly isCompact?: boolean;
  /** The current sort order, if the list supports sorting. */
  readonly sorting?: Sorting;
  /** The selected rows, if the list supports bulk actions. */
  readonly selection?: Selection<Row> | undefined;
  /** The empty state. It differs when filters are set. */
  readonly empty: ReactNode;
}

const SKELETON_ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** A dense table that loads more rows while scrolling and renders only the visible rows of a long list. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, list, columns, rowMenu, rowLink, onOpen, openKey, empty, rowKey, sorting, selection, isCompact } =
    props;
  const body = useRef<HTMLTableSectionElement>(null);
  const visible = useVisibleRows(body, list.rows.length, isCompact ? COMPACT_ROW_HEIGHT : ROW_HEIGHT);
  const selector = useRowSelector(list.rows, rowKey, selection);
  const isEmpty = !list.isPending && !list.error && list.rows.length === 0;
  if (list.error && list.rows.length === 0) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (isEmpty) return empty;
  return (
    <div className="gh-table-frame" data-stale={list.isStale || undefined} aria-busy={list.isPending || list.isStale}>
      <table
        className="gh-table"
        data-compact={isCompact || undefined}
        aria-label={label}
        aria-rowcount={list.hasMore ? -1 : list.rows.length + 1}
      >
        <colgroup>
          {selector && <col className="gh-col-select" />}
          {columns.map(({ key, width = "auto", narrowWidth = width, hideBelow }) => (
            <col key={key} style={vars({ "--wide": width, "--narrow": narrowWidth })} data-hide={hideBelow} />
          ))}
          {rowMenu && <col className="gh-col-menu" />}
        </colgroup>
        <TableHead
          columns={columns}
          sorting={sorting}
          selectAll={selector && { ...selector, toggle: selector.toggleAll }}
          hasMenu={!!rowMenu}
        />
        <tbody ref={body}>
          {list.isPending &&
            SKELETON_ROWS.map((key) => (
              <SkeletonRow key={key} columns={columns} hasSelect={!!selector} hasMenu={!!rowMenu} />
            ))}
          {visible.before > 0 && <Spacer height={visible.before} />}
          {list.rows.slice(visible.from, visible.to).map((row, at) => (
            <MemoizedRow
              key={rowKey(row)}
              row={row}
              index={visible.from + at}
              isOpen={openKey !== undefined && openKey === rowKey(row)}
              isSelected={selector?.isSelected(row) ?? false}
              onToggle={selector?.toggle}
              selectLabel={selection?.label}
              columns={columns}
              rowLink={rowLink}
              onOpen={onOpen}
              rowMenu={rowMenu}
            />
          ))}
          {visible.after > 0 && <Spacer height={visible.after} />}
        </tbody>
      </table>
      <LoadMore list={list} />
    </div>
  );
}

/** React's style type has no custom properties, although React supports them. */
function vars(values: Readonly<Record<`--${string}`, string>>): CSSProperties {
  return values as CSSProperties;
}

type OrUndefined<Given> = { readonly [Name in keyof Given]: Given[Name] | undefined };

interface TableRowProps<Row> extends OrUndefined<Pick<DataTableProps<Row>, "rowLink" | "onOpen" | "rowMenu">> {
  readonly row: Row;
  readonly index: number;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly onToggle: RowSelector<Row>["toggle"] | undefined;
  readonly selectLabel: ((row: Row) => string) | undefined;
  readonly columns: ReadonlyArray<Column<Row>>;
}

function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, index, isOpen, isSelected, onToggle, selectLabel, columns, rowLink, onOpen, rowMenu } = props;
  return (
    <tr aria-rowindex={index + 2} data-open={isOpen || isSelected || undefined}>
      {onToggle && (
        <td className="gh-cell-select">
          <Checkbox
            size="xs"
            aria-label={selectLabel?.(row)}
            checked={isSelected}
            // Click events carry the Shift key, and the space bar triggers them too.
            onClick={(event) => onToggle(index, event.shiftKey)}
            onChange={() => undefined}
          />
        </td>
      )}
      {columns.map((column, at) => (
        <td key={column.key} data-align={column.align} data-hide={column.hideBelow}>
          {at === 0 && (rowLink || onOpen) ? (
            <RowMain
              link={rowLink?.(row)}
              onOpen={onOpen && (() => onOpen(row))}
              isOpen={isOpen}
              onSelect={onToggle && ((isRange) => onToggle(index, isRange))}
            >
              {column.render(row)}
            </RowMain>
          ) : (
            column.render(row)
          )}
        </td>
      ))}
      {rowMenu && <td className="gh-cell-menu">{rowMenu(row)}</td>}
    </tr>
  );
}

/** Scrolling must not re-render the rows that stay. The cast restores the generic type that `memo` loses. */
const MemoizedRow = memo(TableRow) as typeof TableRow;

interface SkeletonRowProps<Row> {
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly hasSelect: boolean;
  readonly hasMenu: boolean;
}

function SkeletonRow<Row>({ columns, hasSelect, hasMenu }: SkeletonRowProps<Row>) {
  return (
    <tr aria-hidden>
      {hasSelect && <td />}
      {columns.map(({ key, hideBelow }, at) => (
        <td key={key} data-hide={hideBelow}>
          <Skeleton height={12} width={at === 0 ? "60%" : "45%"} />
        </td>
      ))}
      {hasMenu && <td />}
    </tr>
  );
}

/** A single cell: a `colSpan` would bring back the columns that a narrow page hides. */
function Spacer({ height }: { height: number }) {
  return (
    <tr aria-hidden className="gh-spacer">
      <td style={{ height }} />
    </tr>
  );
}
