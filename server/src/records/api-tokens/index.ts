export {
  apiTokenHash,
  countApiTokens,
  deleteApiToken,
  deleteCreatedWith,
  findApiToken,
  findApiTokenById,
  insertApiToken,
  listApiTokens,
  type ShownApiToken,
  touchApiToken,
} from "./store.ts";
