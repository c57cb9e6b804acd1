import type { Operation } from "#api/kit/operation";
import { createUser } from "./create-user.ts";
import { deleteUser } from "./delete-user.ts";
import { endUserClient } from "./end-user-client.ts";
import { endUserSessions } from "./end-user-sessions.ts";
import { getUser } from "./get-user.ts";
import { inviteUser } from "./invite-user.ts";
import { listUserClients } from "./list-user-clients.ts";
import { listUserSessions } from "./list-user-sessions.ts";
import { listUsers } from "./list-users.ts";
import { revealUserSecret } from "./reveal-user-secret.ts";
import { revokeOldSecret } from "./revoke-old-secret.ts";
import { rotateUserSecret } from "./rotate-user-secret.ts";
import { setClientCredentials } from "./set-client-credentials.ts";
import { updateUser } from "./update-user.ts";

/** In document order. */
export const usersOperations: readonly Operation[] = [
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
];
