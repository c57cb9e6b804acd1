import { Title } from "@mantine/core";
import { IconChevronLeft } from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useScrollToCurrent } from "./scroll-to-current.ts";
import "./page-header.css";

interface PageHeaderProps {
  readonly title: string;
  /** One sentence about the page. */
  readonly description?: ReactNode;
  /** Shown before the title, such as a logo. */
  readonly mark?: ReactNode;
  /** Shown after the title, such as a status. */
  readonly aside?: ReactNode;
  /** Buttons; the primary one comes last. */
  readonly actions?: ReactNode;
  /** The parent page, for the breadcrumb. */
  readonly parent?: { readonly label: string; readonly to: string };
  /** Pages that share a navigation entry. */
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
          <Link to={parent.to}>
            <IconChevronLeft size={14} aria-hidden />
            {parent.label}
          </Link>
        </nav>
      )}
      <div className="gh-page-heading">
        <div className="gh-page-title">
          {mark}
          <Title order={1}>{title}</Title>
          {aside}
        </div>
        {description !== undefined && <div className="gh-page-description">{description}</div>}
        {actions && <div className="gh-page-actions">{actions}</div>}
      </div>
      {siblings && (
        <nav ref={bar} aria-label="Section" className="gh-siblings gh-scrolls-sideways">
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
