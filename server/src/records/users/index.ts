export { type PublishedUser, publishedUsersAfter, publishedUsersByIds } from "./published.ts";
export {
  deleteUser,
  findUser,
  findUserById,
  findUsersByEmail,
  insertMachineUser,
  insertPerson,
  listUsers,
  lockUser,
  ownedUserIds,
  replaceOwners,
  type UserWithLinks,
  unknownOwnerIds,
  updateUser,
  userSearchText,
  userWithLinks,
} from "./store.ts";
