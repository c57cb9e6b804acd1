import { emailOf } from "#records/discovery";
import type {
  DiscoveryDeviceRow,
  DiscoveryInstanceRow,
  DiscoveryItemRow,
  DiscoveryViolationRow,
} from "#storage/discovery-tables";
import type { WriteTrail } from "#storage/transaction";

const MOST_LISTED = 50;

interface Described {
  readonly devices: ReadonlyMap<string, DiscoveryDeviceRow>;
  readonly items: ReadonlyMap<string, Pick<DiscoveryItemRow, "key">>;
  readonly instances: readonly DiscoveryInstanceRow[];
}

/** One event for all new violations of a report or of a part of the inventory, blocked ones first. */
export function emitViolations(
  trail: WriteTrail,
  opened: readonly DiscoveryViolationRow[],
  { devices, items, instances }: Described,
): void {
  if (opened.length === 0) return;
  const of = new Map(instances.map((row) => [row.id, row]));
  const sorted = [...opened].sort((a, b) => Number(b.action === "block") - Number(a.action === "block"));
  const violations = sorted.slice(0, MOST_LISTED).map((violation) => {
    const device = devices.get(violation.device_id);
    const instance = of.get(violation.instance_id);
    return {
      ...{ id: violation.id, kind: violation.kind, action: violation.action, rule_id: violation.rule_id },
      ...{ name: instance?.name, client: instance?.client, key: items.get(violation.item_id)?.key },
      device: { id: violation.device_id, hostname: device?.hostname },
      user_email: device ? emailOf(device) : null,
    };
  });
  const blocked = opened.filter(({ action }) => action === "block").length;
  trail.emit("discovery.violation", {
    policy_version: opened[0]?.policy_version,
    totals: { block: blocked, warn: opened.length - blocked },
    violations,
  });
}
