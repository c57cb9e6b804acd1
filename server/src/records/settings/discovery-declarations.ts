/** The settings of AI discovery. */
export const DISCOVERY_SETTINGS = {
  discovery_scan_minutes: {
    kind: "number",
    default: 60,
    minimum: 5,
    maximum: 1_440,
    unit: "minutes",
    description: "Minutes between scans of a device for AI tools",
    label: "Scan interval",
    hint: "Devices that did not report for three intervals are shown as stale.",
  },
  discovery_retention_days: {
    kind: "number",
    default: 180,
    minimum: 7,
    maximum: 3_650,
    unit: "days",
    description: "Days to keep devices that no longer report, and discovered items that were removed",
    label: "AI discovery retention",
  },
} as const;
