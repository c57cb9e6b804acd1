import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Environment, readConfig } from "./config.ts";
import { SETTING_NAMES, SETTINGS } from "./setting-list.ts";

/** Local servers inherit them; they do not configure the service. */
const INHERITED = ["PATH", "HOME", "LANG"];

/** Settings of earlier releases, which stop the start with a message (decision 0180). */
const REMOVED = ["AUDIT_FILE"];

/** The names that readConfig looks up with these variables set. */
function namesRead(environment: Environment): Set<string> {
  const names = new Set<string>();
  const recording = new Proxy(environment, {
    get(target, name) {
      names.add(String(name));
      return Reflect.get(target, name);
    },
  });
  readConfig(recording);
  return names;
}

describe("the list of settings", () => {
  it("has every environment variable that the configuration reads, and no other", () => {
    const traced = { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "5" };
    const read = namesRead(traced).union(namesRead({ OTEL_TRACES_EXPORTER: "otlp" }));
    for (const name of [...INHERITED, ...REMOVED]) read.delete(name);
    assert.deepEqual([...read].sort(), [...SETTING_NAMES].sort());
  });

  it("states the defaults that the configuration has", () => {
    const defaults = SETTINGS.flatMap(({ name, default: value }) => {
      const isValue = value !== undefined && !/ |BASE_URL|OTEL_/.test(value);
      return isValue ? [[name, value] as const] : [];
    });
    assert.ok(defaults.length > 15);
    const { traces: _off, ...withDefaults } = readConfig(Object.fromEntries(defaults));
    const { traces: _none, ...without } = readConfig({});
    assert.deepEqual(withDefaults, without);
  });
});
