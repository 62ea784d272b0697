import ts from "typescript";

/** A small change of a source file, which a test should notice. */
export interface Fault {
  /** The words in the report. */
  kind: "boundary" | "condition" | "effect" | "number" | "order" | "arguments";
  start: number;
  end: number;
  /** Replaces the text from `start` to `end`. */
  by: string;
  /** What has another value with the fault, and what it is; `fixed` is the text of a statement that isn't made by `sql`. */
  around: { start: number; end: number };
  form: "expression" | "statement" | "arguments" | "sql" | "fixed";
}

/** Each is replaced by the other. */
const pairs: Record<Fault["kind"], readonly (readonly [string, string])[]> = {
  boundary: [
    ["<", "<="],
    [">", ">="],
    ["lt", "lte"],
    ["gt", "gte"],
    ["Math.min", "Math.max"],
  ],
  condition: [
    ["&&", "||"],
    ["===", "!=="],
  ],
  order: [
    ["asc", "desc"],
    ["ascending", "descending"],
    ["min", "max"],
  ],
  effect: [],
  number: [],
  arguments: [],
};

const swaps = new Map(
  Object.entries(pairs).flatMap(([kind, all]) =>
    all.flatMap(([one, other]) => [
      [one, { kind: kind as Fault["kind"], by: other }] as const,
      [other, { kind: kind as Fault["kind"], by: one }] as const,
    ]),
  ),
);

/** Lists each fault that can be planted in a file, in the order of its text. */
export function faultsOf(text: string): Fault[] {
  const file = ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest, true);
  const found: Fault[] = [];
  const add = (kind: Fault["kind"], node: ts.Node, by: string, whole: ts.Node = node) =>
    found.push({
      ...{ kind, by, start: node.getStart(file), end: node.getEnd() },
      around: { start: whole.getStart(file), end: whole.getEnd() },
      form: kind === "effect" ? "statement" : "expression",
    });

  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isBinaryExpression(node)) {
      const { operatorToken: operator, right } = node;
      const swap = swaps.get(operator.getText(file));
      if (swap) add(swap.kind, operator, swap.by, node);
      if (/^[+-]$/.test(operator.getText(file)) && right.getText(file) === "1") add("number", right, "0");
    }
    if (ts.isIfStatement(node)) add("condition", node.expression, `!(${node.expression.getText(file)})`);
    if (ts.isConditionalExpression(node)) add("condition", node.condition, `!(${node.condition.getText(file)})`);
    if (ts.isExpressionStatement(node) && isEffect(node.expression, file)) add("effect", node, ";");
    if (ts.isCallExpression(node)) {
      const swap = swaps.get(node.expression.getText(file));
      if (swap) add(swap.kind, node.expression, swap.by);
      const [one, other, ...more] = node.arguments;
      const isSymmetric = /^(eq|ne|earlier|later|Math\.\w+)$/.test(node.expression.getText(file));
      if (one && other && more.length === 0 && !isSymmetric && areAlike(one.getText(file), other.getText(file))) {
        const by = `${other.getText(file)}, ${one.getText(file)}`;
        const range = { start: one.getStart(file), end: other.getEnd() };
        found.push({ kind: "arguments", ...range, by, around: range, form: "arguments" });
      }
    }
    const days = daysOf(node);
    if (days) add("number", days, String(Number(days.text) + 1));
    if (ts.isTemplateLiteralToken(node)) {
      const form = /^sql\b/.test(tagOf(node)?.getText(file) ?? "") ? "sql" : "fixed";
      for (const fault of inSql(node.getText(file), node.getStart(file))) found.push({ ...fault, around: fault, form });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns the text with the fault. */
export const withFault = (text: string, fault: Fault): string =>
  withImport(text.slice(0, fault.start) + fault.by + text.slice(fault.end), fault);

/** Imports a function that takes the place of another beside it. */
export function withImport(text: string, { by }: Fault): string {
  const name = swaps.get(by)?.by;
  if (!name || !/^[a-z]+$/i.test(by) || new RegExp(`import[^;]*\\b${by}\\b`).test(text)) return text;
  return text.replace(new RegExp(`(import[^;]*?)\\b${name}\\b`), `$1${name}, ${by}`);
}

/**
 * `await emit(…)`, `requireRoom(…)`, and others whose result is not used. Not `authorize(…)`, which `routes-security.test.ts` tests
 * for each route, and not what is only logged, counted, drawn or waited for.
 */
function isEffect(expression: ts.Expression, file: ts.SourceFile): boolean {
  const call = ts.isAwaitExpression(expression) ? expression.expression : expression;
  return (
    ts.isCallExpression(call) &&
    !/^(log|metrics|console|document|authorize|yieldToEventLoop)\b|\.log\./.test(call.expression.getText(file))
  );
}

/** The tag of the template that has this text: `sql` in sql`…`. */
function tagOf(node: ts.Node): ts.Node | undefined {
  if (ts.isTaggedTemplateExpression(node)) return node.tag;
  const { parent } = node;
  const isPart = ts.isTemplateExpression(parent) || ts.isTemplateSpan(parent) || ts.isTaggedTemplateExpression(parent);
  return isPart ? tagOf(parent) : undefined;
}

/** `row.from_on` and `until_on`: arguments whose names end in the same word are probably of one type. */
function areAlike(one: string, other: string): boolean {
  const last = (name: string) =>
    /^[\w.]*?([a-z]+)$/i
      .exec(name)?.[1]
      ?.replace(/^.*(?=[A-Z])/, "")
      .toLowerCase();
  return one !== other && last(one) !== undefined && last(one) === last(other);
}

/** The literal of `days(1)` and `{ days: 1 }`. */
function daysOf(node: ts.Node): ts.NumericLiteral | undefined {
  const literalOf = (name: ts.Node, value: ts.Node | undefined) =>
    /^(days|months|years|hours|minutes)$/.test(name.getText()) && value && ts.isNumericLiteral(value)
      ? value
      : undefined;
  if (ts.isCallExpression(node)) return literalOf(node.expression, node.arguments[0]);
  return ts.isPropertyAssignment(node) ? literalOf(node.name, node.initializer) : undefined;
}

/** Comparisons and orders in a statement's text. */
const inSql = (text: string, start: number): Pick<Fault, "kind" | "by" | "start" | "end">[] =>
  /\b(select|from|where|and|order by)\b/.test(text)
    ? [...text.matchAll(/(?<= )(<=?|>=?|asc|desc)(?=[ ,)$`])/g)].flatMap(({ 0: word, index }) => {
        const swap = swaps.get(word);
        return swap ? [{ ...swap, start: start + index, end: start + index + word.length }] : [];
      })
    : [];
