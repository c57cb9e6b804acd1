import { getAbout } from "./about/get-about.ts";
import { explainAccess } from "./access/explain-access.ts";
import { listAccess } from "./access/list-access.ts";
import { listCallers } from "./access/list-callers.ts";
import { listGrants } from "./access/list-grants.ts";
import { approveAccessRequest } from "./access-requests/approve-access-request.ts";
import { denyAccessRequest } from "./access-requests/deny-access-request.ts";
import { listAccessRequests } from "./access-requests/list-access-requests.ts";
import { createApiToken } from "./api-tokens/create-api-token.ts";
import { deleteApiToken } from "./api-tokens/delete-api-token.ts";
import { listApiTokens } from "./api-tokens/list-api-tokens.ts";
import { exportAudit } from "./audit/export-audit.ts";
import { listAudit } from "./audit/list-audit.ts";
import { getConnector } from "./connectors/get-connector.ts";
import { getConnectorUsage } from "./connectors/get-connector-usage.ts";
import { listConnectorCategories } from "./connectors/list-connector-categories.ts";
import { listConnectors } from "./connectors/list-connectors.ts";
import { addIntegrationsToGroup } from "./groups/add-integrations-to-group.ts";
import { addSkillsToGroup } from "./groups/add-skills-to-group.ts";
import { addToolkitsToGroup } from "./groups/add-toolkits-to-group.ts";
import { addUsersToGroup } from "./groups/add-users-to-group.ts";
import { createGroup } from "./groups/create-group.ts";
import { deleteGroup } from "./groups/delete-group.ts";
import { getGroup } from "./groups/get-group.ts";
import { listGroupIntegrations } from "./groups/list-group-integrations.ts";
import { listGroups } from "./groups/list-groups.ts";
import { removeIntegrationFromGroup } from "./groups/remove-integration-from-group.ts";
import { removeSkillFromGroup } from "./groups/remove-skill-from-group.ts";
import { removeToolkitFromGroup } from "./groups/remove-toolkit-from-group.ts";
import { removeUserFromGroup } from "./groups/remove-user-from-group.ts";
import { updateGroup } from "./groups/update-group.ts";
import { updateGroupIntegration } from "./groups/update-group-integration.ts";
import { approveApproval } from "./guards/approve-approval.ts";
import { createGuard } from "./guards/create-guard.ts";
import { deleteGuard } from "./guards/delete-guard.ts";
import { denyApproval } from "./guards/deny-approval.ts";
import { evaluateGuards } from "./guards/evaluate-guards.ts";
import { getApproval } from "./guards/get-approval.ts";
import { getGuard } from "./guards/get-guard.ts";
import { listGuardApprovals } from "./guards/list-approvals.ts";
import { listGuardCheckTypes } from "./guards/list-check-types.ts";
import { listGuards } from "./guards/list-guards.ts";
import { updateGuard } from "./guards/update-guard.ts";
import type { Operation } from "./kit/operation.ts";
import { exportLogs } from "./logs/export-logs.ts";
import { getLog } from "./logs/get-log.ts";
import { getLogStats } from "./logs/get-log-stats.ts";
import { listLogErrors } from "./logs/list-log-errors.ts";
import { listLogs } from "./logs/list-logs.ts";
import { tailLogs } from "./logs/tail-logs.ts";
import { acceptTools } from "./mcp-servers/accept-tools.ts";
import { approveOAuthChange } from "./mcp-servers/approve-oauth-change.ts";
import { createMcpServer } from "./mcp-servers/create-mcp-server.ts";
import { deleteMcpServer } from "./mcp-servers/delete-mcp-server.ts";
import { deleteMcpServerConnection } from "./mcp-servers/delete-mcp-server-connection.ts";
import { discoverOAuth } from "./mcp-servers/discover-oauth.ts";
import { getMcpServer } from "./mcp-servers/get-mcp-server.ts";
import { getToolDefinition } from "./mcp-servers/get-tool-definition.ts";
import { keepOAuthSettings } from "./mcp-servers/keep-oauth-settings.ts";
import { listMcpServerConnections } from "./mcp-servers/list-mcp-server-connections.ts";
import { listMcpServerItems } from "./mcp-servers/list-mcp-server-items.ts";
import { listMcpServers } from "./mcp-servers/list-mcp-servers.ts";
import { listToolChanges } from "./mcp-servers/list-tool-changes.ts";
import { rejectTools } from "./mcp-servers/reject-tools.ts";
import { syncMcpServer } from "./mcp-servers/sync-mcp-server.ts";
import { testMcpServer } from "./mcp-servers/test-mcp-server.ts";
import { updateMcpServer } from "./mcp-servers/update-mcp-server.ts";
import { updateMcpServerTools } from "./mcp-servers/update-mcp-server-tools.ts";
import { changeMyPassword } from "./me/change-my-password.ts";
import { confirmMyPassword } from "./me/confirm-my-password.ts";
import { createMyRequest } from "./me/create-my-request.ts";
import { createMyToolkit } from "./me/create-my-toolkit.ts";
import { createPlaygroundToken } from "./me/create-playground-token.ts";
import { deleteMyConnection } from "./me/delete-my-connection.ts";
import { deleteMyToolkit } from "./me/delete-my-toolkit.ts";
import { endMyClient } from "./me/end-my-client.ts";
import { endMySessions } from "./me/end-my-sessions.ts";
import { getMe } from "./me/get-me.ts";
import { getMyToolkit } from "./me/get-my-toolkit.ts";
import { listMyApprovals } from "./me/list-my-approvals.ts";
import { listMyCatalog } from "./me/list-my-catalog.ts";
import { listMyCatalogTools } from "./me/list-my-catalog-tools.ts";
import { listMyClients } from "./me/list-my-clients.ts";
import { listMyLogs } from "./me/list-my-logs.ts";
import { listMyMcpServers } from "./me/list-my-mcp-servers.ts";
import { listMyRequests } from "./me/list-my-requests.ts";
import { listMySessions } from "./me/list-my-sessions.ts";
import { listMySkills } from "./me/list-my-skills.ts";
import { listMyToolkits } from "./me/list-my-toolkits.ts";
import { setMyApiKey } from "./me/set-my-api-key.ts";
import { testMyConnection } from "./me/test-my-connection.ts";
import { updateMyToolkit } from "./me/update-my-toolkit.ts";
import { withdrawMyRequest } from "./me/withdraw-my-request.ts";
import { search } from "./search/search.ts";
import { getSettings } from "./settings/get-settings.ts";
import { updateSettings } from "./settings/update-settings.ts";
import { skillOperations } from "./skills/operations.ts";
import { addToolkitTools } from "./toolkits/add-toolkit-tools.ts";
import { createToolkit } from "./toolkits/create-toolkit.ts";
import { deleteToolkit } from "./toolkits/delete-toolkit.ts";
import { getToolkit } from "./toolkits/get-toolkit.ts";
import { listToolkits } from "./toolkits/list-toolkits.ts";
import { previewToolkit } from "./toolkits/preview-toolkit.ts";
import { previewUnsavedToolkit } from "./toolkits/preview-unsaved-toolkit.ts";
import { removeToolkitTool } from "./toolkits/remove-toolkit-tool.ts";
import { updateToolkit } from "./toolkits/update-toolkit.ts";
import { createUserToolkit } from "./user/create-user-toolkit.ts";
import { deleteUserConnection } from "./user/delete-user-connection.ts";
import { deleteUserToolkit } from "./user/delete-user-toolkit.ts";
import { getUserAuthUrl } from "./user/get-user-auth-url.ts";
import { getUserConnection } from "./user/get-user-connection.ts";
import { getUserToolkit } from "./user/get-user-toolkit.ts";
import { listUserMcpServers } from "./user/list-user-mcp-servers.ts";
import { listUserSkills } from "./user/list-user-skills.ts";
import { listUserToolkits } from "./user/list-user-toolkits.ts";
import { setUserApiKey } from "./user/set-user-api-key.ts";
import { updateUserToolkit } from "./user/update-user-toolkit.ts";
import { createUser } from "./users/create-user.ts";
import { deleteUser } from "./users/delete-user.ts";
import { endUserClient } from "./users/end-user-client.ts";
import { endUserSessions } from "./users/end-user-sessions.ts";
import { getUser } from "./users/get-user.ts";
import { inviteUser } from "./users/invite-user.ts";
import { listUserClients } from "./users/list-user-clients.ts";
import { listUserSessions } from "./users/list-user-sessions.ts";
import { listUsers } from "./users/list-users.ts";
import { revealUserSecret } from "./users/reveal-user-secret.ts";
import { revokeOldSecret } from "./users/revoke-old-secret.ts";
import { rotateUserSecret } from "./users/rotate-user-secret.ts";
import { setClientCredentials } from "./users/set-client-credentials.ts";
import { updateUser } from "./users/update-user.ts";
import { createWebhook } from "./webhooks/create-webhook.ts";
import { deleteWebhook } from "./webhooks/delete-webhook.ts";
import { getWebhook } from "./webhooks/get-webhook.ts";
import { getWebhookDelivery } from "./webhooks/get-webhook-delivery.ts";
import { listWebhookDeliveries } from "./webhooks/list-webhook-deliveries.ts";
import { listWebhookEvents } from "./webhooks/list-webhook-events.ts";
import { listWebhooks } from "./webhooks/list-webhooks.ts";
import { redeliverWebhookDelivery } from "./webhooks/redeliver-webhook-delivery.ts";
import { rotateWebhookSecret } from "./webhooks/rotate-webhook-secret.ts";
import { testWebhook } from "./webhooks/test-webhook.ts";
import { updateWebhook } from "./webhooks/update-webhook.ts";

