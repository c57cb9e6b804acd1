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
  discovery_skill_texts: {
    kind: "switch",
    default: false,
    description: "Whether the text of skills that devices send is stored, so that discovered skills can be imported",
    label: "Store texts of discovered skills",
    hint: "Devices send the text of SKILL.md only if their scan agent runs with --include-content. Secrets are removed.",
  },
} as const;
