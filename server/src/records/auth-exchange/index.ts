export { findExchangedToken, noteExchangedTokens, openExchangedToken, sealExchangedToken } from "./exchanged-tokens.ts";
export {
  type CredentialFilter,
  countLiveCredentials,
  type ExchangeCredentialWithNames,
  findCredentialWithNames,
  listCredentials,
} from "./list-credentials.ts";
export {
  countProviders,
  deleteProvider,
  findProvider,
  findProviderById,
  hasPassthrough,
  insertProvider,
  listProviders,
  lockProvider,
  lockProviderById,
  type ProviderFilter,
  providersOfIssuer,
  reserveAudiences,
  searchProviders,
  updateProvider,
} from "./providers.ts";
export { addReplay, deleteReplaysBefore, isReplayed } from "./replays.ts";
export {
  deleteCredentialsBefore,
  endCredential,
  endCredentialsOfProvider,
  endCredentialsOfUser,
  endOldestCredentials,
  findCredentialOfToken,
  findCredentialOwners,
  findRefreshToken,
  insertCredential,
  insertRefreshToken,
  lockCredential,
  noteRefresh,
  takeRefreshToken,
} from "./store.ts";
