import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from "kysely";
import type { MainDb } from "#storage/database";

export interface Disturbance {
  /** If this throws, the query fails with the error. */
  beforeQuery?(): void;
  beforeAnswer?(): void;
}

/** The same database with disturbed queries. */
export function disturbed(db: MainDb, disturbance: Disturbance): MainDb {
  return db.withPlugin(new DisturbingPlugin(disturbance));
}

class DisturbingPlugin implements KyselyPlugin {
  readonly #disturbance: Disturbance;

  constructor(disturbance: Disturbance) {
    this.#disturbance = disturbance;
  }

  transformQuery({ node }: PluginTransformQueryArgs): PluginTransformQueryArgs["node"] {
    this.#disturbance.beforeQuery?.();
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<PluginTransformResultArgs["result"]> {
    this.#disturbance.beforeAnswer?.();
    return result;
  }
}
