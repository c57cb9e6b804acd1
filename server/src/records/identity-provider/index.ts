export {
  findUserIdByIdentity,
  hasOtherIdentity,
  hasSignedInThrough,
  type Identity,
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
