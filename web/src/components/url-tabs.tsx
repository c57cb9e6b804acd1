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
 * Tabs as links to this page with `?tab=`; the first tab has no parameter. Other parameters belong to the current tab and
 * are dropped.
 */
export function UrlTabs<Tab extends string>({ label, tabs, value }: UrlTabsProps<Tab>) {
  const bar = useScrollToCurrent(value);
  return (
    <nav ref={bar} aria-label={label} className="gh-siblings gh-tabs gh-scrolls-sideways">
      {tabs.map((tab, at) => (
        <MarkedLink
          key={tab.value}
          to="."
          // Every page with tabs has a `tab` parameter; this component does not know the page's type.
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
