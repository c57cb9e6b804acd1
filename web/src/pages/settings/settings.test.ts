import assert from "node:assert/strict";
import { it } from "node:test";
import { SETTINGS } from "#openapi/constants";
import { changesOf, defaultAndRange, rangeErrors, type SettingName, type Settings, valuesOf } from "./settings.ts";

const NAMES = Object.keys(SETTINGS) as SettingName[]; // the keys of a constant
const settings = {
  ...Object.fromEntries(NAMES.map((name) => [name, SETTINGS[name].default])),
  sso: null,
} as unknown as Settings; // the defaults are valid settings

it("sends only changed settings and restores defaults for empty fields", () => {
  const values = valuesOf(settings, ["audit_retention_days", "call_log_retention_days", "help_contact"]);
  assert.deepEqual(changesOf(settings, values), {});
  const changed = {
    ...values,
    audit_retention_days: 30,
    call_log_retention_days: "",
    help_contact: " it@example.com ",
  };
  assert.deepEqual(changesOf(settings, changed), {
    audit_retention_days: 30,
    call_log_retention_days: null,
    help_contact: "it@example.com",
  });
});

it("reports numbers outside their range at their field", () => {
  assert.deepEqual(rangeErrors({ audit_retention_days: 29, call_log_retention_days: 1, payload_capture: "off" }), {
    audit_retention_days: "Enter a number from 30 to 3,650",
  });
});

it("describes the default and the range of every setting", () => {
  assert.equal(defaultAndRange("audit_retention_days"), "Default: 365 days. Allowed: 30 to 3,650.");
  assert.equal(defaultAndRange("payload_capture"), "Default: Metadata.");
  for (const name of NAMES) assert.match(defaultAndRange(name) ?? "", /^Default: /, name);
});
