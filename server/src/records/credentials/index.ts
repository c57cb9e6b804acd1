export { type PublishedCredential, publishedCredentialsAfter, publishedCredentialsByIds } from "./published.ts";
export { countByPepper, repepperSlice } from "./repepper.ts";
export {
  accessKeyExists,
  credentialsOfUser,
  insertMachineKey,
  type MachineKey,
  type MachineKeyMaking,
  rotateMachineSecret,
} from "./store.ts";
