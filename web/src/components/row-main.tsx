import { UnstyledButton } from "@mantine/core";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { KeyboardEvent, ReactNode } from "react";

/** Where to: made by `linkOptions` of the router, which knows the paths. */
export type RowLink = Pick<LinkProps, "to" | "params" | "search">;

interface RowMainProps {
  readonly link: RowLink | undefined;
  readonly onOpen: (() => void) | undefined;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

/** The part of a row that is a link or a button. Its target is stretched over the row; arrow keys go from row to row. */
export function RowMain({ link, onOpen, isOpen, children }: RowMainProps) {
  if (link) {
    return (
      <Link {...link} className="gh-row-main" data-row-main="" onKeyDown={moveBetweenRows}>
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
      onKeyDown={moveBetweenRows}
    >
      {children}
    </UnstyledButton>
  );
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
  const row = event.currentTarget.closest("tr");
  const next = step === 1 ? row?.nextElementSibling : row?.previousElementSibling;
  const target = next?.querySelector<HTMLElement>("[data-row-main]");
  if (!target) return;
  event.preventDefault();
  target.focus();
}
