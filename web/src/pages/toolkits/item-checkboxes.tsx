import { Checkbox, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { serversKey } from "../mcp-servers/servers.ts";
import type { Toolkit } from "./toolkits.ts";

type Items = Pick<Toolkit, "prompts" | "resources">;

interface ItemCheckboxesProps {
  /** Slugs of the servers whose items can be selected. */
  readonly servers: readonly string[];
  readonly items: Items;
  readonly isReadOnly: boolean;
  onChange(items: Items): void;
}

/** Prompts and resources of the servers of the toolkit. */
export function ItemCheckboxes({ servers, ...rest }: ItemCheckboxesProps) {
  return (
    <Section
      title="Prompts and resources"
      description="A toolkit has none until you select some. Shown for the servers of its tools."
    >
      {servers.length === 0 && (
        <Text size="sm" c="dimmed">
          Select tools first
        </Text>
      )}
      {servers.map((slug) => (
        <ItemsOfServer key={slug} slug={slug} {...rest} />
      ))}
    </Section>
  );
}

function ItemsOfServer({ slug, items, isReadOnly, onChange }: Omit<ItemCheckboxesProps, "servers"> & { slug: string }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: [...serversKey, "items", slug],
    queryFn: ({ signal }) => api.listMcpServerItems({ path: { slug }, signal }),
    retry: false,
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={32} mb="xs" />;
  const { prompts, resources } = data.data;
  const hasPrompt = (name: string) => items.prompts.some((each) => each.server === slug && each.name === name);
  const hasResource = (uri: string) => items.resources.some((each) => each.server === slug && each.uri === uri);
  const togglePrompt = (name: string, isIn: boolean) => {
    const others = items.prompts.filter((each) => each.server !== slug || each.name !== name);
    onChange({ ...items, prompts: isIn ? [...others, { server: slug, name }] : others });
  };
  const toggleResource = (uri: string, isIn: boolean) => {
    const others = items.resources.filter((each) => each.server !== slug || each.uri !== uri);
    onChange({ ...items, resources: isIn ? [...others, { server: slug, uri }] : others });
  };
  return (
    <fieldset className="gh-builder-items" disabled={isReadOnly}>
      <legend>
        <code>{slug}</code>
      </legend>
      {prompts.length + resources.length === 0 && (
        <Text size="sm" c="dimmed">
          The server has no prompts and no resources
        </Text>
      )}
      {prompts.map(({ name, title, description }) => (
        <Checkbox
          key={`prompt ${name}`}
          label={`Prompt: ${title}`}
          description={description}
          checked={hasPrompt(name)}
          onChange={(event) => togglePrompt(name, event.currentTarget.checked)}
        />
      ))}
      {resources.map(({ uri, title }) => (
        <Checkbox
          key={`resource ${uri}`}
          label={`Resource: ${title}`}
          description={uri}
          checked={hasResource(uri)}
          onChange={(event) => toggleResource(uri, event.currentTarget.checked)}
        />
      ))}
    </fieldset>
  );
}
