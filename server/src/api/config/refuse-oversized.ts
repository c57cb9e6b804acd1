import { Refusal } from "#lib/errors";
import type { ConfigObject } from "./kind.ts";
import { CONFIG_BODY_BYTES } from "./schema.ts";

const MIB = 1024 * 1024;
/** The rest is for secrets, which replace the references of the export. */
const MOST_BYTES = CONFIG_BODY_BYTES - 2 * MIB;
/** Objects that an error names. */
const NAMED = 5;

/** `apply` sends all files in one request. */
export function refuseOversized(config: Readonly<Record<string, readonly ConfigObject[]>>): void {
  const objects = Object.entries(config).flatMap(([kind, list]) =>
    list.map((object) => ({
      name: `${kind} ${object.slug ?? object.name}`,
      bytes: Buffer.byteLength(JSON.stringify(object)),
    })),
  );
  const total = objects.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= MOST_BYTES) return;
  const largest = objects
    .filter(({ bytes }) => bytes >= MIB)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, NAMED);
  const names = largest.map(({ name, bytes }) => `${name} (${mib(bytes)})`).join(", ");
  throw new Refusal(
    "conflict",
    `the configuration has ${mib(total)}, and apply accepts ${mib(MOST_BYTES)}. Remove files from the largest objects, and export again: ${names}`,
  );
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
