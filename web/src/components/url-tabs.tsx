import type { ReactNode } from "react";
import { MarkedLink } from "./links.tsx";
import { useScrollToCurrent } from "./scroll-to-current.ts";
import "./page-header.css";

interface UrlTabsProps<Tab extends string> {
  readonly label: string;
  readonly tabs: ReadonlyArray<{ readonly value: Tab; readonly label: string; readonly aside?: ReactNode }>;
  readonly value: Tab;
}

/**
 * Tabs that are links to this page with another `?tab=`; the first one is the page without. Other parameters belong to the
 * tab that is left, and go.
 */
export function UrlTabs<Tab extends string>({ label, tabs, value }: UrlTabsProps<Tab>) {
  const bar = useScrollToCurrent(value);
  return (
    <nav ref={bar} aria-label={label} className="gh-siblings gh-tabs">
      {tabs.map((tab, at) => (
        <MarkedLink
          key={tab.value}
          to="."
          // Every page with tabs reads `tab`; which page this is, is not known here.
          search={(at === 0 ? {} : { tab: tab.value }) as never}
          isCurrent={tab.value === value}
        >
          {tab.label}
          {tab.aside}
        </MarkedLink>
      ))}
    </nav>
  );
}
