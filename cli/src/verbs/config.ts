import type { Schemas } from "#openapi/types";
import { type Config, type ConfigFiles, readConfigFiles, writeConfigFiles } from "../config-files.ts";
import { badUsage, EXIT, Failure, failureOf } from "../failure.ts";
import type { Output } from "../output.ts";
import { verb, YES } from "../verb.ts";

type Step = Schemas["ConfigStep"];

const TIMEOUT_SECONDS = 300;
const PRUNE = { type: "flag", description: "delete objects of the declared kinds that no file declares" } as const;

export const exportConfig = verb({
  description: "Write the configuration to YAML files in a folder, one file per kind; secrets are references",
  args: ["folder"],
  options: { force: { type: "flag", description: "replace files that have other content" } },
  example: "gatehouse export gatehouse-config",
  timeoutSeconds: TIMEOUT_SECONDS,
  async run({ api, args, options, out }) {
    const { data } = await api().getConfig();
    // The document declares objects of any kind.
    const files = await writeConfigFiles(args.folder, data.config as Config, options.force ?? false);
    for (const file of files) out.text(file);
    out.say(
      files.length === 0 ? "No file changed." : `Wrote ${files.length === 1 ? "1 file" : `${files.length} files`}.`,
    );
    if (data.secrets.length > 0) {
      out.say(`Secrets are not exported. Set these variables for plan and apply: ${data.secrets.join(", ")}`);
    }
  },
});

export const planConfig = verb({
  description: "Show what apply would change; exits with 2 if there are changes",
  args: ["folder"],
  options: { prune: PRUNE },
  example: "gatehouse plan gatehouse-config",
  timeoutSeconds: TIMEOUT_SECONDS,
  async run({ api, args, options, out, variable, url }) {
    const { config, explain } = await readConfigFiles(args.folder, variable);
    const body = { config, prune: options.prune ?? false };
    const { data: steps } = await orFailed(url, () => api().planConfig({ body }), explain);
    showSteps(out, steps);
    if (steps.length > 0)
      throw new Failure(
        EXIT.changes,
        `${count(steps.length)}. To make ${steps.length === 1 ? "it" : "them"}, run gatehouse apply.`,
      );
  },
});

export const applyConfig = verb({
  description: "Make the installation equal to the files in a folder, in one transaction",
  args: ["folder"],
  options: { prune: PRUNE, yes: YES },
  example: "gatehouse apply gatehouse-config --prune --yes",
  timeoutSeconds: TIMEOUT_SECONDS,
  async run({ api, args, options, out, variable, url, confirm }) {
    const { config, explain } = await readConfigFiles(args.folder, variable);
    const body = { config, prune: options.prune ?? false };
    const client = api();
    const apply = async (planned?: readonly Step[]) =>
      (await orFailed(url, () => client.applyConfig({ body: { ...body, ...(planned && { planned }) } }), explain)).data;
    if (options.yes) {
      const made = await apply();
      showSteps(out, made);
      if (made.length > 0) out.say(`Made ${count(made.length)}.`);
      return;
    }
    const planned = (await orFailed(url, () => client.planConfig({ body }), explain)).data;
    showSteps(out, planned);
    if (planned.length > 0) await confirm(`Make ${count(planned.length)}?`);
    await apply(planned);
    if (planned.length > 0) out.say(`Made ${count(planned.length)}.`);
  },
});

export const releaseFromFiles = verb({
  description: "Allow changes outside of files to an object that apply manages, until the next apply",
  args: ["kind", "key"],
  example: "gatehouse release groups Engineering",
  async run({ api, args, out }) {
    await api().releaseFromFiles({ body: { kind: args.kind, key: args.key } });
    out.say(`Released ${args.kind} ${args.key} from files.`);
  },
});

/** Exit code 64 for an error in a file, and otherwise 1 for every failure, because 2 means changes. */
async function orFailed<Result>(
  url: string,
  work: () => Promise<Result>,
  explain: ConfigFiles["explain"],
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const failure = failureOf(error, url);
    const inFile = failure && explain(failure.message);
    if (inFile !== undefined) throw badUsage(inFile);
    throw failure && failure.exitCode !== EXIT.usage ? new Failure(EXIT.failed, failure.message) : error;
  }
}

const SIGNS = { create: "+", update: "~", delete: "-" } as const;

function showSteps(out: Output, steps: readonly Step[]): void {
  if (out.json) return out.record(steps);
  if (steps.length === 0) return out.say("No changes.");
  for (const { action, kind, key, changes } of steps) {
    out.text(`${SIGNS[action]} ${kind} ${key}`);
    if (action !== "update") continue;
    for (const { field, before, after } of changes) {
      out.text(`    ${field}: ${short(before)} → ${short(after)}`);
    }
  }
}

function short(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function count(n: number): string {
  return n === 1 ? "1 change" : `${n} changes`;
}
