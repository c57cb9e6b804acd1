import "@mantine/spotlight/styles.layer.css";
import "./command-palette.css";
import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { IconArrowRight, IconBook, IconSearch, IconSunMoon } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { addressOf } from "../api/base-path.ts";
import { useApi, useRights } from "../api/context.tsx";
import { Logo } from "../components/logo.tsx";
import { findNouns } from "./find-nouns.ts";
import { useKnownPages } from "./pages-for.ts";

interface Entry {
  readonly key: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon: ReactNode;
  run(): void;
}

/** Pages, actions, and what the API finds; loaded when it is first opened. */
export function CommandPalette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [[store, palette]] = useState(createSpotlight);
  const [query, setQuery] = useState("");
  const groups = useEntries(query.trim());
  useEffect(() => {
    if (opened) palette.open();
    else palette.close();
  }, [opened, palette]);
  const isEmpty = groups.every(({ entries }) => entries.length === 0);
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      scrollable
      centered={false}
      yOffset="12vh"
      attributes={{ content: { "aria-label": "Search" } }}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      maxHeight={440}
    >
      <Spotlight.Search placeholder="Search or jump to…" leftSection={<IconSearch size={18} stroke={1.7} />} />
      <Spotlight.ActionsList>
        {groups.map(({ title, entries }) =>
          entries.length === 0 ? null : (
            <Spotlight.ActionsGroup key={title} label={title}>
              {entries.map(({ key, label, description, icon, run }) => (
                <Spotlight.Action
                  key={key}
                  label={label}
                  {...(description === undefined ? {} : { description })}
                  leftSection={icon}
                  onClick={run}
                />
              ))}
            </Spotlight.ActionsGroup>
          ),
        )}
        {isEmpty && <Spotlight.Empty>Nothing is called that</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function useEntries(query: string): ReadonlyArray<{ readonly title: string; readonly entries: readonly Entry[] }> {
  const api = useApi();
  const { administers } = useRights();
  const router = useRouter();
  const [asked] = useDebouncedValue(query, 150);
  const { data: found } = useQuery({
    queryKey: ["palette", asked],
    queryFn: ({ signal }) => findNouns(api, asked, signal),
    enabled: administers && asked !== "",
    placeholderData: keepPreviousData,
  });
  const pages = useKnownPages().map(({ path, title, nav }): Entry => {
    const Icon = nav?.icon ?? IconArrowRight;
    const icon = <Icon key={path} size={18} stroke={1.7} />;
    return { key: path, label: title, icon, run: () => void router.navigate({ to: path }) };
  });
  const nouns = (query === "" ? [] : (found ?? [])).map(({ title, hits }) => ({
    title,
    entries: hits.map(({ key, label, description, href, logoUrl }): Entry => {
      const icon = <HitIcon key={key} logoUrl={logoUrl} />;
      return { key, label, description, icon, run: () => void router.navigate({ href }) };
    }),
  }));
  const actions = useActions();
  return [
    { title: "Pages", entries: matching(pages, query) },
    ...nouns,
    { title: "Actions", entries: matching(actions, query) },
  ];
}

function HitIcon({ logoUrl }: { logoUrl: string | undefined }) {
  return logoUrl === undefined ? <IconArrowRight size={18} stroke={1.7} /> : <Logo url={logoUrl} size={18} />;
}

function useActions(): readonly Entry[] {
  const { changes } = useRights();
  const router = useRouter();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const other = colorScheme === "dark" ? "light" : "dark";
  const openDocs = () => window.open(addressOf("/docs"), "_blank", "noopener");
  const add: Entry = {
    key: "add-server",
    label: "Add an MCP server",
    icon: <IconArrowRight size={18} stroke={1.7} />,
    run: () => void router.navigate({ to: "/mcp-servers", search: { add: "url" } }),
  };
  return [
    ...(changes ? [add] : []),
    {
      key: "theme",
      label: `Use the ${other} theme`,
      icon: <IconSunMoon size={18} stroke={1.7} />,
      run: () => setColorScheme(other),
    },
    { key: "docs", label: "Open the API documentation", icon: <IconBook size={18} stroke={1.7} />, run: openDocs },
  ];
}

function matching(entries: readonly Entry[], query: string): readonly Entry[] {
  const wanted = query.toLowerCase();
  return entries.filter(({ label }) => label.toLowerCase().includes(wanted));
}
