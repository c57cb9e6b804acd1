import { useMantineColorScheme } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  type Icon,
  IconBolt,
  IconBook,
  IconBook2,
  IconBraces,
  IconCertificate,
  IconCopy,
  IconKey,
  IconLink,
  IconPuzzle,
  IconRobot,
  IconSlash,
  IconSunMoon,
  IconTools,
  IconTruckDelivery,
  IconUserPlus,
  IconUsersGroup,
  IconWebhook,
} from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { withBasePath } from "../api/base-path.ts";
import { useMe, useRights } from "../api/context.tsx";
import type { PaletteEntry } from "../components/palette.tsx";
import { copyText } from "../components/use-copy.ts";
import { gatewayUrlOf } from "./gateway-url.ts";

/** The actions of the command palette, by the user's rights. */
export function useActions(): readonly PaletteEntry[] {
  const { changes } = useRights();
  const me = useMe();
  const router = useRouter();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const other = colorScheme === "dark" ? "light" : "dark";
  const copy = async () => {
    if (await copyText(gatewayUrlOf(me))) notifications.show({ message: "Gateway URL copied" });
  };
  return [
    ...(changes
      ? [
          action("Add an MCP server by URL", IconLink, () =>
            router.navigate({ to: "/mcp-servers", search: { add: "url" } }),
          ),
          action("Import MCP servers from mcp.json", IconBraces, () =>
            router.navigate({ to: "/mcp-servers", search: { add: "json" } }),
          ),
          action("Invite a user", IconUserPlus, () => router.navigate({ to: "/users", search: { add: "person" } })),
          action("Create a machine user", IconRobot, () =>
            router.navigate({ to: "/machine-users", search: { add: "machine-user" } }),
          ),
          action("Import a skill", IconBook2, () => router.navigate({ to: "/skills", search: { add: "import" } })),
          action("Create a command", IconSlash, () => router.navigate({ to: "/commands", search: { add: "command" } })),
          action("Create a plugin", IconPuzzle, () => router.navigate({ to: "/plugins", search: { add: "plugin" } })),
          action("Create a toolkit", IconTools, () => router.navigate({ to: "/toolkits", search: { add: "toolkit" } })),
          action("Create an agent", IconBolt, () => router.navigate({ to: "/agents", search: { add: "agent" } })),
          action("Create a group", IconUsersGroup, () => router.navigate({ to: "/groups", search: { add: "group" } })),
          action("Create a webhook", IconWebhook, () =>
            router.navigate({ to: "/webhooks", search: { add: "webhook" } }),
          ),
          action("Create a log destination", IconTruckDelivery, () =>
            router.navigate({ to: "/log-destinations", search: { add: "destination" } }),
          ),
          action("Add a trusted issuer", IconCertificate, () =>
            router.navigate({ to: "/issuers", search: { add: "issuer" } }),
          ),
        ]
      : []),
    ...(me.data.scopes.includes("all")
      ? [action("Create an API token", IconKey, () => router.navigate({ to: "/api-tokens", search: { add: "token" } }))]
      : []),
    action("Copy gateway URL", IconCopy, copy),
    action(`Use the ${other} theme`, IconSunMoon, () => setColorScheme(other)),
    action("Open the API documentation", IconBook, () => window.open(withBasePath("/docs"), "_blank", "noopener")),
  ];
}

function action(label: string, Icon: Icon, run: () => unknown): PaletteEntry {
  return { key: `do ${label}`, label, icon: <Icon size={18} stroke={1.7} />, run: () => void run() };
}
