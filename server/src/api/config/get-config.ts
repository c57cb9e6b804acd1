import { z } from "zod";
import { read } from "#api/kit/operation";
import type { ConfigObject, Kind } from "./kind.ts";
import { KINDS } from "./kinds/index.ts";
import { replaceSecrets } from "./plan.ts";
import { refuseOversized } from "./refuse-oversized.ts";
import { ConfigShape } from "./schema.ts";

/** F26. */
export const getConfig = read({
  id: "getConfig",
  route: "GET /api/config",
  tag: "Configuration",
  summary: "Export the configuration",
  description:
    "Everything that files can declare, ordered by kind and key. Secrets are references to environment variables, which `secrets` lists; `gatehouse export` writes the result to YAML files.",
  scope: "admin:read",
  answers: {
    200: z.object({
      data: z.object({
        config: ConfigShape,
        secrets: z.array(z.string()).describe("Names of the environment variables that the references need"),
      }),
    }),
  },
  refusals: [409],
  onCrash: "Failed to export the configuration",
  async run({ db, invoke, context }) {
    const references = new References();
    const config: Record<string, ConfigObject[]> = {};
    for (const kind of KINDS) {
      const objects = await kind.read({ db, invoke, context });
      const sorted = objects.toSorted((a, b) => (String(a[kind.key]) < String(b[kind.key]) ? -1 : 1));
      config[kind.name] = sorted.map((object) => references.replaceIn(kind, object));
    }
    refuseOversized(config);
    return { status: 200, body: { data: { config, secrets: references.names } } };
  },
});

/** The same secret has the same name in each export. */
class References {
  readonly #names = new Set<string>();

  get names(): string[] {
    return [...this.#names].sort();
  }

  replaceIn(kind: Kind, object: ConfigObject): ConfigObject {
    return replaceSecrets(
      kind,
      object,
      (path) => `\${env:${this.#nameFor(`${kind.name}_${object[kind.key]}_${path}`)}}`,
    );
  }

  #nameFor(text: string): string {
    const base = text.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
    let name = base;
    for (let n = 2; this.#names.has(name); n++) name = `${base}_${n}`;
    this.#names.add(name);
    return name;
  }
}
