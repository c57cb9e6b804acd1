import { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { choice, flag, requiredText, text } from "#api/kit/body-fields";
import { read } from "#api/kit/operation";
import { contextsOf } from "#discovery/decide";
import { discoveredEndpoint } from "#discovery/known-facts";
import { invalid, notFound } from "#lib/errors";
import { evaluateWithTrace } from "#policy/evaluate";
import { serverFacts, skillFacts } from "#policy/facts";
import { fingerprintOf } from "#policy/normalize-server";
import type { ItemFacts, PolicyContext } from "#policy/policy-types";
import { TRANSPORTS } from "#policy/types";
import { findDevice, findItem } from "#records/discovery";
import { groupsOfUsers } from "#records/groups";
import { findUser } from "#records/users";
import type { MainDb } from "#storage/database";
import { type DiscoveryItemRow, POLICY_ACTIONS, REVIEW_STATUSES } from "#storage/discovery-tables";
import { riskScore } from "./schema.ts";

const MOST_ITEMS = 500;
const some = (what: string, length = 2_000) => text(length).optional().describe(what);

const texts = (length: number, most: number) =>
  z.array(text(length), { error: "must be an array" }).max(most, { error: `must contain at most ${most} values` });

const Item = z
  .object(
    {
      kind: z
        .enum(["mcp_server", "skill"], {
          error: ({ input }) => (input === undefined ? "kind is required" : "must be one of mcp_server, skill"),
        })
        .describe("The kind of item"),
      name: some("The name"),
      fingerprint: some("The fingerprint of a discovered MCP server"),
      digest: some("The digest of a skill"),
      transport: choice(TRANSPORTS).optional().describe("The transport. Default: by URL and command"),
      url: some("The URL of a remote server"),
      command: some("The program of a local server"),
      args: texts(2_000, 256).optional().describe("Its arguments"),
      env_keys: texts(256, 256).optional().describe("Names of variables that the client sets for it"),
      package: some("The package, such as `npm:@acme/server`. Default: by command and arguments"),
      publisher: some("The publisher. Default: by package and host"),
      client: some("The client"),
      scope: some("The scope"),
      has_scripts: flag().optional().describe("Whether a skill contains scripts"),
      issues: texts(64, 64).optional().describe("Problems of a skill's text"),
      managed: flag().optional().describe("Default: by URL or digest"),
      registered: flag().optional().describe("Default: by URL or digest"),
      in_registry: flag().optional().describe("Default: by URL"),
      unpinned: flag().optional().describe("Default: by the package's version"),
      risk: riskScore().optional().describe("Default: computed"),
      review_status: choice(REVIEW_STATUSES).optional().describe("Default: of the discovered item"),
    },
    { error: "must be an object" },
  )
  .describe("An item. Facts that are missing are derived from the others and from the inventory");
type GivenItem = z.output<typeof Item>;

const EvaluateBody = z
  .object({
    item: Item.optional(),
    items: z
      .array(Item, { error: "must be an array" })
      .max(MOST_ITEMS, { error: `must contain at most ${MOST_ITEMS} items` })
      .optional()
      .describe("Several items"),
    device_id: requiredText("device_id", 300).optional().describe("The device"),
    email: requiredText("email", 254).optional().describe("The user, if it is not the device's"),
  })
  .meta({
    id: "EvaluateDiscoveryPolicy",
    description: "What to evaluate: `item` or `items`",
    example: { item: { kind: "mcp_server", name: "github", url: "https://mcp.example.com/mcp" } },
  });

const Decision = z
  .object({
    action: z.enum(POLICY_ACTIONS).describe("What the policy decides"),
    rule_id: z.string().nullable().describe("The rule; `managed`: it is managed here; null: the default action"),
    rule_name: z.string().nullable().describe("The name of the rule"),
    reason: z.string().describe("Why, in one sentence"),
    message: z.string().nullable().describe("The rule's message to the user"),
    policy_version: z.int().describe("The version of the policy"),
    trace: z
      .array(
        z.object({
          rule_id: z.string().describe("The rule"),
          matched: z.boolean().describe("Whether it decided"),
          failed_condition: z
            .string()
            .nullable()
            .describe("The first condition that did not hold, or `disabled`, `expired` or `kind`"),
        }),
      )
      .describe("Rules in the order in which they were tried"),
  })
  .meta({ id: "PolicyDecision", description: "A decision, with its explanation" });

/** Families 10, F48. */
export const evaluateDiscoveryPolicy = read({
  id: "evaluateDiscoveryPolicy",
  route: "POST /api/ai-discovery-policy/evaluate",
  tag: "AI Discovery Policy",
  summary: "Evaluate the AI discovery policy",
  description:
    "Decides about items that need not exist, and explains why. `data` is a decision for `item`, and a list of decisions for `items`.",
  scope: "admin:read",
  body: EvaluateBody,
  answers: { 200: z.object({ data: z.union([Decision, z.array(Decision)]).describe("One decision, or several") }) },
  refusals: [400, 404],
  onCrash: "Failed to evaluate the policy",
  async run({ db, body, context }) {
    const { item, items } = body;
    if (item === undefined && items === undefined) throw invalid("item", "item is required");
    const current = await context.discovery.policy(db);
    const who = await contextOf(db, body, context.clock.now());
    const decide = async (given: GivenItem) =>
      evaluateWithTrace(current.compiled, await factsOf(db, given, context), who);
    if (item !== undefined) return { status: 200, body: { data: presentDecision(await decide(item)) } };
    const data = [];
    for (const each of items ?? []) data.push(presentDecision(await decide(each)));
    return { status: 200, body: { data } };
  },
});

function presentDecision({ trace, ...decision }: ReturnType<typeof evaluateWithTrace>): z.input<typeof Decision> {
  return { ...decision, trace: trace.map((step) => ({ ...step })) };
}

async function contextOf(
  db: MainDb,
  { device_id: deviceId, email }: z.output<typeof EvaluateBody>,
  now: number,
): Promise<PolicyContext> {
  const device = deviceId === undefined ? undefined : await findDevice(db, deviceId);
  if (deviceId !== undefined && !device) throw notFound.device();
  const withGroups = { deviceConditions: ["groups"] } as const;
  const [ofDevice] = device ? [...(await contextsOf(db, [device], now, withGroups)).values()] : [];
  if (email === undefined) return ofDevice ?? { now };
  const user = await findUser(db, email);
  const groups = user ? ((await groupsOfUsers(db, [user.id])).get(user.id) ?? []) : [];
  return { ...(ofDevice ?? { now }), user: email, groups: groups.map(({ name }) => name) };
}

async function factsOf(db: MainDb, given: GivenItem, context: ApiContext): Promise<ItemFacts> {
  const derived = given.kind === "skill" ? await skillOf(db, given, context) : await serverOf(db, given, context);
  const explicit = {
    ...(given.package !== undefined && { package: given.package, also: undefined }),
    ...(given.publisher !== undefined && { publishers: [given.publisher] }),
    ...(given.managed !== undefined && { managed: given.managed }),
    ...(given.registered !== undefined && { registered: given.registered }),
    ...(given.in_registry !== undefined && { in_registry: given.in_registry }),
    ...(given.unpinned !== undefined && { unpinned: given.unpinned }),
  };
  return { ...derived, ...explicit };
}

/** What the server runs or connects to, as given or as it was discovered. */
function targetOf(given: GivenItem, found: DiscoveryItemRow | undefined) {
  const url = given.url ?? textOf(found?.facts.url);
  const command = given.command ?? textOf(found?.facts.command);
  const known = TRANSPORTS.find((each) => each === found?.transport);
  return {
    transport: given.transport ?? known ?? (url === undefined ? ("stdio" as const) : ("http" as const)),
    ...(url !== undefined && { url }),
    ...(command !== undefined && { command, args: given.args ?? [], env_keys: given.env_keys ?? [] }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

async function serverOf(db: MainDb, given: GivenItem, { discovery }: ApiContext): Promise<ItemFacts> {
  const found = given.fingerprint === undefined ? undefined : await findItem(db, "mcp_server", given.fingerprint);
  const target = targetOf(given, found);
  const fingerprint = given.fingerprint ?? fingerprintOf(target);
  const item = found ?? (await findItem(db, "mcp_server", fingerprint));
  const endpoint_key = discoveredEndpoint("url" in target ? target.url : undefined);
  const known = await discovery.known(db, [{ kind: "mcp_server", key: fingerprint, endpoint_key }]);
  const facts = serverFacts(
    {
      ...{ name: given.name ?? found?.name ?? "", fingerprint, ...target },
      ...(given.client !== undefined && { client: given.client }),
      ...(given.scope !== undefined && { scope: given.scope as never }),
    },
    discovery.gatewayUrls,
    {
      registered: known.slugOf(endpoint_key) !== undefined,
      in_registry: known.registryIdOf(endpoint_key) !== undefined,
      review_status: given.review_status ?? item?.review_status ?? "unreviewed",
      ...(given.risk !== undefined && { risk: given.risk }),
    },
  );
  return { ...facts, package: facts.package ?? textOf(found?.facts.package), also: facts.also ?? storedParts(found) };
}

/** Written from the facts of a checked report. */
function storedParts(found: DiscoveryItemRow | undefined): ItemFacts["also"] {
  return found?.facts.also as ItemFacts["also"];
}

async function skillOf(db: MainDb, given: GivenItem, { discovery }: ApiContext): Promise<ItemFacts> {
  const digest = given.digest ?? "";
  const item = await findItem(db, "skill", digest);
  const known = await discovery.known(db, [{ kind: "skill", key: digest, endpoint_key: null }]);
  const managed = known.isOwnSkill(digest);
  return skillFacts(
    {
      ...{ name: given.name ?? item?.name ?? "", digest, issues: given.issues ?? [] },
      has_scripts: given.has_scripts ?? item?.facts.has_scripts === true,
      ...(given.client !== undefined && { client: given.client }),
      ...(given.scope !== undefined && { source: given.scope as never }),
    },
    managed ? [digest] : [],
    {
      registered: managed,
      review_status: given.review_status ?? item?.review_status ?? "unreviewed",
      ...(given.risk !== undefined && { risk: given.risk }),
    },
  );
}
