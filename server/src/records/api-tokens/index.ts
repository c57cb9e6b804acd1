export {
  apiTokenHash,
  countApiTokens,
  deleteApiToken,
  findApiToken,
  findApiTokenById,
  insertApiToken,
  listApiTokens,
  touchApiToken,
} from "./store.ts";
