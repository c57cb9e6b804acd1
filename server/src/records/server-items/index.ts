export { forgetItems, replaceItems, type SyncedItem } from "./store.ts";
