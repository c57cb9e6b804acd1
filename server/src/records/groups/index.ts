export { type PublishedGroup, publishedGroupsAfter, publishedGroupsByIds } from "./published.ts";
export { MOST_COUNTED_USERS, reachingUsers } from "./reach.ts";
export { searchGroups } from "./search.ts";
export {
  autoAssignGroupIds,
  deleteGroup,
  findGroup,
  type GroupWithCounts,
  groupIdsOfServer,
  groupNames,
  groupNamesOfServers,
  groupWithCounts,
  insertGroup,
  joinAutoAssignGroups,
  linkServers,
  linkUsers,
  listGroups,
  lockGroup,
  serverIdsOfGroup,
  unlinkServer,
  unlinkUser,
  updateGroup,
} from "./store.ts";
