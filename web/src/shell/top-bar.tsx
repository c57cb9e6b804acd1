import { ActionIcon, Burger, Tooltip, UnstyledButton } from "@mantine/core";
import { IconPlugConnected, IconSearch } from "@tabler/icons-react";
import { useMe } from "../api/context.tsx";
import { type Connectivity, useConnectivity } from "../api/health.ts";
import { CopyText } from "../components/copy-text.tsx";
import { KeyHint } from "../components/key-hint.tsx";
import { LinkButton } from "../components/links.tsx";
import { gatewayUrlOf } from "./gateway-url.ts";
import { UserMenu } from "./user-menu.tsx";
import "./top-bar.css";

interface TopBarProps {
  readonly isNavOpen: boolean;
  onToggleNav(): void;
  onSearch(): void;
  onShortcuts(): void;
}

export function TopBar({ isNavOpen, onToggleNav, onSearch, onShortcuts }: TopBarProps) {
  const me = useMe();
  return (
    <div className="gh-top-bar">
      <Burger
        hiddenFrom="sm"
        size="sm"
        opened={isNavOpen}
        onClick={onToggleNav}
        aria-label={isNavOpen ? "Close navigation" : "Open navigation"}
      />
      <div className="gh-top-gateway">
        <HealthDot />
        <CopyText value={me.gateway_url} label="Copy gateway URL" />
        <CopyText value={gatewayUrlOf(me)} label="Copy endpoint for MCP clients">
          /mcp
        </CopyText>
      </div>
      <div className="gh-top-end">
        <UnstyledButton className="gh-top-search" visibleFrom="sm" onClick={onSearch}>
          <IconSearch size={15} aria-hidden />
          <span>Search</span>
          <KeyHint keys={["mod", "K"]} />
        </UnstyledButton>
        <ActionIcon hiddenFrom="sm" size="lg" aria-label="Search" onClick={onSearch}>
          <IconSearch size={18} />
        </ActionIcon>
        <LinkButton
          to="/setup"
          variant="default"
          visibleFrom="sm"
          leftSection={<IconPlugConnected size={16} aria-hidden />}
        >
          Connect a client
        </LinkButton>
        <UserMenu onShortcuts={onShortcuts} />
      </div>
    </div>
  );
}

const HEALTH_LABELS: Readonly<Record<Connectivity, string>> = {
  checking: "Checking the gateway",
  offline: "You are offline",
  ready: "The gateway is ready",
  degraded: "The gateway is degraded. See /readyz for the cause.",
  unreachable: "Gatehouse is unreachable",
};

function HealthDot() {
  const connectivity = useConnectivity();
  const label = HEALTH_LABELS[connectivity];
  return (
    <Tooltip label={label}>
      <span className="gh-health" data-health={connectivity} role="img" aria-label={label} />
    </Tooltip>
  );
}
