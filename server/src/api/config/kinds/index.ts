import type { Kind } from "../kind.ts";
import { agents } from "./agents.ts";
import { commands } from "./commands.ts";
import { discoveryPolicy } from "./discovery-policy.ts";
import { groups } from "./groups.ts";
import { guards } from "./guards.ts";
import { issuers } from "./issuers.ts";
import { logDestinations } from "./log-destinations.ts";
import { machineUsers } from "./machine-users.ts";
import { plugins } from "./plugins.ts";
import { servers } from "./servers.ts";
import { settings } from "./settings.ts";
import { skills } from "./skills.ts";
import { toolkits } from "./toolkits.ts";
import { webhooks } from "./webhooks.ts";

/** In the order in which objects are created; they are deleted in the reverse order. */
export const KINDS: readonly Kind[] = [
  ...[settings, servers, machineUsers, groups, skills, commands, toolkits, plugins, guards, issuers, agents, webhooks],
  ...[logDestinations, discoveryPolicy],
];
