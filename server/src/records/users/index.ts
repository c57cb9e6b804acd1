export { findMachineUserBySlug } from "./by-slug.ts";
export {
  countPeople,
  detachPeople,
  listPeople,
  lockPerson,
  type PersonKey,
  type ProvisionedCounts,
  provisionedCounts,
  unknownPersonIds,
} from "./people.ts";
export { type PublishedUser, publishedUsersAfter, publishedUsersByIds } from "./published.ts";
export { hasOwner, isLastOwner, LAST_OWNER_MESSAGE, mayManage } from "./roles.ts";
export { type FoundUser, searchUsers } from "./search.ts";
export {
  clientCredentialsAmong,
  deleteUser,
  findUser,
  findUserByExternalId,
  findUserById,
  findUsersByEmail,
  findUserWithLinks,
  insertMachineUser,
  insertPerson,
  listUsers,
  lockUser,
  lockUserById,
  matchingUserIds,
  newUserRow,
  ownedUserIds,
  replaceOwners,
  type UserFilter,
  type UserWithLinks,
  unknownOwnerIds,
  updateUser,
  userNames,
  userSearchText,
  usersWithClientCredentials,
  userWithLinks,
} from "./store.ts";
