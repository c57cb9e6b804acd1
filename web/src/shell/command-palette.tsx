import { useDebouncedValue } from "@mantine/hooks";
import { IconArrowRight } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useApi, useRights } from "../api/context.tsx";
import { Palette, type PaletteEntry, type PaletteGroup } from "../components/palette.tsx";
import { useKnownPages } from "./pages-for.ts";
import { useActions } from "./palette-actions.tsx";
import { useRecent } from "./recent.ts";
import { type Hit, hitIcon, searchRecords } from "./search-records.tsx";

const PAUSE_MS = 120;

/** Searches pages, actions, and records. The code loads when the palette first opens. */
export function CommandPalette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const query = typed.trim();
  const { found, isSearching, error } = useSearchResults(query);
  const actions = useActions();
  const pages = usePages();
  const entryOf = useHitEntries();
  const [recent] = useRecent();
  const close = () => {
    setTyped("");
    onClose();
  };
  const recentEntries = query === "" ? recent.map((hit) => ({ ...entryOf(hit), key: `recent ${hit.href}` })) : [];
  const groups: readonly PaletteGroup[] = [
    { title: "Recent", entries: recentEntries },
    { title: "Pages", entries: matching(pages, query) },
    { title: "Actions", entries: matching(actions, query) },
    ...found.map(({ title, hits }) => ({ title, entries: hits.map(entryOf) })),
  ];
  return (
    <Palette
      opened={opened}
      onClose={close}
      query={typed}
      onQuery={setTyped}
      groups={groups}
      isSearching={isSearching}
      noResults={error ? "Search is unavailable. Keep typing to try again." : `No results for “${query}”`}
    />
  );
}

/** Keeps the previous results until the new ones arrive. */
function useSearchResults(query: string) {
  const api = useApi();
  const { administers } = useRights();
  const [debounced] = useDebouncedValue(query, PAUSE_MS);
  const isEnabled = administers && query !== "";
  const { data, error, isFetching } = useQuery({
    queryKey: ["palette", debounced],
    queryFn: ({ signal }) => searchRecords(api, debounced, signal),
    enabled: isEnabled && debounced !== "",
    placeholderData: keepPreviousData,
  });
  return { found: (isEnabled && data) || [], error, isSearching: isEnabled && (isFetching || debounced !== query) };
}

function usePages(): readonly PaletteEntry[] {
  const router = useRouter();
  return useKnownPages().map(({ path, title, nav }) => {
    const Icon = nav?.icon ?? IconArrowRight;
    return {
      key: path,
      label: title,
      icon: <Icon size={18} stroke={1.7} />,
      run: () => void router.navigate({ to: path }),
    };
  });
}

function useHitEntries() {
  const router = useRouter();
  const [, remember] = useRecent();
  return (hit: Hit): PaletteEntry => {
    const { label, description, href } = hit;
    const run = () => {
      remember(hit);
      void router.navigate({ href });
    };
    return { key: href, label, description, icon: hitIcon(hit), run };
  };
}

/** Matches if every typed word is the start of a word of the label. */
function matching(entries: readonly PaletteEntry[], query: string): readonly PaletteEntry[] {
  const wanted = query.toLowerCase().split(/\s+/u);
  return entries.filter(({ label }) => {
    const words = label.toLowerCase().split(/\s+/u);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  });
}
