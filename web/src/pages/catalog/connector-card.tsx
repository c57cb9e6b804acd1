import { Anchor, Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { describeFailure } from "../../components/failure.ts";
import { Logo } from "../../components/logo.tsx";
import { AUTH_WORDS } from "../mcp-servers/servers.ts";
import { useAddConnector } from "./add-connector.ts";
import type { Connector } from "./connectors.ts";

interface ConnectorCardProps {
  readonly connector: Connector;
  /** Asks for what the catalog does not know; undefined: the person may only look. */
  readonly onAsk: ((id: string) => void) | undefined;
}

export function ConnectorCard({ connector, onAsk }: ConnectorCardProps) {
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
            {tellOrigin(connector)}
          </Text>
        </div>
        {onAsk && <AddButton connector={connector} onAsk={() => onAsk(id)} />}
      </div>
      <Text size="sm" c="dimmed" lineClamp={2} className="gh-card-words">
        {description}
      </Text>
      <div className="gh-card-foot">
        <span>{connector.auth_types.map((type) => AUTH_WORDS[type]).join(" or ") || "Sign-in not known"}</span>
        {website !== null && <Website address={website} />}
      </div>
    </li>
  );
}

/** One click where the catalog knows everything; otherwise only what is missing is asked for. */
function AddButton({ connector, onAsk }: { connector: Connector; onAsk: () => void }) {
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
      onClick={() => (isKnown ? add.mutate() : onAsk())}
    >
      Add
    </Button>
  );
}

function tellOrigin({ source, category, official, status }: Connector): string {
  const parts = [
    status === "beta" ? "Beta" : undefined,
    source === "registry" ? (official ? "Registry, from its publisher" : "Registry") : (category ?? "Built in"),
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}

/** OA-8: an address from outside is a link only when it leads to the web. */
function Website({ address }: { address: string }) {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return (
    <Anchor href={url.href} target="_blank" rel="noopener noreferrer nofollow" size="xs" c="dimmed">
      {url.host.replace(/^www\./, "")}
    </Anchor>
  );
}
