/** The organization's policy, and what it decides about. */
import type { ItemKind, Platform, Transport } from "./types.ts";

export const ACTIONS = ["allow", "warn", "block"] as const;
export type Action = (typeof ACTIONS)[number];

export const ENFORCEMENTS = ["monitor", "enforce"] as const;
export type Enforcement = (typeof ENFORCEMENTS)[number];

export const REVIEW_STATUSES = ["unreviewed", "approved", "rejected", "ignored"] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** All conditions must hold. Of the values of one condition, one suffices. */
export interface RuleMatch {
  readonly name?: readonly string[];
  readonly url?: readonly string[];
  readonly host?: readonly string[];
  readonly package?: readonly string[];
  readonly command?: readonly string[];
  readonly transport?: readonly Transport[];
  readonly fingerprint?: readonly string[];
  readonly digest?: readonly string[];
  readonly client?: readonly string[];
  readonly scope?: readonly string[];
  readonly publisher?: readonly string[];
  readonly managed?: boolean;
  readonly registered?: boolean;
  readonly in_registry?: boolean;
  readonly unpinned?: boolean;
  readonly has_scripts?: boolean;
  readonly min_risk?: number;
  readonly review_status?: readonly ReviewStatus[];
  readonly groups?: readonly string[];
  readonly users?: readonly string[];
  readonly devices?: readonly string[];
  readonly os?: readonly Platform[];
}

export interface PolicyRule {
  readonly id: string;
  readonly name: string;
  readonly kind: ItemKind;
  readonly action: Action;
  readonly enabled: boolean;
  /** Rules are tried by ascending position. */
  readonly position: number;
  readonly match: RuleMatch;
  /** Shown to the user of the device. */
  readonly message?: string | null;
  /** ISO time after which the rule is skipped. */
  readonly expires_at?: string | null;
}

export interface Policy {
  readonly version: number;
  readonly enforcement: Enforcement;
  readonly default_actions: { readonly mcp_servers: Action; readonly skills: Action };
  readonly always_allow_managed: boolean;
  readonly notify_users: boolean;
  readonly rules: readonly PolicyRule[];
}

/** Facts about an item. A condition on a fact that is undefined does not hold. */
export interface ItemFacts {
  readonly kind: ItemKind;
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly host?: string | undefined;
  /** With its type: `npm:@acme/server`. */
  readonly package?: string | undefined;
  /** The base name. */
  readonly command?: string | undefined;
  /** Programs that the command starts until it reaches the package. */
  readonly starts?: readonly string[] | undefined;
  readonly transport?: Transport | undefined;
  readonly fingerprint?: string | undefined;
  readonly digest?: string | undefined;
  readonly client?: string | undefined;
  readonly scope?: string | undefined;
  readonly publishers?: readonly string[] | undefined;
  readonly managed?: boolean | undefined;
  readonly registered?: boolean | undefined;
  readonly in_registry?: boolean | undefined;
  readonly unpinned?: boolean | undefined;
  readonly has_scripts?: boolean | undefined;
  readonly risk?: number | undefined;
  readonly review_status?: ReviewStatus | undefined;
  /** What the command installs or runs besides. The strictest of all decisions counts (decision 0255). */
  readonly also?: readonly PartFacts[] | undefined;
}

/** What one part of a command installs or runs. */
export type PartFacts = Pick<ItemFacts, "package" | "starts" | "publishers" | "unpinned">;

/** Who and what the item was found on. */
export interface PolicyContext {
  /** Milliseconds since 1970, for `expires_at`. */
  readonly now: number;
  readonly device_id?: string | undefined;
  readonly os?: Platform | undefined;
  /** The email of the device's user. */
  readonly user?: string | undefined;
  /** The names of that user's groups. */
  readonly groups?: readonly string[] | undefined;
}

export interface TraceStep {
  readonly rule_id: string;
  readonly matched: boolean;
  /** The first condition that did not hold, or `disabled`, `expired`, `kind`; null for the rule that matched. */
  readonly failed_condition: string | null;
}

export interface Decision {
  readonly action: Action;
  /** `managed` if `always_allow_managed` decided; null for a default action. */
  readonly rule_id: string | null;
  readonly rule_name: string | null;
  readonly reason: string;
  readonly message: string | null;
  readonly policy_version: number;
}

/** What only the service knows about an item of a device. */
export interface ServiceFacts {
  readonly registered?: boolean;
  readonly in_registry?: boolean;
  readonly review_status?: ReviewStatus;
  readonly risk?: number;
}

/** The policy for one device. With it, the device decides the same as the service while it is offline. */
export interface EffectivePolicy extends Policy {
  readonly device: { readonly id: string; readonly user: string | null; readonly groups: readonly string[] };
  /** Servers at these URLs are managed. */
  readonly gateway_urls: readonly string[];
  /** Digests of the organization's skills. */
  readonly skill_digests: readonly string[];
  /** By fingerprint or digest, for the items of this device. */
  readonly facts: Readonly<Record<string, ServiceFacts>>;
}
