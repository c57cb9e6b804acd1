import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { z } from "zod";

const MIN_CONNECTORS = 80;
const MIN_WITH_TOOLS = 86;

const CATEGORIES = [
  "AI",
  "Automation",
  "Commerce",
  "Communication",
  "Data and analytics",
  "Databases",
  "Design and media",
  "Developer tools",
  "Documentation",
  "Finance and payments",
  "Infrastructure and monitoring",
  "Knowledge and files",
  "Productivity",
  "Sales and marketing",
  "Search and research",
  "Security",
  "Travel and leisure",
  "Websites and content",
] as const;

const line = z.string().regex(/^\S.*\S$/, "must be one line without surrounding spaces");
const sentence = line.max(140).endsWith(".");
const url = z.url({ protocol: /^https$/ });

const Connector = z.strictObject({
  name: line.max(60),
  description: sentence,
  website: url.optional(),
  category: z.enum(CATEGORIES).optional(),
  status: z.enum(["active", "beta", "soon"]).optional(),
  url: url.optional(),
  transport: z.enum(["http", "sse", "both"]).optional(),
  authTypes: z
    .array(z.enum(["proxy-oauth", "proxy-api-key", "none"]))
    .nonempty()
    .optional(),
  headerName: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .optional(),
  headerPrefix: z.string().max(20).optional(),
  setup: sentence.optional(),
  toolsSource: z.strictObject({ name: line, asOf: line.optional(), partial: z.literal(true).optional() }).optional(),
  tools: z
    .array(z.strictObject({ name: line, description: sentence }))
    .nonempty()
    .optional(),
  featured: z.literal(true).optional(),
  icon: z
    .string()
    .regex(/^[a-z0-9]+$/)
    .optional(),
});

const folder = new URL("connectors/", import.meta.url);
const files = readdirSync(folder);
const connectors = files.map((file) => {
  const parsed = Connector.safeParse(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
  return { id: file.replace(/\.json$/, ""), file, parsed };
});
const entries = connectors.flatMap(({ id, parsed }) => (parsed.success ? [{ id, ...parsed.data }] : []));

describe("the built-in catalog", () => {
  it(`has at least ${MIN_CONNECTORS} connectors`, () =>
    assert.ok(entries.length >= MIN_CONNECTORS, `${entries.length}`));

  it("names the source of each list of tools, without duplicate names", () => {
    const wrong = entries.filter(
      ({ tools, toolsSource }) =>
        (tools === undefined) !== (toolsSource === undefined) ||
        new Set(tools?.map(({ name }) => name)).size !== (tools?.length ?? 0),
    );
    assert.deepEqual(
      wrong.map(({ id }) => id),
      [],
    );
  });

  it(`knows the tools of at least ${MIN_WITH_TOOLS} connectors`, () =>
    assert.ok(entries.filter(({ tools }) => tools).length >= MIN_WITH_TOOLS));

  it("contains only valid connectors", () => {
    const errors = connectors.flatMap(({ file, parsed }) =>
      parsed.success ? [] : [`${file}: ${z.prettifyError(parsed.error)}`],
    );
    assert.deepEqual(errors, []);
  });

  it("uses IDs that are valid slugs as file names (D5)", () => {
    const wrong = files.filter((file) => !/^(?!-)[a-z0-9-]{1,40}(?<!-)\.json$/.test(file));
    assert.deepEqual(wrong, []);
  });

  it("has unique names and URLs", () => {
    assert.deepEqual(repeated(entries.map(({ name }) => name.toLowerCase())), []);
    assert.deepEqual(repeated(entries.flatMap(({ url }) => (url === undefined ? [] : [normalize(url)]))), []);
  });

  it("has setup instructions exactly if there is no URL", () => {
    const mismatched = entries.filter(({ url, setup }) => (url === undefined) !== (setup !== undefined));
    assert.deepEqual(ids(mismatched), []);
  });

  it("has the logos of exactly the icons in use (npm run logos)", () => {
    const logos = JSON.parse(readFileSync(new URL("logos.json", import.meta.url), "utf8"));
    const icons = new Set(entries.flatMap(({ icon }) => icon ?? []));
    assert.deepEqual(Object.keys(logos), [...icons].sort());
  });

  it("has a transport only with a URL, and a header only with an API key", () => {
    assert.deepEqual(ids(entries.filter(({ url, transport }) => transport !== undefined && url === undefined)), []);
    const keyless = entries.filter(({ authTypes }) => !authTypes?.includes("proxy-api-key"));
    assert.deepEqual(ids(keyless.filter((each) => "headerName" in each || "headerPrefix" in each)), []);
  });
});

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

function ids(some: readonly { id: string }[]): string[] {
  return some.map(({ id }) => id);
}

function normalize(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname.replace(/\/+$/, "") + search;
}
