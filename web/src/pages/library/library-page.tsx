import { Button, Code, Collapse, Group, Skeleton, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBooks, IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { LinkButton } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Section } from "../../components/section.tsx";
import { commandsKey } from "../commands/commands.ts";
import { pluginsKey } from "../plugins/plugins.ts";
import { InstallLines } from "../skills/install-lines.tsx";
import { skillsKey } from "../skills/skills.ts";
import { LibraryPlugins } from "./library-plugins.tsx";
import { LibraryTokens } from "./library-tokens.tsx";
import "../skills/skills.css";

const route = getRouteApi("/library");

/** What the organization gives the signed-in person besides tools. */
export function LibraryPage() {
  const api = useApi();
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const skills = useQuery({
    queryKey: [...skillsKey, "mine"],
    queryFn: async ({ signal }) => (await api.listMySkills({ signal })).data,
  });
  const commands = useQuery({
    queryKey: [...commandsKey, "mine"],
    queryFn: async ({ signal }) => (await api.listMyCommands({ signal })).data,
  });
  const plugins = useQuery({
    queryKey: [...pluginsKey, "mine"],
    queryFn: ({ signal }) => api.listMyPlugins({ signal }),
  });
  const failed = [skills, commands, plugins].find(({ error, data }) => error && !data);
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  const isLoaded = [skills, commands, plugins].every(({ data }) => data !== undefined);
  const all = [...(skills.data ?? []), ...(commands.data ?? []), ...(plugins.data?.data ?? [])];
  const hasContent = all.length > 0;
  const foundSkills = matching(skills.data ?? [], q);
  const foundCommands = matching(commands.data ?? [], q);
  const foundPlugins = matching(plugins.data?.data ?? [], q);
  return (
    <>
      <PageHeader
        title="Your library"
        description="Skills, commands, and plugins of your groups. MCP clients that read resources and prompts get skills and commands automatically."
      />
      {hasContent && (
        <FilterBar>
          <SearchField
            label="Search your library"
            value={q}
            onChange={(next) => void navigate({ search: { q: next }, replace: true })}
          />
        </FilterBar>
      )}
      {!isLoaded && <Skeleton height={240} />}
      {isLoaded && matching(all, q).length === 0 && <NothingFound isEmpty={!hasContent} />}
      {isLoaded && foundSkills.length > 0 && (
        <Section
          title="Skills"
          description="Models use them when they fit. For clients without resources, install them as files."
        >
          <ul className="gh-library">
            {foundSkills.map((skill) => (
              <LibrarySkill key={skill.slug} skill={skill} />
            ))}
          </ul>
        </Section>
      )}
      {isLoaded && foundCommands.length > 0 && (
        <Section title="Commands" description="Type / in your MCP client, or open its list of prompts.">
          <ul className="gh-library">
            {foundCommands.map((command) => (
              <LibraryCommand key={command.slug} command={command} />
            ))}
          </ul>
        </Section>
      )}
      {plugins.data && foundPlugins.length > 0 && (
        <LibraryPlugins plugins={foundPlugins} marketplace={plugins.data.marketplace} />
      )}
      {isLoaded && hasContent && <LibraryTokens />}
    </>
  );
}

function matching<Item extends { readonly slug: string; readonly name: string; readonly description: string }>(
  items: readonly Item[],
  q: string | undefined,
): Item[] {
  const text = q?.toLowerCase() ?? "";
  return items.filter(({ slug, name, description }) => `${slug} ${name} ${description}`.toLowerCase().includes(text));
}

function NothingFound({ isEmpty }: { isEmpty: boolean }) {
  return (
    <EmptyState
      icon={IconBooks}
      title={isEmpty ? "Nothing here yet" : "No matches"}
      actions={
        <LinkButton to="/setup" variant="default">
          Connect a client
        </LinkButton>
      }
    >
      {isEmpty
        ? "Your admins have not shared skills, commands, or plugins with your groups yet."
        : "The search covers names and descriptions."}
    </EmptyState>
  );
}

function LibrarySkill({ skill }: { skill: Schemas["UsableSkill"] }) {
  const { slug, name, description, uri, version } = skill;
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <li className="gh-library-item">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div className="gh-library-text">
          <h3>{name}</h3>
          <Text size="sm">{description}</Text>
          <Text size="sm" c="dimmed">{`Version ${version}`}</Text>
        </div>
        <Button
          variant="default"
          size="compact-sm"
          flex="none"
          leftSection={<IconDownload size={14} />}
          aria-expanded={isOpen}
          aria-label={`Install ${name}`}
          onClick={toggle}
        >
          Install
        </Button>
      </Group>
      <Collapse expanded={isOpen}>
        <Group gap="sm" py="sm">
          <CopyField value={uri} label={`URI of ${name}`} />
        </Group>
        <InstallLines slug={slug} />
      </Collapse>
    </li>
  );
}

function LibraryCommand({ command }: { command: Schemas["UsableCommand"] }) {
  const { slug, name, description, argument_hint: hint } = command;
  return (
    <li className="gh-library-item">
      <h3>{name}</h3>
      <Text size="sm">{description}</Text>
      <Text size="sm" c="dimmed">
        <Code>{hint === "" ? `/${slug}` : `/${slug} ${hint}`}</Code>
      </Text>
    </li>
  );
}
