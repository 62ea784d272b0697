/** Says in the log that a collector takes no spans: once, and again when it takes them. */
import type { SpanExporter } from "@opentelemetry/sdk-trace";

type Result = Parameters<Parameters<SpanExporter["export"]>[1]>[0];

export function reportingFailures(
  exporter: SpanExporter,
  log: { warn(details: Record<string, unknown>, message: string): void },
): SpanExporter {
  let isFailing = false;
  const note = ({ code, error }: Result, spans: number) => {
    const failed = code !== 0;
    // Not the message: it may have the address, and that a password.
    if (failed && !isFailing) log.warn({ spans, error: codeOf(error) }, "The collector takes no spans. They are lost.");
    if (!failed && isFailing) log.warn({}, "The collector takes spans again.");
    isFailing = failed;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        note(result, spans.length);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}

/** Returns the status of a response or the code of an error of the system. */
const codeOf = (error: unknown): string | number => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" || typeof code === "number" ? code : "unknown";
};