/** Every operation, in document order. The router mounts nothing else. */
export const operations: readonly Operation[] = [
  listMcpServers,
  createMcpServer,
  updateMcpServer,
  deleteMcpServer,
  getMcpServer,
  updateMcpServerTools,
  listToolChanges,
  getToolDefinition,
  listMcpServerItems,
  acceptTools,
  rejectTools,
  syncMcpServer,
  testMcpServer,
  listMcpServerConnections,
  deleteMcpServerConnection,
  discoverOAuth,
  approveOAuthChange,
  keepOAuthSettings,
  listConnectors,
  listConnectorCategories,
  getConnector,
  getConnectorUsage,
  listGroups,
  createGroup,
  updateGroup,
  deleteGroup,
  getGroup,
  listGroupIntegrations,
  addIntegrationsToGroup,
  removeIntegrationFromGroup,
  updateGroupIntegration,
  addSkillsToGroup,
  removeSkillFromGroup,
  addToolkitsToGroup,
  removeToolkitFromGroup,
  addUsersToGroup,
  removeUserFromGroup,
  listToolkits,
  createToolkit,
  updateToolkit,
  deleteToolkit,
  getToolkit,
  addToolkitTools,
  removeToolkitTool,
  previewToolkit,
  previewUnsavedToolkit,
  ...skillOperations,
  listGuards,
  createGuard,
  updateGuard,
  deleteGuard,
  getGuard,
  listGuardCheckTypes,
  evaluateGuards,
  listGuardApprovals,
  getApproval,
  approveApproval,
  denyApproval,
  listUsers,
  createUser,
  updateUser,
  deleteUser,
  getUser,
  rotateUserSecret,
  revokeOldSecret,
  setClientCredentials,
  revealUserSecret,
  inviteUser,
  listUserClients,
  endUserClient,
  listUserSessions,
  endUserSessions,
  listAccess,
  listCallers,
  listGrants,
  explainAccess,
  listAccessRequests,
  approveAccessRequest,
  denyAccessRequest,
  listUserMcpServers,
  listUserSkills,
  listUserToolkits,
  createUserToolkit,
  updateUserToolkit,
  deleteUserToolkit,
  getUserToolkit,
  getUserConnection,
  setUserApiKey,
  deleteUserConnection,
  getUserAuthUrl,
  listApiTokens,
  createApiToken,
  deleteApiToken,
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  getWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  redeliverWebhookDelivery,
  listWebhookEvents,
  getMe,
  listMyMcpServers,
  listMySkills,
  listMyToolkits,
  createMyToolkit,
  updateMyToolkit,
  deleteMyToolkit,
  getMyToolkit,
  setMyApiKey,
  testMyConnection,
  deleteMyConnection,
  listMyClients,
  endMyClient,
  listMySessions,
  endMySessions,
  changeMyPassword,
  confirmMyPassword,
  createPlaygroundToken,
  listMyCatalog,
  listMyCatalogTools,
  createMyRequest,
  listMyRequests,
  listMyApprovals,
  withdrawMyRequest,
  listMyLogs,
  search,
  listLogs,
  tailLogs,
  getLogStats,
  listLogErrors,
  exportLogs,
  getLog,
  listAudit,
  exportAudit,
  getSettings,
  updateSettings,
  getAbout,
];
