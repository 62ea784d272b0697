import { afterEach, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stretched } from "../support/limits.ts";
import { newCollector } from "./collector.ts";
import { signUp } from "./over-http.ts";
import { endProcesses, newFolder, run, startServer, stop, urlOf } from "./processes.ts";
import { bunFromSource } from "./runtimes.ts";
import { exportingTo, playTheTraces } from "./trace-story.ts";
import { withDelivery } from "./with-delivery.ts";

afterEach(endProcesses);

test("a request and its webhook are one trace, on Bun from source", () => playTheTraces(bunFromSource), 60_000);

/** @returns an environment in which a process says at its end how many modules of OpenTelemetry it has loaded */
async function countingModules(): Promise<Record<string, string>> {
  const file = join(await newFolder(), "count-modules.ts");
  await writeFile(
    file,
    'const loaded = () => Object.keys(require.cache).filter((path) => path.includes("@opentelemetry")).length;\n' +
      'process.on("exit", () => console.log("modules", loaded(), Object.keys(require.cache).length));\n',
  );
  return { BUN_OPTIONS: `--preload=${file}` };
}

const counted = (stdout: string) => (/^modules (\d+) (\d+)$/m.exec(stdout) ?? []).slice(1).map(Number);

test("without an endpoint, a server loads no module of OpenTelemetry", async () => {
  const server = await startServer({ ...(await countingModules()), OTEL_SERVICE_NAME: "school" }, bunFromSource);
  await signUp(await urlOf(server), "olga@none.example");
  const [libraries, all = 0] = counted((await stop(server)).stdout);
  expect(libraries).toBe(0);
  expect(all).toBeGreaterThan(500);

  const collector = await newCollector();
  const exporting = await startServer({ ...(await countingModules()), ...exportingTo(collector) }, bunFromSource);
  await urlOf(exporting);
  expect(counted((await stop(exporting)).stdout)[0]).toBeGreaterThan(100);
}, 60_000);

test("a sampler that takes none exports none, and the log has the requests all the same", async () => {
  const collector = await newCollector();
  const server = await startServer({ ...exportingTo(collector), OTEL_TRACES_SAMPLER: "always_off" });
  await signUp(await urlOf(server), "olga@off.example");
  const { stdout } = await stop(server);
  expect(stdout).toContain('"route":"/auth/signup-org"');
  expect(collector.received).toEqual([]);
}, 60_000);

test("a command that runs a job without a server exports its spans", async () => {
  const collector = await newCollector();
  const directory = await newFolder();
  await withDelivery(directory);
  const env = { ...exportingTo(collector), WINDSOCK_DATA_DIR: directory };
  expect((await run(["jobs", "run", "webhook-outbox"], { env })).code).toBe(0);
  await collector.has("job webhook-outbox", "deliver webhook.test");
}, 60_000);

test("a collector that does not answer delays neither requests nor the stop, and is said once", async () => {
  const collector = await newCollector();
  collector.answer = () => undefined;
  const env = { ...exportingTo(collector), OTEL_BSP_SCHEDULE_DELAY: "1", OTEL_EXPORTER_OTLP_TIMEOUT: "500" };
  const server = await startServer(env);
  const school = await signUp(await urlOf(server), "olga@slow.example");
  await server.shows("stdout", /The collector takes no spans/);
  await collector.has("POST /auth/signup-org");
  // The queue exports again: this time the collector has the spans, and does not answer.
  expect(await school.names()).toBeArray();
  const start = performance.now();
  const { code, stdout } = await stop(server);
  expect(code).toBe(0);
  expect(performance.now() - start).toBeLessThan(stretched(8000));
  expect(stdout.match(/The collector takes no spans/g)).toHaveLength(1);
}, 60_000);

test("a collector that is not there changes nothing, and no line of the log has its address", async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:collector-secret@127.0.0.1:1", OTEL_BSP_SCHEDULE_DELAY: "1" };
  const server = await startServer({ ...env, OTEL_EXPORTER_OTLP_TIMEOUT: "500" });
  await signUp(await urlOf(server), "olga@gone.example");
  await server.shows("stdout", /The collector takes no spans/);
  const { code, stdout, stderr } = await stop(server);
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain("collector-secret");
}, 60_000);
