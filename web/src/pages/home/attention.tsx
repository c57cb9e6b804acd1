import { Button } from "@mantine/core";
import { IconChecklist, IconMailQuestion, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { LinkButton } from "../../components/links.tsx";
import { Logo } from "../../components/logo.tsx";
import { Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { usePendingApprovals } from "../approvals/pending-approvals.ts";
import { useServerChanges } from "../mcp-servers/server-changes.ts";
import { serversKey } from "../mcp-servers/servers.ts";
import { usePendingRequests } from "../requests/pending-requests.ts";
import { useDisabledWebhooks } from "../webhooks/disabled-webhooks.ts";
import type { Webhook } from "../webhooks/webhooks.ts";
import { type Warning, warningsOf } from "./warnings.ts";

const MAX_SHOWN = 8;

/** Servers that need an admin's action. Hidden when there are none. */
export function Attention() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: [...serversKey, "attention"],
    queryFn: ({ signal }) =>
      api.listMcpServers({
        query: { needs_attention: true, include_details: true, limit: 100, includeTotal: true },
        signal,
      }),
    refetchInterval: 60_000,
  });
  const found = (data?.data ?? []).flatMap((server) => warningsOf(server).map((warning) => ({ server, warning })));
  const requests = usePendingRequests();
  const approvals = usePendingApprovals();
  const webhooks = useDisabledWebhooks();
  if (found.length === 0 && requests + approvals + webhooks.length === 0) return null;
  const hidden = Math.max(0, found.length - MAX_SHOWN);
  return (
    <Section title="Needs attention" description={hidden > 0 ? `${hidden} more on the MCP servers page` : undefined}>
      <ul className="gh-attention">
        {approvals > 0 && <PendingApprovals count={approvals} />}
        {requests > 0 && <PendingRequests count={requests} />}
        {webhooks.map((webhook) => (
          <DisabledWebhook key={webhook.id} webhook={webhook} />
        ))}
        {found.slice(0, MAX_SHOWN).map(({ server, warning }) => (
          <li key={`${server.slug} ${warning.label}`}>
            <Logo url={server.logo_url ?? ""} size={20} />
            <ServerLink slug={server.slug ?? ""} name={server.name ?? ""} warning={warning} />
            <StatusPill tone={warning.tone}>{warning.label}</StatusPill>
            <span className="gh-attention-text">{warning.text}</span>
            <Act slug={server.slug ?? ""} name={server.name ?? ""} warning={warning} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function PendingApprovals({ count }: { count: number }) {
  return (
    <li>
      <IconChecklist size={20} aria-hidden />
      <Link to="/approvals" className="gh-attention-name">
        Approvals
      </Link>
      <StatusPill tone="warn">Pending</StatusPill>
      <span className="gh-attention-text">
        {count === 1 ? "1 call waits for a decision" : `${count} calls wait for a decision`}
      </span>
      <LinkButton size="compact-sm" variant="default" to="/approvals">
        Review calls
      </LinkButton>
    </li>
  );
}

function PendingRequests({ count }: { count: number }) {
  return (
    <li>
      <IconMailQuestion size={20} aria-hidden />
      <Link to="/access" search={{ tab: "requests" }} className="gh-attention-name">
        Access requests
      </Link>
      <StatusPill tone="warn">Pending</StatusPill>
      <span className="gh-attention-text">
        {count === 1 ? "1 person waits for a decision" : `${count} requests wait for a decision`}
      </span>
      <LinkButton size="compact-sm" variant="default" to="/access" search={{ tab: "requests" }}>
        Review requests
      </LinkButton>
    </li>
  );
}

function DisabledWebhook({ webhook: { id, name } }: { webhook: Webhook }) {
  return (
    <li>
      <IconWebhook size={20} aria-hidden />
      <Link to="/webhooks/$id" params={{ id }} className="gh-attention-name">
        {name}
      </Link>
      <StatusPill tone="bad">Disabled</StatusPill>
      <span className="gh-attention-text">The receiver of this webhook fails, so events are no longer sent.</span>
      <LinkButton size="compact-sm" variant="default" to="/webhooks/$id" params={{ id }}>
        View webhook
      </LinkButton>
    </li>
  );
}

function ServerLink({ slug, name, warning }: { slug: string; name: string; warning: Warning }) {
  return (
    <Link to="/mcp-servers/$slug" params={{ slug }} search={searchOf(warning)} className="gh-attention-name">
      {name}
    </Link>
  );
}

/** Syncs an unreachable server directly; other warnings link to the server's page. */
function Act({ slug, name, warning }: { slug: string; name: string; warning: Warning }) {
  const { changes } = useRights();
  if (!changes) return null;
  if (warning.action === "Sync tools") return <SyncTools slug={slug} name={name} />;
  return (
    <LinkButton
      size="compact-sm"
      variant="default"
      to="/mcp-servers/$slug"
      params={{ slug }}
      search={searchOf(warning)}
      aria-label={`${warning.action}: ${name}`}
    >
      {warning.action}
    </LinkButton>
  );
}

function SyncTools({ slug, name }: { slug: string; name: string }) {
  const { sync } = useServerChanges({ slug, name });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={sync.isPending}
      onClick={() => sync.mutate()}
      aria-label={`Sync tools: ${name}`}
    >
      Sync tools
    </Button>
  );
}

function searchOf({ tab }: Warning) {
  return tab === undefined ? {} : { tab };
}
