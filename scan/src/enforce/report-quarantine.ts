import type { ReportedServer, ReportedSkill } from "#policy/types";
import type { FoundServer } from "../discover/servers.ts";
import type { FoundSkill } from "../discover/skills.ts";
import { itemsOf, type QuarantinedItem } from "./quarantine.ts";

interface Found {
  readonly servers: readonly FoundServer[];
  readonly skills: readonly FoundSkill[];
}

/**
 * The lists of a report. Items in quarantine are part of them, because the policy still decides about them with what the
 * service knows about its inventory (decision 0210). One that the user added again is reported once, as present.
 */
export function withQuarantined(
  { servers, skills }: Found,
  quarantined: readonly QuarantinedItem[],
): { mcp_servers: ReportedServer[]; skills: ReportedSkill[] } {
  const mcp_servers = servers.map(({ item }) => item);
  const found = { mcp_servers, skills: skills.map(({ item }) => item) };
  const places = new Set([...found.mcp_servers, ...found.skills].map(placeOf));
  for (const item of quarantined.flatMap(itemsOf)) {
    if (places.has(placeOf(item))) continue;
    if ("fingerprint" in item) found.mcp_servers.push({ ...item, quarantined: true });
    else found.skills.push({ ...item, quarantined: true });
  }
  return found;
}

/** The service identifies the instances of a device with the same fields. */
function placeOf(item: ReportedServer | ReportedSkill): string {
  const [key, path] = "fingerprint" in item ? [item.fingerprint, item.config_path] : [item.digest, item.path];
  return JSON.stringify([key, item.client, path, item.name, item.project, item.username]);
}
