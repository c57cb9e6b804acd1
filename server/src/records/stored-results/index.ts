export {
  deleteStoredResultsBefore,
  findStoredResult,
  insertStoredResult,
  type StoredResultRow,
  storedTotals,
  trimStoredResults,
} from "./store.ts";
