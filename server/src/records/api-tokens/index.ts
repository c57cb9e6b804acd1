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
  validTokenIds,
} from "./store.ts";
