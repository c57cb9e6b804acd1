export { type AppliedInstances, type ApplyContext, applyInstances, setLastSeen } from "./apply-instances.ts";
export {
  type ConfirmedDevice,
  confirmDevices,
  countDevices,
  countDevicesToEvaluate,
  DEVICE_STATUSES,
  type DeviceFilter,
  type DeviceStatus,
  deviceSearchText,
  deviceStatus,
  devicesAfter,
  emailOf,
  findDevice,
  findDevices,
  instancesOfDevices,
  listDevices,
  lockDevice,
  lockDevicesToEvaluate,
  lockReportedDevices,
  markEvaluated,
  STALE_SCANS,
  seenWithDevice,
  updateDevice,
} from "./devices.ts";
export { followGroups, requestEvaluationOfEmail } from "./follow-groups.ts";
export { requestEvaluationOfEndpoints, requestEvaluationOfSkills } from "./follow-known.ts";
export { insertItems } from "./insert-items.ts";
export { itemSearchText, riskReasons, riskScore } from "./item-counts.ts";
export {
  allowedServerNames,
  clientsOfItems,
  type DecidedRow,
  decidedInstances,
  findInstances,
  findItem,
  findItems,
  findJudgedItems,
  ITEM_SORTS,
  type ItemFilter,
  type ItemSort,
  instancesOfDevice,
  instancesOfItem,
  instancesOfRules,
  itemId,
  itemsAfter,
  type JudgedItem,
  listItems,
  lockItem,
  markItemsSeen,
  updateItem,
} from "./items.ts";
export {
  countRules,
  deleteRule,
  findRule,
  hasRuleExpiredBetween,
  insertHistory,
  insertRule,
  listHistory,
  listRules,
  lockPolicy,
  MOST_RULES,
  readPolicy,
  requestEvaluation,
  storeOrder,
  updatePolicy,
  updateRule,
} from "./policy.ts";
export { renameGroupInRules } from "./rename-group.ts";
export {
  deleteItemsUnseenSince,
  deleteRemovedBefore,
  deleteViolationsResolvedBefore,
  devicesUnseenSince,
  forgetDevice,
} from "./retention.ts";
export { searchDevices, searchItems } from "./search.ts";
export { findSkillText, insertSkillTexts, itemsWithText, noteRefusedTexts, refusedTextsOf } from "./skill-texts.ts";
export { insertDevices, updateReportedDevices } from "./store-devices.ts";
export { countNewItems, groupItems, type ItemGroup, topClients } from "./summary.ts";
export { countOpenViolations, listViolations, noteEnforcement, type ViolationFilter } from "./violations.ts";
