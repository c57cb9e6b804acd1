import { after, describe } from "node:test";
import { Api } from "./api.ts";
import { givenTarget, SPAWNED, type Target } from "./target.ts";

/** Registers the suite once per installation, and deletes what it created. */
export function forEachTarget(name: string, suite: (api: Api) => void): void {
  for (const target of targets()) {
    describe(`${name} (${target.name})`, () => {
      const api = new Api(target);
      suite(api);
      after(() => api.cleanUp());
    });
  }
}

function targets(): readonly Target[] {
  const given = givenTarget();
  if (given) return [given];
  const spawned = process.env[SPAWNED];
  if (spawned) return JSON.parse(spawned);
  throw new Error(
    "nothing to judge: run `npm test -- acceptance/…`, which starts installations, or give ACCEPTANCE_URL",
  );
}
