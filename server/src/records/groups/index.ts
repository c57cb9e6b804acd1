export { accessibleServerLinks } from "./access.ts";
export {
  commandLinks,
  type GroupLink,
  type GroupLinks,
  pluginLinks,
  serverLinks,
  skillLinks,
  toolkitLinks,
  userLinks,
} from "./links.ts";
export {
  countGroups,
  detachGroups,
  type GroupKey,
  groupsOfUsers,
  listGroupRows,
  type Membership,
  peopleOfGroups,
} from "./members.ts";
export { type PublishedGroup, publishedGroupsAfter, publishedGroupsByIds } from "./published.ts";
export { MOST_COUNTED_USERS, reachingUsers } from "./reach.ts";
export { searchGroups } from "./search.ts";
export {
  findGrant,
  type GrantFilter,
  grantsTool,
  isGranted,
  listGrants,
  type ServerGrant,
  selectionOf,
  selectTools,
} from "./selections.ts";
export {
  deleteGroup,
  findGroup,
  findGroupWithCounts,
  type GroupWithCounts,
  groupNames,
  groupWithCounts,
  insertGroup,
  joinAutoAssignGroups,
  listGroups,
  lockGroup,
  lockGroupById,
  unprovisionedGroupNames,
  updateGroup,
} from "./store.ts";
