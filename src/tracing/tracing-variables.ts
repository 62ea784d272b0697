/**
 * The standard variables of OpenTelemetry (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/)
 * that say whether and which spans are exported. The exporter's library reads those that say how: headers, timeouts, certificates.
 */

export interface TracingSettings {
  sampler: SamplerSettings;
  /** What the variables set of the queue. */
  batch: Partial<Record<(typeof batchVariables)[number][0], number>>;
}

export interface SamplerSettings {
  /** Whether a parent's flag decides, where it is trusted. */
  followsParent: boolean;
  /** The share of the other traces, from 0 to 1. */
  ratio: number;
}

type Variables = Readonly<Record<string, string | undefined>>;

const endpoints = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"] as const;

const batchVariables = [
  ["scheduledDelayMillis", "OTEL_BSP_SCHEDULE_DELAY"],
  ["exportTimeoutMillis", "OTEL_BSP_EXPORT_TIMEOUT"],
  ["maxQueueSize", "OTEL_BSP_MAX_QUEUE_SIZE"],
  ["maxExportBatchSize", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE"],
] as const;

/** @returns no settings if nothing is exported. The problems and warnings never contain a value */
export function readTracing(set: Variables): {
  settings: TracingSettings | undefined;
  problems: string[];
  warnings: string[];
} {
  const named = endpoints.filter((name) => set[name] !== undefined);
  const isOff = set.OTEL_SDK_DISABLED?.toLowerCase() === "true" || set.OTEL_TRACES_EXPORTER === "none";
  if (named.length === 0 || isOff) return { settings: undefined, problems: [], warnings: [] };
  const warnings: string[] = [];
  const protocol = set.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? set.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol !== undefined && protocol !== "http/json")
    warnings.push("Spans are exported as http/json: collectors take it at the port of HTTP, usually 4318.");
  return {
    settings: { sampler: samplerOf(set, warnings), batch: batchOf(set, warnings) },
    // The library would export to this machine instead.
    problems: named
      .filter((name) => !isHttpAddress(set[name] ?? ""))
      .map((name) => `${name} is not an http or https address. Example: ${name}=http://127.0.0.1:4318`),
    warnings,
  };
}

const isHttpAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** As the standard says, an invalid value is ignored with a warning. */
function samplerOf(set: Variables, warnings: string[]): SamplerSettings {
  const { OTEL_TRACES_SAMPLER: name = "parentbased_always_on", OTEL_TRACES_SAMPLER_ARG: argument } = set;
  const [, parent, root] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? [];
  if (root === undefined)
    warnings.push("OTEL_TRACES_SAMPLER is no sampler of Windsock's. parentbased_always_on is used.");
  const ratio = root === "traceidratio" ? ratioOf(argument) : Number(root !== "always_off");
  if (ratio === undefined) warnings.push("OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1. 1 is used.");
  return { followsParent: root === undefined || parent !== undefined, ratio: ratio ?? 1 };
}

/** @returns undefined for no valid ratio */
function ratioOf(text: string | undefined): number | undefined {
  const ratio = text === undefined ? 1 : Number(text);
  return ratio >= 0 && ratio <= 1 ? ratio : undefined;
}

function batchOf(set: Variables, warnings: string[]): TracingSettings["batch"] {
  const batch: TracingSettings["batch"] = {};
  for (const [setting, name] of batchVariables) {
    const text = set[name];
    if (text === undefined) continue;
    if (/^[1-9]\d{0,8}$/.test(text)) batch[setting] = Number(text);
    else warnings.push(`${name} is not a whole number above 0. It is ignored.`);
  }
  return batch;
}
