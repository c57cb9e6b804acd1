import {
  IconBolt,
  IconBook2,
  IconCertificate,
  IconChecklist,
  IconDeviceLaptop,
  IconListSearch,
  IconPuzzle,
  IconRobot,
  IconShieldCheck,
  IconSlash,
  IconTool,
  IconTools,
  IconTruckDelivery,
  IconUsersGroup,
  IconWebhook,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Api } from "../api/client.ts";
import { Initials } from "../components/initials.tsx";
import { Logo } from "../components/logo.tsx";

/** A search result with its page, as the palette shows and remembers it. */
export interface Hit {
  readonly kind:
    | "server"
    | "tool"
    | "person"
    | "machine"
    | "group"
    | "toolkit"
    | "skill"
    | "command"
    | "plugin"
    | "agent"
    | "guard"
    | "approval"
    | "webhook"
    | "log-destination"
    | "issuer"
    | "discovered"
    | "device"
    | "page";
  readonly label: string;
  readonly description?: string | undefined;
  readonly href: string;
  readonly logoUrl?: string | undefined;
}

/** Search results, grouped by kind. */
export async function searchRecords(
  api: Api,
  q: string,
  signal: AbortSignal,
): Promise<ReadonlyArray<{ readonly title: string; readonly hits: readonly Hit[] }>> {
  const { data } = await api.search({ query: { q }, signal });
  return [
    {
      title: "MCP servers",
      hits: data.servers.map(({ slug, name, status, logo_url: logoUrl }) => {
        const description = status === "draft" ? `${slug} · draft` : slug;
        return { kind: "server", label: name, description, href: `/mcp-servers/${slug}`, logoUrl };
      }),
    },
    {
      title: "Tools",
      hits: data.tools.map((tool) => ({
        kind: "tool",
        label: tool.name,
        description: [tool.server_name, ...(tool.enabled ? [] : ["disabled"]), tool.description].join(" · "),
        href: `/mcp-servers/${tool.server_slug}?tab=tools&tool=${encodeURIComponent(tool.slug)}`,
        logoUrl: tool.logo_url,
      })),
    },
    {
      title: "Users",
      hits: data.users.map(({ name, email, disabled }) => {
        const description = disabled ? `${email} · disabled` : email;
        return { kind: "person", label: name, description, href: `/users/${encodeURIComponent(email)}` };
      }),
    },
    {
      title: "Machine users",
      hits: data.machine_users.map(({ name, slug, disabled }) => {
        const description = disabled ? `${slug} · disabled` : slug;
        return { kind: "machine", label: name, description, href: `/machine-users/${slug}` };
      }),
    },
    {
      title: "Toolkits",
      hits: data.toolkits.map(({ slug, name, status }) => ({
        kind: "toolkit",
        label: name,
        description: status === "draft" ? `${slug} · draft` : slug,
        href: `/toolkits/${slug}`,
      })),
    },
    {
      title: "Skills",
      hits: data.skills.map(({ slug, description, status }) => ({
        kind: "skill",
        label: slug,
        description: status === "draft" ? `${description} · draft` : description,
        href: `/skills/${slug}`,
      })),
    },
    {
      title: "Commands",
      hits: data.commands.map(({ slug, name, status }) => ({
        kind: "command",
        label: name,
        description: status === "draft" ? `/${slug} · draft` : `/${slug}`,
        href: `/commands/${slug}`,
      })),
    },
    {
      title: "Plugins",
      hits: data.plugins.map(({ slug, name, status }) => ({
        kind: "plugin",
        label: name,
        description: status === "draft" ? `${slug} · draft` : slug,
        href: `/plugins/${slug}`,
      })),
    },
    {
      title: "Agents",
      hits: data.agents.map(({ slug, name, status }) => ({
        kind: "agent",
        label: name,
        description: status === "active" ? slug : `${slug} · ${status}`,
        href: `/agents/${slug}`,
      })),
    },
    {
      title: "Groups",
      hits: data.groups.map(({ name }) => ({
        kind: "group",
        label: name,
        href: `/groups/${encodeURIComponent(name)}`,
      })),
    },
    {
      title: "Guards",
      hits: data.guards.map(({ slug, name, enabled }) => ({
        kind: "guard",
        label: name,
        description: enabled ? slug : `${slug} · off`,
        href: `/guards/${slug}`,
      })),
    },
    {
      title: "Approvals",
      hits: data.approvals.map(({ id, tool, server_name: server, user_email: user, status }) => ({
        kind: "approval",
        label: `${server}: ${tool}`,
        description: `${user} · ${status}`,
        href: `/approvals/${id}`,
      })),
    },
    {
      title: "Webhooks",
      hits: data.webhooks.map(({ id, name, enabled }) => ({
        kind: "webhook",
        label: name,
        description: enabled ? undefined : "off",
        href: `/webhooks/${id}`,
      })),
    },
    {
      title: "Log destinations",
      hits: data.log_destinations.map(({ id, name, enabled }) => ({
        kind: "log-destination",
        label: name,
        description: enabled ? undefined : "paused",
        href: `/log-destinations?open=${id}`,
      })),
    },
    {
      title: "Trusted issuers",
      hits: data.issuers.map(({ slug, name, enabled }) => ({
        kind: "issuer",
        label: name,
        description: enabled ? undefined : "disabled",
        href: `/issuers/${slug}`,
      })),
    },
    {
      title: "Discovered",
      hits: data.discovered.map(({ kind, key, name, devices_count: count }) => ({
        kind: "discovered",
        label: name,
        description: `${DISCOVERED[kind].label} · ${count} ${count === 1 ? "device" : "devices"}`,
        href: `/discovery/inventory?tab=${DISCOVERED[kind].tab}&item=${encodeURIComponent(key)}`,
      })),
    },
    {
      title: "Devices",
      hits: data.devices.map(({ id, hostname, user_email: email }) => ({
        kind: "device",
        label: hostname,
        description: email ?? undefined,
        href: `/discovery/devices?device=${encodeURIComponent(id)}`,
      })),
    },
  ];
}

const DISCOVERED = {
  mcp_server: { tab: "servers", label: "MCP server" },
  skill: { tab: "skills", label: "Skill" },
  agent_memory: { tab: "memory", label: "Agent memory" },
  agent: { tab: "agents", label: "Agent" },
} as const;

const ICONS = {
  ...{
    machine: IconRobot,
    group: IconUsersGroup,
    toolkit: IconTools,
    skill: IconBook2,
    command: IconSlash,
    plugin: IconPuzzle,
    agent: IconBolt,
  },
  ...{
    guard: IconShieldCheck,
    approval: IconChecklist,
    webhook: IconWebhook,
    "log-destination": IconTruckDelivery,
    issuer: IconCertificate,
  },
  ...{ discovered: IconListSearch, device: IconDeviceLaptop },
  ...{ server: IconTool, tool: IconTool, person: IconTool, page: IconTool },
} as const;

export function hitIcon({ kind, label, logoUrl }: Hit): ReactNode {
  if (kind === "server" && logoUrl !== undefined) return <Logo url={logoUrl} size={20} />;
  if (kind === "person") return <Initials name={label} size={20} />;
  const Icon = ICONS[kind];
  return <Icon size={18} stroke={1.7} />;
}
