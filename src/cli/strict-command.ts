/** Commands of citty that reject unknown options and arguments. By default citty ignores a mistyped option. */
import process from "node:process";
import { parseArgs } from "node:util";
import { type ArgsDef, type CommandDef, defineCommand, type ParsedArgs, type SubCommandsDef } from "citty";
import { Problem } from "../core/errors.ts";
import { messageOf } from "../core/system-error.ts";
import { compileAsUsual } from "../runtime/compilation.ts";

interface Described {
  name: string;
  description: string;
}

interface CommandOptions<Args extends ArgsDef> {
  args: Args;
  run(args: ParsedArgs<Args>): Promise<void>;
}

/** Returns a command that runs. */
export const command = <const Args extends ArgsDef>(meta: Described, { args, run }: CommandOptions<Args>) =>
  defineCommand({
    meta,
    args,
    run: (context) =>
      exitOnError(async () => {
        compileAsUsual(); // everything is loaded
        if (meta.name !== "serve") endWithReader();
        rejectUnknown(context.rawArgs, args);
        await run(context.args);
      }, args),
  });

/** Ends the command when nobody reads on, as in `windsock manual | head`. A server goes on: see `runtime/standard-output.ts`. */
function endWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

/**
 * Returns a command that only has subcommands. It has no options, so it rejects options before a subcommand. It also rejects
 * an unknown subcommand, since citty's message has colours in a pipe too.
 */
export const group = (
  meta: Described & { version?: string },
  subCommands: SubCommandsDef,
  rest: Pick<CommandDef, "default"> = {},
) =>
  defineCommand({
    meta,
    subCommands,
    ...rest,
    setup({ rawArgs }) {
      const [first = ""] = rawArgs;
      const name = rawArgs.find((arg) => !arg.startsWith("-"));
      if (name === undefined) return;
      // The value of an option is taken for a command, too: which options there are depends on the command.
      if (!Object.hasOwn(subCommands, name)) {
        const after = name === first ? "" : ` Options such as ${first} come after it.`;
        fail(`Unknown command: ${name}. Must be one of ${Object.keys(subCommands).join(", ")}.${after}`);
      }
      if (name !== first) fail(`The option ${first} is before its command. Put it after the command.`);
    },
  });

/** @throws an error that names the unknown option, the extra argument, or the option without a value */
function rejectUnknown(rawArgs: string[], args: ArgsDef): void {
  const known = Object.entries(args);
  const options = known.filter(([, { type }]) => type !== "positional");
  const types = options.map(([name, { type }]) => [name, { type: type === "boolean" ? "boolean" : "string" }] as const);
  const parsed = parseArgs({
    args: rawArgs,
    options: Object.fromEntries(types),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  let room = known.length - options.length;
  for (const token of parsed.tokens) {
    if (token.kind === "positional" && room-- <= 0) throw new Error(`Unexpected argument: ${token.value}`);
    if (token.kind !== "option") continue;
    const type = types.find(([name]) => name === token.name)?.[1].type;
    if (type === undefined) throw new Error(`Unknown option: ${token.rawName}`);
    if (type === "string" && !token.value) throw new Error(`The option ${token.rawName} needs a value.`);
    if (type === "boolean" && token.value !== undefined) throw new Error(`The option ${token.rawName} takes no value.`);
  }
}

/** Prints an error as one sentence without a stack, for the operator, and exits with 1. */
export async function exitOnError(run: () => Promise<void>, args: ArgsDef = {}): Promise<void> {
  try {
    await run();
  } catch (error) {
    fail(error instanceof Problem && error.issues ? explain(error, args) : messageOf(error));
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Returns the issues of each argument under its name on the command line. */
const explain = ({ issues = [] }: Problem, args: ArgsDef): string =>
  issues
    .map(({ path, message }) => {
      const name = path.replace(/^args\./, "");
      return `${args[name]?.type === "positional" ? name.toUpperCase() : `--${name}`}: ${message}`;
    })
    .join("\n");
