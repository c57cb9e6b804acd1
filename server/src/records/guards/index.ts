export { type BuiltInGuard, ensureBuiltInGuards } from "./built-ins.ts";
export { type CheckSecrets, joinSecrets, openSecrets, sealSecrets, splitSecrets } from "./check-secrets.ts";
export {
  enabledGuardsOfType,
  type PublishedGuard,
  publishedGuardsAfter,
  publishedGuardsByIds,
} from "./published.ts";
export { renameInGuards } from "./rename.ts";
export { type NamedScope, nameScopes, resolveScope } from "./scope.ts";
export {
  countGuards,
  deleteGuard,
  findGuard,
  findGuardById,
  type GuardChanges,
  type GuardFilter,
  insertGuard,
  listGuards,
  lockGuard,
  MOST_GUARDS,
  searchGuards,
  updateGuard,
} from "./store.ts";
