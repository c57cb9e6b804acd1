export {
  acceptItems,
  applyItemPolicy,
  countPendingItems,
  itemsOf,
  type PendingItem,
  pendingItemCounts,
  pendingItems,
  type RejectedItem,
  rejectItems,
} from "./pins.ts";
export { forgetItems, replaceItems, type SyncedItem } from "./store.ts";
