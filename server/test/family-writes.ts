import { AGENT_WRITES } from "./agent-writes.ts";
import { COMMAND_WRITES } from "./command-writes.ts";
import { DISCOVERY_WRITES } from "./discovery-writes.ts";
import { EXCHANGE_WRITES } from "./exchange-writes.ts";
import { PLUGIN_WRITES } from "./plugin-writes.ts";
import { SKILL_WRITES } from "./skill-writes.ts";
import { TOOLKIT_WRITES } from "./toolkit-writes.ts";

/** The writes of families of records, in an order in which each can succeed. */
export const FAMILY_WRITES = [
  ...SKILL_WRITES,
  ...COMMAND_WRITES,
  ...PLUGIN_WRITES,
  ...AGENT_WRITES,
  ...TOOLKIT_WRITES,
  ...EXCHANGE_WRITES,
  ...DISCOVERY_WRITES,
] as const;
