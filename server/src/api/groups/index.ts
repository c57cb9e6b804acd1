import type { Operation } from "#api/kit/operation";
import { addCommandsToGroup } from "./add-commands-to-group.ts";
import { addIntegrationsToGroup } from "./add-integrations-to-group.ts";
import { addPluginsToGroup } from "./add-plugins-to-group.ts";
import { addSkillsToGroup } from "./add-skills-to-group.ts";
import { addToolkitsToGroup } from "./add-toolkits-to-group.ts";
import { addUsersToGroup } from "./add-users-to-group.ts";
import { createGroup } from "./create-group.ts";
import { deleteGroup } from "./delete-group.ts";
import { getGroup } from "./get-group.ts";
import { listGroupIntegrations } from "./list-group-integrations.ts";
import { listGroups } from "./list-groups.ts";
import { removeCommandFromGroup } from "./remove-command-from-group.ts";
import { removeIntegrationFromGroup } from "./remove-integration-from-group.ts";
import { removePluginFromGroup } from "./remove-plugin-from-group.ts";
import { removeSkillFromGroup } from "./remove-skill-from-group.ts";
import { removeToolkitFromGroup } from "./remove-toolkit-from-group.ts";
import { removeUserFromGroup } from "./remove-user-from-group.ts";
import { updateGroup } from "./update-group.ts";
import { updateGroupIntegration } from "./update-group-integration.ts";

/** In document order. */
export const groupOperations: readonly Operation[] = [
  listGroups,
  createGroup,
  updateGroup,
  deleteGroup,
  getGroup,
  listGroupIntegrations,
  addIntegrationsToGroup,
  removeIntegrationFromGroup,
  updateGroupIntegration,
  addPluginsToGroup,
  removePluginFromGroup,
  addSkillsToGroup,
  removeSkillFromGroup,
  addCommandsToGroup,
  removeCommandFromGroup,
  addToolkitsToGroup,
  removeToolkitFromGroup,
  addUsersToGroup,
  removeUserFromGroup,
];
