export { type AppTokenMaking, endAppTokens, makeAppToken } from "./app-tokens.ts";
export {
  deleteExpiredCredentials,
  endOldestTokens,
  endTokensOfGrant,
  endTokensOfPerson,
  findGatewayToken,
  type GatewayTokenMaking,
  insertGatewayToken,
  storeGatewayToken,
} from "./gateway-tokens.ts";
export {
  deleteLibraryToken,
  type LibraryTokenMaking,
  type LibraryTokenRow,
  listLibraryTokens,
  makeLibraryToken,
} from "./library-tokens.ts";
export { type PublishedCredential, publishedCredentialsAfter, publishedCredentialsByIds } from "./published.ts";
export { countByPepper, repepperSlice } from "./repepper.ts";
export {
  accessKeyExists,
  credentialsOfUser,
  forgetSealedSecrets,
  insertMachineKey,
  type MachineKey,
  type MachineKeyMaking,
  machineKeysOf,
  noteCredentialsOfDeletedUser,
  revealMachineKey,
  revokePreviousSecret,
  rotateMachineSecret,
} from "./store.ts";
