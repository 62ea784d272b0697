/** `windsock manual`: the pages for operators. Messages name them, and who has the executable has nothing else. */
import process from "node:process";
import { command } from "./strict-command.ts";

const pages = {
  operators: () => import("../../docs/operators.md", { with: { type: "text" } }),
  data: () => import("../../tenants/README.md", { with: { type: "text" } }),
};

export const manual = command(
  { name: "manual", description: "Print the page for operators: how to run a server, its variables and commands" },
  {
    args: {
      page: {
        type: "positional",
        description: "`data` for the page about the files of the data directory",
        required: false,
      },
    },
    async run({ page = "operators" }) {
      process.stdout.write(await manualPage(page));
    },
  },
);

/** Returns a page, whose links to the other one are the command that prints it. @throws there is no such page */
export async function manualPage(name: string): Promise<string> {
  if (name !== "operators" && name !== "data") throw new Error(`There is no page ${name}. Pages: operators, data.`);
  const { default: text } = await pages[name]();
  return text
    .replaceAll(/\[[^\]]+\]\(\.\.\/tenants\/README\.md[^)]*\)/g, "`windsock manual data`")
    .replaceAll(/\[([^\]]+)\]\(\.\.\/docs\/operators\.md[^)]*\)/g, "$1 (`windsock manual`)");
}
