import { useCallback, useLayoutEffect, useRef } from "react";

/** The selected rows by key. The page holds this state. */
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
  /** Selects all loaded rows, or none. */
  toggleAll(): void;
  /** `isRange` extends the selection from the last toggled row. The function identity is stable. */
  readonly toggle: (index: number, isRange: boolean) => void;
}

export function useRowSelector<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  selection: Selection<Row> | undefined,
): RowSelector<Row> | undefined {
  const last = useRef(0);
  const isSelected = (row: Row) => selection?.selected.has(rowKey(row)) ?? false;
  const toggle = useLatest((index: number, isRange: boolean) => {
    const row = rows[index];
    if (row === undefined) return;
    const [from, to] = isRange ? [Math.min(last.current, index), Math.max(last.current, index)] : [index, index];
    last.current = index;
    selection?.onSelect(rows.slice(from, to + 1), !isSelected(row));
  });
  if (!selection) return undefined;
  const isAll = rows.length > 0 && rows.every(isSelected);
  const isSome = selection.selected.size > 0;
  return { isAll, isSome, isSelected, toggle, toggleAll: () => selection.onSelect(rows, !isAll) };
}

/** A stable function that calls the latest callback, so that memoized rows do not re-render. */
function useLatest<Given extends unknown[]>(act: (...given: Given) => void): (...given: Given) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given) => latest.current(...given), []);
}
