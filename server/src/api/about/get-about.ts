import { z } from "zod";
import { createdAt, isoTime, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { countValuesByKey } from "#records/data-keys";
import { listDataKeys } from "#storage/data-keys";

const About = z
  .object({
    version: z.string().meta({ description: "The release of this process", example: "0.1.0" }),
    node: z.string().meta({ description: "The version of Node.js", example: "24.22.1" }),
    database: z.enum(["sqlite", "postgres"]).describe("The database in use"),
    data_keys: z
      .array(
        z.object({
          purpose: z.string().meta({ description: "What the key encrypts", example: "connection" }),
          version: z
            .int()
            .describe("The highest version of a purpose encrypts new values; older versions only decrypt"),
          wrapped_by: z.string().describe("Digest of the key file that wraps this data key"),
          values: z
            .int()
            .nullable()
            .describe(
              "Number of values encrypted with it; for the pepper, number of verifiers. Null: not counted. An older version with 0 values is no longer needed",
            ),
          created_at: createdAt,
        }),
      )
      .describe("The data keys in use, by purpose and version, without key material"),
    client_id_documents: z
      .object({
        advertised: z.boolean().describe("Whether the metadata for MCP clients advertises such documents"),
        tested_url: z.string().nullable().meta({
          description: "The URL that was fetched or tested last. Null: none",
          example: "https://client.example/oauth.json",
        }),
        tested_at: timestamp("When it was fetched or tested. Null: never").nullable(),
        error: z.string().nullable().describe("Why it could not be fetched. Null: it could, or was not tested"),
      })
      .describe("Whether client ID metadata documents can be fetched, see the setting `client_id_documents`"),
    warnings: z
      .array(z.string().meta({ example: "X-Forwarded-For of 10.0.0.7 is ignored." }))
      .describe("Settings of this process that need attention"),
  })
  .meta({ id: "About", description: "Version, runtime, database, data keys, and warnings of this installation" });

/** Payloads of calls are stored in a separate database and expire within days. */
const UNCOUNTED = ["call-payload"];

export const getAbout = read({
  id: "getAbout",
  route: "GET /api/about",
  tag: "Settings",
  summary: "Get the version, runtime, and data keys",
  scope: "admin:read",
  answers: { 200: z.object({ data: About }) },
  refusals: [],
  onCrash: "Failed to retrieve information about this installation",
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
    const warning = context.proxyWarning();
    const warnings = warning === undefined ? [] : [warning];
    const { isAdvertised, state } = await context.documents.status();
    const client_id_documents = {
      advertised: isAdvertised,
      tested_url: state?.url ?? null,
      tested_at: state ? isoTime(state.testedAt) : null,
      error: state?.reason ?? null,
    };
    const runtime = { version, node: process.versions.node, database: databases.dialect };
    const data = { ...runtime, data_keys, client_id_documents, warnings };
    return { status: 200, body: { data } };
  },
});
