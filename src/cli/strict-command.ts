/** Commands of citty that refuse what they don't know: a mistyped option must not be taken for none. */
import process from "node:process";
import { parseArgs } from "node:util";
import { type ArgsDef, type CommandDef, defineCommand, type ParsedArgs, type SubCommandsDef } from "citty";
import { Problem } from "../core/errors.ts";

interface Described {
  name: string;
  description: string;
}

interface CommandOptions<Args extends ArgsDef> {
  args: Args;
  run(args: ParsedArgs<Args>): Promise<void>;
}

/** A command that does something. */
export const command = <const Args extends ArgsDef>(meta: Described, { args, run }: CommandOptions<Args>) =>
  defineCommand({
    meta,
    args,
    run: (context) =>
      orExplain(async () => {
        refuseUnknown(context.rawArgs, args);
        await run(context.args);
      }, args),
  });

/** A command that only has others below it. It takes no options of its own, so none may stand before theirs. */
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
      if (first.startsWith("-") && rawArgs.some((arg) => !arg.startsWith("-"))) {
        fail(`The option ${first} stands before its command; put it behind.`);
      }
    },
  });

/** @throws naming the option or argument that is one too many, or lacks its value */
function refuseUnknown(rawArgs: string[], args: ArgsDef): void {
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
    if (token.kind === "positional" && room-- <= 0) throw new Error(`There is an argument too many: ${token.value}`);
    if (token.kind !== "option") continue;
    const type = types.find(([name]) => name === token.name)?.[1].type;
    if (type === undefined) throw new Error(`There is no option ${token.rawName}.`);
    if (type === "string" && !token.value) throw new Error(`The option ${token.rawName} needs a value.`);
    if (type === "boolean" && token.value !== undefined) throw new Error(`The option ${token.rawName} takes no value.`);
  }
}

/** Ends with what went wrong in one sentence, not with a stack: whoever reads it is an operator. */
export async function orExplain(run: () => Promise<void>, args: ArgsDef = {}): Promise<void> {
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

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** What is wrong with each argument, by the name it has on the command line. */
const explain = ({ issues = [] }: Problem, args: ArgsDef): string =>
  issues
    .map(({ path, message }) => {
      const name = path.replace(/^args\./, "");
      return `${args[name]?.type === "positional" ? name.toUpperCase() : `--${name}`}: ${message}`;
    })
    .join("\n");
