import { Menu } from "@mantine/core";
import type { MouseEvent, ReactNode } from "react";

/**
 * The dropdown of a menu with actions. A dialog returns the focus to the element that had it when the dialog opened, so the
 * menu's button gets it first: the item is removed with the menu.
 */
export function MenuItems({ children }: { children: ReactNode }) {
  return <Menu.Dropdown onClickCapture={focusMenuButton}>{children}</Menu.Dropdown>;
}

function focusMenuButton({ currentTarget }: MouseEvent): void {
  const buttonId = currentTarget.getAttribute("aria-labelledby");
  if (buttonId !== null) document.getElementById(buttonId)?.focus();
}
