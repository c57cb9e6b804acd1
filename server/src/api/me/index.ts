import type { Operation } from "#api/kit/operation";
import { changeMyPassword } from "./change-my-password.ts";
import { confirmMyPassword } from "./confirm-my-password.ts";
import { createMyLibraryToken } from "./create-my-library-token.ts";
import { createMyRequest } from "./create-my-request.ts";
import { createMyToolkit } from "./create-my-toolkit.ts";
import { createPlaygroundToken } from "./create-playground-token.ts";
import { deleteMyConnection } from "./delete-my-connection.ts";
import { deleteMyLibraryToken } from "./delete-my-library-token.ts";
import { deleteMyToolkit } from "./delete-my-toolkit.ts";
import { endMyClient } from "./end-my-client.ts";
import { endMySessions } from "./end-my-sessions.ts";
import { getMe } from "./get-me.ts";
import { getMyEmailNotices } from "./get-my-email-notices.ts";
import { getMyToolkit } from "./get-my-toolkit.ts";
import { listMyApprovals } from "./list-my-approvals.ts";
import { listMyCatalog } from "./list-my-catalog.ts";
import { listMyCatalogTools } from "./list-my-catalog-tools.ts";
import { listMyClients } from "./list-my-clients.ts";
import { listMyCommands } from "./list-my-commands.ts";
import { listMyLibraryTokens } from "./list-my-library-tokens.ts";
import { listMyLogs } from "./list-my-logs.ts";
import { listMyMcpServers } from "./list-my-mcp-servers.ts";
import { listMyPlugins } from "./list-my-plugins.ts";
import { listMyRequests } from "./list-my-requests.ts";
import { listMySessions } from "./list-my-sessions.ts";
import { listMySkills } from "./list-my-skills.ts";
import { listMyToolkits } from "./list-my-toolkits.ts";
import { setMyApiKey } from "./set-my-api-key.ts";
import { testMyConnection } from "./test-my-connection.ts";
import { updateMyEmailNotices } from "./update-my-email-notices.ts";
import { updateMyToolkit } from "./update-my-toolkit.ts";
import { withdrawMyRequest } from "./withdraw-my-request.ts";

/** In document order. */
export const meOperations: readonly Operation[] = [
  getMe,
  listMyMcpServers,
  listMySkills,
  listMyCommands,
  listMyPlugins,
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
  listMyLibraryTokens,
  createMyLibraryToken,
  deleteMyLibraryToken,
  listMySessions,
  endMySessions,
  getMyEmailNotices,
  updateMyEmailNotices,
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
];
