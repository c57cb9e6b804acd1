import { seenWithDevice, setLastSeen, updateDevice } from "#records/discovery";
import type { MainTransaction } from "#storage/database";
import type { DiscoveryDeviceRow, DiscoveryInstanceRow } from "#storage/discovery-tables";

/**
 * The device of a report that is older than the last one was seen now. Its instances were seen with the last report that was
 * applied.
 */
export async function storeContact(
  tx: MainTransaction,
  device: DiscoveryDeviceRow,
  stored: readonly DiscoveryInstanceRow[],
  now: number,
): Promise<void> {
  const seen = stored.filter((row) => seenWithDevice(row, device)).map(({ id }) => id);
  if (seen.length > 0) await setLastSeen(tx, seen, device.last_seen);
  await updateDevice(tx, device.id, { last_seen: now, content_digest: null });
}
