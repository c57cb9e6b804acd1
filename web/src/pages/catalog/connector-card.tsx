import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { TextLink } from "../../components/links.tsx";
import { Logo } from "../../components/logo.tsx";
import { AddButton } from "./add-button.tsx";
import { ConnectorBadges } from "./connector-badges.tsx";
import type { Connector } from "./connectors.ts";

interface ConnectorCardProps {
  readonly connector: Connector;
  /** Opens the dialog for missing values; undefined: the person cannot add servers. */
  readonly onChoose: ((id: string) => void) | undefined;
}

export function ConnectorCard({ connector, onChoose }: ConnectorCardProps) {
  const { id, name, description, logo_url: logoUrl, category, source } = connector;
  return (
    <li className="gh-card">
      <div className="gh-card-head">
        <Logo url={logoUrl} size={32} />
        <div className="gh-card-name">
          <Link to="/catalog/$connector" params={{ connector: id }} className="gh-card-link">
            {name}
          </Link>
          <Text size="xs" c="dimmed" truncate>
            {category ?? (source === "registry" ? "Public registry" : "Built in")}
          </Text>
        </div>
        {onChoose && <AddButton connector={connector} size="xs" onChoose={() => onChoose(id)} />}
      </div>
      <Text size="sm" c="dimmed" lineClamp={2} className="gh-card-words">
        {description}
      </Text>
      <div className="gh-card-foot">
        <ConnectorBadges connector={connector} />
        <InUse connector={connector} />
      </div>
    </li>
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
