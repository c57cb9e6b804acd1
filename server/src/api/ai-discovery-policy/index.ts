import type { Operation } from "#api/kit/operation";
import { dryRunDiscoveryPolicy } from "./dry-run-discovery-policy.ts";
import { evaluateDiscoveryPolicy } from "./evaluate-discovery-policy.ts";
import { exportDiscoveryPolicy } from "./export-discovery-policy.ts";
import { getEffectiveDiscoveryPolicy } from "./get-effective-policy.ts";
import { getDiscoveryPolicy, listDiscoveryPolicyHistory, updateDiscoveryPolicy } from "./policy-operations.ts";
import {
  createDiscoveryRule,
  deleteDiscoveryRule,
  listDiscoveryRules,
  orderDiscoveryRules,
  updateDiscoveryRule,
} from "./rule-operations.ts";

/** In document order. */
export const discoveryPolicyOperations: readonly Operation[] = [
  getDiscoveryPolicy,
  updateDiscoveryPolicy,
  listDiscoveryRules,
  createDiscoveryRule,
  updateDiscoveryRule,
  deleteDiscoveryRule,
  orderDiscoveryRules,
  evaluateDiscoveryPolicy,
  dryRunDiscoveryPolicy,
  getEffectiveDiscoveryPolicy,
  exportDiscoveryPolicy,
  listDiscoveryPolicyHistory,
];
