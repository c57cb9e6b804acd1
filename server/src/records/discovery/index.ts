export { type AppliedInstances, type ApplyContext, applyInstances } from "./apply-instances.ts";
export {
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
  insertDevice,
  instancesOfDevices,
  listDevices,
  lockDevice,
  lockDevicesToEvaluate,
  lockReportedDevices,
  markEvaluated,
  STALE_SCANS,
  updateDevice,
} from "./devices.ts";
export { itemSearchText, riskReasons, riskScore } from "./item-counts.ts";
export {
  clientsOfItems,
  findInstances,
  findItem,
  findItems,
  ITEM_SORTS,
  type ItemFilter,
  type ItemSort,
  insertItems,
  instancesOfDevice,
  instancesOfItem,
  itemId,
  itemsAfter,
  listItems,
  lockItem,
  markItemsSeen,
  updateItem,
} from "./items.ts";
export {
  countRules,
  deleteRule,
  findRule,
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
export { deleteReportsBefore, findReport, insertReport } from "./reports.ts";
export {
  deleteItemsUnseenSince,
  deleteRemovedBefore,
  deleteViolationsResolvedBefore,
  devicesUnseenSince,
  forgetDevice,
} from "./retention.ts";
export { countNewItems, groupItems, type ItemGroup, topClients } from "./summary.ts";
export { countOpenViolations, listViolations, type ViolationFilter } from "./violations.ts";
