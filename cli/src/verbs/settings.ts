import { badUsage } from "../failure.ts";
import { given } from "../read-json.ts";
import { type Noun, verb } from "../verb.ts";

const HINT = "n|default";

const get = verb({
  says: "Show the organization's settings",
  example: "gatehouse settings get",
  async run({ api, out }) {
    out.record((await api().getSettings({})).data);
  },
});

const update = verb({
  says: "Change settings; what is not given stays as it is",
  options: {
    "call-log-retention-days": { type: "text", hint: HINT, says: "for how many days calls are kept in the log" },
    "call-stats-retention-days": { type: "text", hint: HINT, says: "for how many days statistics of calls are kept" },
    "audit-retention-days": { type: "text", hint: HINT, says: "for how many days the audit is kept" },
    "tool-sync-interval-minutes": { type: "text", hint: HINT, says: "how often servers' tools are read again" },
  },
  example: "gatehouse settings update --call-log-retention-days 30",
  async run({ api, options, out }) {
    const body = given({
      call_log_retention_days: readNumber("call-log-retention-days", options["call-log-retention-days"]),
      call_stats_retention_days: readNumber("call-stats-retention-days", options["call-stats-retention-days"]),
      audit_retention_days: readNumber("audit-retention-days", options["audit-retention-days"]),
      tool_sync_interval_minutes: readNumber("tool-sync-interval-minutes", options["tool-sync-interval-minutes"]),
    });
    if (Object.keys(body).length === 0) throw badUsage("there is nothing to change");
    const { data } = await api().updateSettings({ body });
    out.say("The settings are changed.");
    out.record(data);
  },
});

function readNumber(option: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "default") return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw badUsage(`--${option} must be a whole number, or default, not "${text}"`);
}

export const settings: Noun = {
  says: "Settings of the organization",
  verbs: { get, update },
  example: "gatehouse settings get",
};
