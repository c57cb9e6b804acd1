export {
  acceptItems,
  applyItemPolicy,
  countPendingItems,
  definedItemsOf,
  instructionsOf,
  itemsOf,
  type PendingItem,
  pendingItemCounts,
  pendingItems,
  type RejectedItem,
  rejectItems,
} from "./pins.ts";
export { evaluatedItemsOf, forgetItems, replaceItems, type SyncedItem } from "./store.ts";
