import { UnstyledButton } from "@mantine/core";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { KeyboardEvent, ReactNode } from "react";

/** A route, created with the router's `linkOptions`. */
export type RowLink = Pick<LinkProps, "to" | "params" | "search">;

interface RowMainProps {
  readonly link: RowLink | undefined;
  readonly onOpen: (() => void) | undefined;
  readonly isOpen: boolean;
  /** `x` selects the row, and Shift+X the range since the last selected row. */
  readonly onSelect?: ((isRange: boolean) => void) | undefined;
  readonly children: ReactNode;
}

/** The link or button of a row. Its click target covers the row, and arrow keys move between rows. */
export function RowMain({ link, onOpen, isOpen, onSelect, children }: RowMainProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key.toLowerCase() === "x") onSelect?.(event.shiftKey);
    else moveBetweenRows(event);
  };
  if (link) {
    return (
      <Link {...link} className="gh-row-main" data-row-main="" onKeyDown={onKeyDown}>
        {children}
      </Link>
    );
  }
  return (
    <UnstyledButton
      className="gh-row-main"
      data-row-main=""
      aria-expanded={isOpen}
      onClick={() => onOpen?.()}
      onKeyDown={onKeyDown}
    >
      {children}
    </UnstyledButton>
  );
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const row = event.currentTarget.closest("tr");
  const next = step === 1 ? row?.nextElementSibling : row?.previousElementSibling;
  const target = next?.querySelector<HTMLElement>("[data-row-main]");
  if (!target) return;
  event.preventDefault();
  target.focus();
}
