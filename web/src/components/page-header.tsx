import { Title } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useScrollToCurrent } from "./scroll-to-current.ts";
import "./page-header.css";

interface PageHeaderProps {
  readonly title: string;
  /** One sentence: what this page is for. */
  readonly description?: ReactNode;
  /** What stands before the title, such as a logo. */
  readonly mark?: ReactNode;
  /** What stands behind the title, such as a status. */
  readonly aside?: ReactNode;
  /** Buttons; the one that matters most comes last. */
  readonly actions?: ReactNode;
  /** The page above: where `title` was opened from. */
  readonly parent?: { readonly label: string; readonly to: string };
  /** Pages that share an entry of the navigation. */
  readonly siblings?: ReadonlyArray<{ readonly label: string; readonly to: string }>;
}

export function PageHeader({ title, description, mark, aside, actions, parent, siblings }: PageHeaderProps) {
  const pathname = useLocation({ select: (location) => location.pathname });
  const bar = useScrollToCurrent(pathname);
  return (
    <header className="gh-page-header">
      <title>{`${title} · Gatehouse`}</title>
      {parent && (
        <nav aria-label="Breadcrumb" className="gh-breadcrumb">
          <Link to={parent.to}>{parent.label}</Link>
          <span aria-hidden>/</span>
        </nav>
      )}
      <div className="gh-page-title">
        {mark}
        <Title order={1}>{title}</Title>
        {aside}
        {actions && <div className="gh-page-actions">{actions}</div>}
      </div>
      {description !== undefined && <div className="gh-page-description">{description}</div>}
      {siblings && (
        <nav ref={bar} aria-label="Section" className="gh-siblings">
          {siblings.map(({ label, to }) => (
            <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
              {label}
            </Link>
          ))}
        </nav>
      )}
    </header>
  );
}
