import { type MouseEvent, useEffect, useRef } from "react";

/**
 * A button that moves its row loses the focus, because it is disabled meanwhile and the row moves in the document. It gets the
 * focus again, so that a row can be moved several times with the keyboard.
 */
export function useFocusAfterMove(isMoving: boolean) {
  const list = useRef<HTMLOListElement>(null);
  const pressed = useRef<{ readonly rule: string; readonly button: number }>(undefined);
  useEffect(() => {
    if (isMoving || pressed.current === undefined) return;
    const { rule, button } = pressed.current;
    pressed.current = undefined;
    // The user can have moved on.
    if (document.activeElement !== document.body) return;
    const buttons = buttonsOf(list.current?.querySelector(`[data-rule="${CSS.escape(rule)}"]`));
    const [same, ...others] = [buttons[button], ...buttons];
    [same, ...others].find((each) => each !== undefined && !each.disabled)?.focus();
  }, [isMoving]);
  const remember = ({ target }: MouseEvent) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const row = button?.closest<HTMLElement>("[data-rule]");
    if (!button || !row?.dataset.rule) return;
    pressed.current = { rule: row.dataset.rule, button: buttonsOf(row).indexOf(button) };
  };
  return { list, remember };
}

function buttonsOf(row: Element | null | undefined): HTMLButtonElement[] {
  return [...(row?.querySelectorAll("button") ?? [])];
}
