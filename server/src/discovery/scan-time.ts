/** When a report was scanned. Clocks of devices can be wrong, so the age counts if the agent sends it (decision 0211). */
export interface ScanTime {
  /** By the device's clock. */
  readonly scannedAt: number;
  /** How long the agent kept the report. Undefined: an agent that does not send it. */
  readonly ageMs: number | undefined;
}

export function scanTimeOf(given: {
  readonly scanned_at: string;
  readonly age_seconds?: number | null | undefined;
}): ScanTime {
  const { scanned_at: scannedAt, age_seconds: age } = given;
  return { scannedAt: Date.parse(scannedAt), ageMs: age == null ? undefined : age * 1000 };
}

/** By the service's clock, and never later than now. */
export function scannedAtOf({ scannedAt, ageMs }: ScanTime, now: number): number {
  return ageMs === undefined ? Math.min(scannedAt, now) : now - ageMs;
}
