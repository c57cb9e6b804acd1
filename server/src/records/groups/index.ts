export { type PublishedGroup, publishedGroupsAfter, publishedGroupsByIds } from "./published.ts";
export {
  autoAssignGroupIds,
  deleteGroup,
  findGroup,
  type GroupWithCounts,
  groupIdsOfServer,
  groupNames,
  groupWithCounts,
  insertGroup,
  linkServers,
  linkUsers,
  listGroups,
  lockGroup,
  serverIdsOfGroup,
  unlinkServer,
  unlinkUser,
  updateGroup,
} from "./store.ts";
