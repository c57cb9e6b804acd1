export { type PublishedCredential, publishedCredentialsAfter, publishedCredentialsByIds } from "./published.ts";
export { accessKeyExists, insertMachineKey, type MachineKey, type MachineKeyMaking } from "./store.ts";
