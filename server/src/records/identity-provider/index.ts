export {
  findUserIdByIdentity,
  hasOtherIdentity,
  hasSignedInThrough,
  identitiesAmong,
  linkIdentity,
  ownerSignedInThrough,
} from "./identities.ts";
export {
  deleteIdentityProvider,
  findIdentityProvider,
  type IdentityProviderRow,
  openProviderSecret,
  saveIdentityProvider,
  sealProviderSecret,
} from "./store.ts";
