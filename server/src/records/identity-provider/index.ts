export {
  cameFrom,
  findUserIdByIdentity,
  identitiesAmong,
  isSomebodyElse,
  linkIdentity,
  ownerCameFrom,
} from "./identities.ts";
export {
  deleteIdentityProvider,
  findIdentityProvider,
  type IdentityProviderRow,
  openProviderSecret,
  saveIdentityProvider,
  sealProviderSecret,
} from "./store.ts";
