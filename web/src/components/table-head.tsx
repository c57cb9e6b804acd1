import { Checkbox, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";

export type SortOrder = "asc" | "desc";

/** The sort order of a list. Its page keeps it in the URL. */
export interface Sorting {
  readonly by: string | undefined;
  readonly order: SortOrder;
  /** Undefined restores the default order. */
  onSort(by: string | undefined, order: SortOrder): void;
}

export interface HeadColumn {
  readonly key: string;
  readonly header: string;
  readonly align?: "right";
  readonly hideBelow?: "sm" | "md" | "lg";
  /** The column is sortable; the first click uses this order. */
  readonly sorts?: SortOrder;
}

interface TableHeadProps {
  readonly columns: readonly HeadColumn[];
  readonly sorting: Sorting | undefined;
  /** Applies to all loaded rows. Undefined: rows are not selectable. */
  readonly selectAll: { readonly isAll: boolean; readonly isSome: boolean; toggle(): void } | undefined;
  readonly hasMenu: boolean;
}

export function TableHead({ columns, sorting, selectAll, hasMenu }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {selectAll && (
          <th scope="col" className="gh-cell-select">
            <Checkbox
              size="xs"
              aria-label="Select all loaded rows"
              checked={selectAll.isAll}
              indeterminate={selectAll.isSome && !selectAll.isAll}
              onChange={selectAll.toggle}
            />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            data-align={column.align}
            data-hide={column.hideBelow}
            aria-sort={ariaSort(column, sorting)}
          >
            {sorting && column.sorts ? <SortButton column={column} sorting={sorting} /> : column.header}
          </th>
        ))}
        {hasMenu && (
          <th scope="col">
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        )}
      </tr>
    </thead>
  );
}

/** Cycles through the first order, the reverse order, and the default order. */
function SortButton({ column: { key, header, sorts = "asc" }, sorting }: { column: HeadColumn; sorting: Sorting }) {
  const isSorted = sorting.by === key;
  const sort = () => {
    if (!isSorted) sorting.onSort(key, sorts);
    else if (sorting.order === sorts) sorting.onSort(key, sorts === "asc" ? "desc" : "asc");
    else sorting.onSort(undefined, "asc");
  };
  const Arrow = (isSorted ? sorting.order : sorts) === "asc" ? IconArrowUp : IconArrowDown;
  return (
    <UnstyledButton className="gh-sort" data-sorted={isSorted || undefined} onClick={sort}>
      {header}
      <Arrow size={12} stroke={2} aria-hidden />
    </UnstyledButton>
  );
}

function ariaSort({ key, sorts }: HeadColumn, sorting: Sorting | undefined) {
  if (!sorting || !sorts) return undefined;
  if (sorting.by !== key) return "none";
  return sorting.order === "asc" ? "ascending" : "descending";
}
