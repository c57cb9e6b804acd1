import { accessRoute } from "./access/routes.ts";
import { accountRoute } from "./account/routes.ts";
import { agentRoute, agentSessionRoute, agentsRoute } from "./agents/routes.ts";
import { apiTokensRoute } from "./api-tokens/routes.ts";
import { approvalRoute, approvalsRoute } from "./approvals/routes.ts";
import { auditRoute } from "./audit/routes.ts";
import { catalogRoute, connectorRoute } from "./catalog/routes.ts";
import { commandRoute, commandsRoute } from "./commands/routes.ts";
import { connectionsRoute } from "./connections/routes.ts";
import { devicesRoute, discoveryRoute, inventoryRoute, policyRoute, rollOutRoute } from "./discovery/routes.ts";
import { groupRoute, groupsRoute } from "./groups/routes.ts";
import { guardRoute, guardsRoute } from "./guards/routes.ts";
import { homeRoute } from "./home/routes.ts";
import { issuerRoute, issuersRoute } from "./issuers/routes.ts";
import { libraryRoute } from "./library/routes.ts";
import { logDestinationsRoute } from "./log-destinations/routes.ts";
import { logsRoute } from "./logs/routes.ts";
import { machineUserRoute, machineUsersRoute } from "./machine-users/routes.ts";
import { mcpServerRoute, mcpServersRoute } from "./mcp-servers/routes.ts";
import { myCallsRoute } from "./my-calls/routes.ts";
import { myToolkitsRoute } from "./my-toolkits/routes.ts";
import { playgroundRoute } from "./playground/routes.ts";
import { pluginRoute, pluginsRoute } from "./plugins/routes.ts";
import { settingsPartRoute, settingsRoute } from "./settings/routes.ts";
import { setupRoute } from "./setup/routes.ts";
import { skillRoute, skillsRoute } from "./skills/routes.ts";
import { toolkitRoute, toolkitsRoute } from "./toolkits/routes.ts";
import { userRoute, usersRoute } from "./users/routes.ts";
import { webhookRoute, webhooksRoute } from "./webhooks/routes.ts";

/** Every page, one line each. Its routes.ts says whether and where the navigation shows it. */
export const routes = [
  homeRoute,
  mcpServersRoute,
  mcpServerRoute,
  agentsRoute,
  agentRoute,
  agentSessionRoute,
  catalogRoute,
  connectorRoute,
  guardsRoute,
  guardRoute,
  approvalsRoute,
  approvalRoute,
  groupsRoute,
  groupRoute,
  toolkitsRoute,
  toolkitRoute,
  skillsRoute,
  skillRoute,
  commandsRoute,
  commandRoute,
  pluginsRoute,
  pluginRoute,
  logsRoute,
  playgroundRoute,
  connectionsRoute,
  myCallsRoute,
  libraryRoute,
  myToolkitsRoute,
  setupRoute,
  accountRoute,
  apiTokensRoute,
  auditRoute,
  settingsRoute,
  settingsPartRoute,
  accessRoute,
  discoveryRoute,
  inventoryRoute,
  devicesRoute,
  policyRoute,
  rollOutRoute,
  issuersRoute,
  issuerRoute,
  usersRoute,
  userRoute,
  machineUsersRoute,
  machineUserRoute,
  logDestinationsRoute,
  webhooksRoute,
  webhookRoute,
];
