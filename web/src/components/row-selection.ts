import { useMemo, useRef } from "react";

/** Rows that somebody picked out, by their keys; the page holds them. */
export interface Selection<Row> {
  readonly selected: { readonly size: number; has(key: string): boolean };
  onSelect(rows: readonly Row[], isSelected: boolean): void;
  /** "Select GitHub" */
  label(row: Row): string;
}

export interface RowSelector<Row> {
  readonly isAll: boolean;
  readonly isSome: boolean;
  isSelected(row: Row): boolean;
  /** All that are loaded, or none. */
  toggleAll(): void;
  /** With `isRange`, everything between the row that was picked last and this one, too. */
  toggle(index: number, isRange: boolean): void;
}

export function useRowSelector<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  selection: Selection<Row> | undefined,
): RowSelector<Row> | undefined {
  const last = useRef(0);
  return useMemo(() => {
    if (!selection) return undefined;
    const { selected, onSelect } = selection;
    const isSelected = (row: Row) => selected.has(rowKey(row));
    const isAll = rows.length > 0 && rows.every(isSelected);
    return {
      isAll,
      isSome: selected.size > 0,
      isSelected,
      toggleAll: () => onSelect(rows, !isAll),
      toggle(index, isRange) {
        const row = rows[index];
        if (row === undefined) return;
        const [from, to] = isRange ? [Math.min(last.current, index), Math.max(last.current, index)] : [index, index];
        last.current = index;
        onSelect(rows.slice(from, to + 1), !isSelected(row));
      },
    };
  }, [rows, rowKey, selection]);
}
