import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BadSetting } from "#lib/bad-setting";
import { readTraceSettings } from "./trace-settings.ts";

const read = (environment: Record<string, string>) => {
  const get = (name: string) => environment[name];
  return readTraceSettings(get, get);
};
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

describe("readTraceSettings", () => {
  it("exports only if a collector or the exporter is set, and not if disabled", () => {
    assert.equal(read({}), undefined);
    assert.equal(read({ OTEL_SERVICE_NAME: "x" }), undefined);
    assert.equal(read({ ...ENDPOINT, OTEL_TRACES_EXPORTER: "none" }), undefined);
    assert.equal(read({ ...ENDPOINT, OTEL_SDK_DISABLED: "true" }), undefined);
    assert.equal(read({ OTEL_TRACES_EXPORTER: "otlp" })?.url, "http://localhost:4318/v1/traces");
  });

  it("reads OpenTelemetry's variables, with those for traces taking precedence", () => {
    const { url, headers, timeoutMs, attributes } =
      read({
        ...ENDPOINT,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example.com/in",
        OTEL_EXPORTER_OTLP_HEADERS: "a=1,b=x%2Cy",
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=2",
        OTEL_EXPORTER_OTLP_TIMEOUT: "500",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=prod,service.name=x",
        OTEL_SERVICE_NAME: "gate",
      }) ?? {};
    assert.equal(url, "https://traces.example.com/in");
    assert.deepEqual(headers, { a: "2", b: "x,y" });
    assert.equal(timeoutMs, 500);
    assert.deepEqual(attributes, { "service.name": "gate", "deployment.environment.name": "prod" });
    assert.equal(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:1/base/" })?.url, "http://c:1/base/v1/traces");
  });

  it("rejects invalid values without repeating headers", () => {
    for (const [name, value] of [
      ["OTEL_TRACES_EXPORTER", "zipkin"],
      ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317"],
      ["OTEL_EXPORTER_OTLP_TIMEOUT", "soon"],
      ["OTEL_EXPORTER_OTLP_HEADERS", "topsecret"],
      ["OTEL_EXPORTER_OTLP_HEADERS", "a=topsecret%0d%0a"],
      ["OTEL_RESOURCE_ATTRIBUTES", "a=%"],
      ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
    ] as const) {
      assert.throws(
        () => read({ ...ENDPOINT, [name]: value }),
        (error) => error instanceof BadSetting && error.message.startsWith(name) && !/topsecret/.test(error.message),
        name,
      );
    }
    const ratio = { ...ENDPOINT, OTEL_TRACES_SAMPLER: "traceidratio" };
    assert.ok(read({ ...ratio, OTEL_TRACES_SAMPLER_ARG: "0.1" }));
    assert.throws(() => read({ ...ratio, OTEL_TRACES_SAMPLER_ARG: "2" }), BadSetting);
  });
});
