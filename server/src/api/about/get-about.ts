import { z } from "zod";
import { createdAt, isoTime } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { countValuesByKey } from "#records/data-keys";
import { listDataKeys } from "#storage/data-keys";

const About = z
  .object({
    version: z.string().meta({ description: "The release that answers", example: "0.1.0" }),
    node: z.string().meta({ description: "The Node that runs it", example: "24.22.1" }),
    database: z.enum(["sqlite", "postgres"]).describe("Where records are kept"),
    data_keys: z
      .array(
        z.object({
          purpose: z.string().meta({ description: "What is sealed with it", example: "connection" }),
          version: z.int().describe("The highest of a purpose seals; older ones open what they sealed"),
          wrapped_by: z.string().describe("Which key file wraps it: a digest, not the key"),
          values: z
            .int()
            .nullable()
            .describe(
              "How many values it seals now, of the pepper how many verifiers it made; null: not counted. Zero of an older version: it is no longer needed",
            ),
          created_at: createdAt,
        }),
      )
      .describe("The keys in use, by purpose and version; never a key itself"),
  })
  .meta({ id: "About", description: "What runs here" });

/** What calls carried lies in a file of its own, and ends within days. */
const UNCOUNTED = ["call-payload"];

export const getAbout = read({
  id: "getAbout",
  route: "GET /api/about",
  tag: "Settings",
  summary: "Tell what runs here, and under which keys secrets are sealed",
  scope: "admin:read",
  answers: { 200: z.object({ data: About }) },
  refusals: [],
  onCrash: "Failed to retrieve what runs here",
  async run({ db, context }) {
    const keys = await listDataKeys(db);
    const values = await countValuesByKey(db, keys);
    const data_keys = keys.map((key) => ({
      purpose: key.purpose,
      version: key.version,
      wrapped_by: key.wrapping_key_id,
      values: UNCOUNTED.includes(key.purpose) ? null : values.of(key),
      created_at: isoTime(key.created_at),
    }));
    const { version, databases } = context;
    const data = { version, node: process.versions.node, database: databases.dialect, data_keys };
    return { status: 200, body: { data } };
  },
});
