import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { MarkedLink } from "../../components/links.tsx";
import { useScrollToCurrent } from "../../components/scroll-to-current.ts";
import { categoriesQuery } from "./connectors.ts";

const SKELETONS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Next to the cards; above them in a scrolling row on narrow pages. */
export function Categories({ chosen }: { chosen: string | undefined }) {
  const api = useApi();
  const { data } = useQuery(categoriesQuery(api));
  const bar = useScrollToCurrent(data && (chosen ?? "All"));
  return (
    <nav ref={bar} aria-label="Categories" className="gh-categories gh-scrolls-sideways">
      <CategoryLink name={undefined} isChosen={chosen === undefined} />
      {data
        ? data.data.map(({ name, count }) => (
            <CategoryLink key={name} name={name} count={count} isChosen={name === chosen} />
          ))
        : SKELETONS.map((key) => <Skeleton key={key} height={12} my={8} mx="sm" width="60%" />)}
    </nav>
  );
}

function CategoryLink({ name, count, isChosen }: { name: string | undefined; count?: number; isChosen: boolean }) {
  return (
    <MarkedLink
      to="/catalog"
      search={({ q, source }) => ({ q, source: name === undefined ? source : undefined, category: name })}
      isCurrent={isChosen}
      resetScroll={false}
    >
      <span className="gh-truncate">{name ?? "All"}</span>
      {count !== undefined && <span className="gh-category-count">{count}</span>}
    </MarkedLink>
  );
}
