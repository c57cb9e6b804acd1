import { Anchor, Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { describeFailure } from "../../components/failure.ts";
import { TextLink } from "../../components/links.tsx";
import { Logo } from "../../components/logo.tsx";
import { AUTH_WORDS } from "../mcp-servers/servers.ts";
import { useAddConnector } from "./add-connector.ts";
import type { Connector } from "./connectors.ts";

interface ConnectorCardProps {
  readonly connector: Connector;
  /** Opens the dialog for missing values; undefined: the person cannot add servers. */
  readonly onChoose: ((id: string) => void) | undefined;
}

export function ConnectorCard({ connector, onChoose }: ConnectorCardProps) {
  const { id, name, description, logo_url: logoUrl, website } = connector;
  return (
    <li className="gh-card">
      <div className="gh-card-head">
        <Logo url={logoUrl} size={32} />
        <div className="gh-card-name">
          <Text fw={600} truncate>
            {name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {originOf(connector)}
          </Text>
        </div>
        {onChoose && <AddButton connector={connector} onChoose={() => onChoose(id)} />}
      </div>
      <Text size="sm" c="dimmed" lineClamp={2} className="gh-card-words">
        {description}
      </Text>
      <div className="gh-card-foot">
        <span className="gh-truncate">{summaryOf(connector)}</span>
        {website !== null && <Website url={website} />}
        <InUse connector={connector} />
      </div>
    </li>
  );
}

/** Adds the server with one click if the catalog has all values; otherwise opens the dialog. */
function AddButton({ connector, onChoose }: { connector: Connector; onChoose: () => void }) {
  const addConnector = useAddConnector();
  const add = useMutation({
    mutationFn: () => addConnector(connector, {}),
    onError: (error) => {
      const { title, detail } = describeFailure(error);
      notifications.show({ color: "red", title, message: detail });
    },
  });
  if (connector.status === "soon") {
    return (
      <Button variant="default" size="xs" disabled>
        Soon
      </Button>
    );
  }
  const isKnown = connector.auth_types.length === 1;
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPlus size={14} aria-hidden />}
      aria-label={`Add ${connector.name}`}
      loading={add.isPending}
      onClick={() => (isKnown ? add.mutate() : onChoose())}
    >
      Add
    </Button>
  );
}

/** Links to the server, or to the list if there are several. */
function InUse({ connector: { name, usage } }: { connector: Connector }) {
  if (!usage || usage.slug === null) return null;
  if (usage.count === 1) {
    return (
      <TextLink to="/mcp-servers/$slug" params={{ slug: usage.slug }} size="xs" className="gh-card-used">
        In use
      </TextLink>
    );
  }
  return (
    <TextLink to="/mcp-servers" search={{ q: name }} size="xs" className="gh-card-used">
      In use by {usage.count}
    </TextLink>
  );
}

/** Authentication and number of tools, if known. */
function summaryOf({ auth_types: types, tools_count: tools }: Connector): string {
  const needs = types.map((type) => (type === "none" ? "No authentication" : AUTH_WORDS[type])).join(" or ");
  const counted = tools === 0 ? "" : `${tools} tools`;
  return [needs, counted].filter((part) => part !== "").join(" · ");
}

function originOf({ source, category, official, status }: Connector): string {
  const parts = [
    status === "beta" ? "Beta" : undefined,
    source === "registry" ? (official ? "Registry, official" : "Registry") : (category ?? "Built in"),
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}

/** OA-8: only http and https URLs become links. */
function Website({ url: text }: { url: string }) {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return (
    <Anchor href={url.href} target="_blank" rel="noopener noreferrer nofollow" size="xs" c="dimmed">
      {url.host.replace(/^www\./, "")}
    </Anchor>
  );
}
