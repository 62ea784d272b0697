import { expect, test } from "bun:test";
import { variables } from "../../src/config.ts";

const readme = await Bun.file(new URL("../../README.md", import.meta.url)).text();

test("the configuration table of the README matches config.ts", () => {
  const table = /<!-- configuration:[\s\S]*?-->\n([\s\S]*?)<!-- \/configuration -->/.exec(readme)?.[1] ?? "";
  const rows = table.split("\n").filter((row) => row.startsWith("| `WINDSOCK_"));
  expect(
    rows.map((row) =>
      row
        .split("|")
        .map((cell) => cell.trim().replaceAll("`", ""))
        .slice(1, 5),
    ),
  ).toEqual(
    variables.map(({ name, default: fallback = "", description, example }) => [
      name,
      fallback,
      description.replaceAll("`", ""),
      example.replaceAll("`", ""),
    ]),
  );
});
