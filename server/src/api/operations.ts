import { getAbout } from "./about/get-about.ts";
import { accessOperations } from "./access/index.ts";
import { accessRequestOperations } from "./access-requests/index.ts";
import { discoveryOperations } from "./ai-discovery/index.ts";
import { discoveryPolicyOperations } from "./ai-discovery-policy/index.ts";
import { apiTokenOperations } from "./api-tokens/index.ts";
import { auditOperations } from "./audit/index.ts";
import { authExchangeOperations } from "./auth-exchange/index.ts";
import { agentOperations } from "./background-agents/index.ts";
import { commandOperations } from "./commands/index.ts";
import { configOperations } from "./config/index.ts";
import { connectorOperations } from "./connectors/index.ts";
import { emailOperations } from "./email/index.ts";
import { groupOperations } from "./groups/index.ts";
import { guardOperations } from "./guards/index.ts";
import type { Operation } from "./kit/operation.ts";
import { logDestinationOperations } from "./log-destinations/index.ts";
import { logOperations } from "./logs/index.ts";
import { mcpServerOperations } from "./mcp-servers/index.ts";
import { meOperations } from "./me/index.ts";
import { pluginOperations } from "./plugins/index.ts";
import { provisioningOperations } from "./provisioning/index.ts";
import { search } from "./search/search.ts";
import { settingsOperations } from "./settings/index.ts";
import { skillOperations } from "./skills/index.ts";
import { toolkitOperations } from "./toolkits/index.ts";
import { userOperations } from "./user/index.ts";
import { usersOperations } from "./users/index.ts";
import { webhookOperations } from "./webhooks/index.ts";

/** Every operation, in document order. The router mounts nothing else. */
export const operations: readonly Operation[] = [
  ...mcpServerOperations,
  ...connectorOperations,
  ...groupOperations,
  ...toolkitOperations,
  ...skillOperations,
  ...commandOperations,
  ...pluginOperations,
  ...agentOperations,
  ...guardOperations,
  ...authExchangeOperations,
  ...discoveryOperations,
  ...discoveryPolicyOperations,
  ...usersOperations,
  ...provisioningOperations,
  ...accessOperations,
  ...accessRequestOperations,
  ...userOperations,
  ...apiTokenOperations,
  ...webhookOperations,
  ...emailOperations,
  ...meOperations,
  search,
  ...logOperations,
  ...logDestinationOperations,
  ...auditOperations,
  ...settingsOperations,
  ...configOperations,
  getAbout,
];
