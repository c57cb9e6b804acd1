export { type PublishedUser, publishedUsersAfter, publishedUsersByIds } from "./published.ts";
export {
  findUser,
  findUsersByEmail,
  insertMachineUser,
  insertPerson,
  listUsers,
  lockUser,
  replaceOwners,
  type UserWithLinks,
  unknownOwnerIds,
  updateUser,
  userSearchText,
  userWithLinks,
} from "./store.ts";
