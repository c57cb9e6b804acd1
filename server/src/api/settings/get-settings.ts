import { z } from "zod";
import { read } from "#api/kit/operation";
import { readSettings } from "#records/settings";
import { Settings } from "./schema.ts";
import { presentSso } from "./sso-settings.ts";

/** D22. */
export const getSettings = read({
  id: "getSettings",
  route: "GET /api/settings",
  tag: "Settings",
  summary: "Get the organization settings",
  description: "Includes default values.",
  scope: "admin:read",
  answers: { 200: z.object({ data: Settings }) },
  refusals: [],
  onCrash: "Failed to retrieve settings",
  async run({ db }) {
    return { status: 200, body: { data: { ...(await readSettings(db)), sso: await presentSso(db) } } };
  },
});
