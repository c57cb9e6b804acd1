import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  headersOf,
  modelBody,
  NEW_PROVIDER,
  newProvider,
  providerBody,
  providerField,
  providerProblems,
  scriptOf,
} from "./provider-values.ts";

describe("values of the provider form", () => {
  it("reads headers line by line, and removes those without a value", () => {
    assert.deepEqual(headersOf("X-Team: a: b\n\nX-Old:\nX-Older"), {
      "X-Team": "a: b",
      "X-Old": null,
      "X-Older": null,
    });
    assert.equal(headersOf("two words: x"), undefined);
    assert.equal(headersOf(": x"), undefined);
  });

  it("reads a script only if it is an array", () => {
    assert.deepEqual(scriptOf('[{"text":"x"}]'), [{ text: "x" }]);
    assert.deepEqual(scriptOf(" "), []);
    assert.equal(scriptOf('{"text":"x"}'), undefined);
    assert.equal(scriptOf("[,"), undefined);
  });

  it("names the fields that cannot be sent", () => {
    const values = { ...NEW_PROVIDER, type: "openai-compatible" as const, headers: "no name here" };
    assert.deepEqual(Object.keys(providerProblems(values)), ["model", "base_url", "headers"]);
    assert.deepEqual(Object.keys(providerProblems({ ...NEW_PROVIDER, type: "scripted", model: "x", script: "x" })), [
      "script",
    ]);
  });

  it("starts with the default of the installation if there is one, and sends null for it", () => {
    const installed = { type: "openai" as const, model: "m", base_url: null, has_api_key: true };
    assert.equal(newProvider(null).type, "anthropic");
    const values = newProvider(installed);
    assert.deepEqual([values.type, providerBody(values), modelBody(values)], ["default", null, null]);
    assert.deepEqual(providerProblems(values), {});
    assert.equal(modelBody({ ...values, model: " own " }), "own");
    assert.equal(providerField("provider"), "type");
  });

  it("sends secrets only if they were entered", () => {
    const values = { ...NEW_PROVIDER, model: "m", base_url: " https://m.example " };
    assert.deepEqual(providerBody(values), { type: "anthropic", base_url: "https://m.example" });
    assert.deepEqual(providerBody({ ...values, api_key: "k", headers: "A: b" }), {
      ...{ type: "anthropic", base_url: "https://m.example", api_key: "k", headers: { A: "b" } },
    });
  });

  it("maps messages about entries to the field of the form", () => {
    assert.equal(providerField("provider.script.0.tool"), "script");
    assert.equal(providerField("provider.headers.Host"), "headers");
    assert.equal(providerField("provider.base_url"), "base_url");
  });
});
