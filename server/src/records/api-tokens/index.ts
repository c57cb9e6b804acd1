export {
  apiTokenHash,
  countApiTokens,
  countTokensWithScope,
  deleteApiToken,
  deleteCreatedWith,
  findApiToken,
  findApiTokenById,
  insertApiToken,
  listApiTokens,
  type ShownApiToken,
  touchApiToken,
} from "./store.ts";
