import type { Operation } from "#api/kit/operation";
import { createUserToolkit } from "./create-user-toolkit.ts";
import { deleteUserConnection } from "./delete-user-connection.ts";
import { deleteUserToolkit } from "./delete-user-toolkit.ts";
import { getUserAuthUrl } from "./get-user-auth-url.ts";
import { getUserConnection } from "./get-user-connection.ts";
import { getUserToolkit } from "./get-user-toolkit.ts";
import { listUserCommands } from "./list-user-commands.ts";
import { listUserMcpServers } from "./list-user-mcp-servers.ts";
import { listUserPlugins } from "./list-user-plugins.ts";
import { listUserSkills } from "./list-user-skills.ts";
import { listUserToolkits } from "./list-user-toolkits.ts";
import { setUserApiKey } from "./set-user-api-key.ts";
import { updateUserToolkit } from "./update-user-toolkit.ts";

/** In document order. */
export const userOperations: readonly Operation[] = [
  listUserMcpServers,
  listUserSkills,
  listUserCommands,
  listUserPlugins,
  listUserToolkits,
  createUserToolkit,
  updateUserToolkit,
  deleteUserToolkit,
  getUserToolkit,
  getUserConnection,
  setUserApiKey,
  deleteUserConnection,
  getUserAuthUrl,
];
