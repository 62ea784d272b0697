import { describe, expect, test } from "bun:test";
import { ConfigError, loadConfig } from "../../src/config.ts";
import { readTracing } from "../../src/tracing/tracing-variables.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
const usual = { sampler: { followsParent: true, ratio: 1 }, batch: {} };

test.each([
  ["the endpoint", endpoint],
  ["the endpoint of traces alone", { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://otel.example.com/v1/traces" }],
])("%s turns the export on", (_, env) => {
  expect(readTracing(env)).toEqual({ settings: usual, problems: [], warnings: [] });
});

test.each([
  ["no endpoint", {}],
  ["OTEL_SDK_DISABLED", { ...endpoint, OTEL_SDK_DISABLED: "True" }],
  ["OTEL_TRACES_EXPORTER=none", { ...endpoint, OTEL_TRACES_EXPORTER: "none" }],
])("%s turns it off", (_, env) => {
  expect(readTracing(env).settings).toBeUndefined();
});

test("the program does not start with an endpoint that is no address, of which the message says nothing", () => {
  const start = () => loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "secret@collector:4318" });
  expect(start).toThrow(ConfigError);
  expect(start).toThrow("- OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https address.");
  expect(start).not.toThrow("secret");
});

describe("the sampler", () => {
  const samplerOf = (env: Record<string, string>) => readTracing({ ...endpoint, ...env }).settings?.sampler;

  test.each([
    ["always_on", undefined, { followsParent: false, ratio: 1 }],
    ["always_off", undefined, { followsParent: false, ratio: 0 }],
    ["traceidratio", "0.25", { followsParent: false, ratio: 0.25 }],
    ["traceidratio", undefined, { followsParent: false, ratio: 1 }],
    ["parentbased_always_on", undefined, { followsParent: true, ratio: 1 }],
    ["parentbased_always_off", undefined, { followsParent: true, ratio: 0 }],
    ["parentbased_traceidratio", "0", { followsParent: true, ratio: 0 }],
  ])("%s with %p", (name, argument, expected) => {
    expect(samplerOf({ OTEL_TRACES_SAMPLER: name, ...(argument && { OTEL_TRACES_SAMPLER_ARG: argument }) })).toEqual(
      expected,
    );
  });

  test.each([
    [{ OTEL_TRACES_SAMPLER: "xray" }, "OTEL_TRACES_SAMPLER is no sampler"],
    [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" }, "OTEL_TRACES_SAMPLER_ARG is not a number"],
    [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "x" }, "OTEL_TRACES_SAMPLER_ARG is not a number"],
  ])("ignores %j with a warning", (env, warning) => {
    expect(samplerOf(env)?.ratio).toBe(1);
    expect(loadConfig({ ...endpoint, ...env }).warnings).toEqual([expect.stringContaining(warning)]);
  });
});

test("the queue is as the variables say, and one that is not valid is ignored with a warning", () => {
  const { settings, warnings } = readTracing({
    ...endpoint,
    OTEL_BSP_SCHEDULE_DELAY: "100",
    OTEL_BSP_MAX_QUEUE_SIZE: "10",
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "-1",
  });
  expect(settings?.batch).toEqual({ scheduledDelayMillis: 100, maxQueueSize: 10 });
  expect(warnings).toEqual(["OTEL_BSP_MAX_EXPORT_BATCH_SIZE is not a whole number above 0. It is ignored."]);
});

test("another protocol than the one that is used is said", () => {
  expect(readTracing({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }).warnings).toEqual([
    expect.stringContaining("http/json"),
  ]);
  expect(readTracing({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }).warnings).toEqual([]);
});
