/** Elysia analyses the text of handlers and hooks to decide what to parse. */
import { expect, test } from "bun:test";
import { newInstallation } from "../support/installation.ts";

test("no route has cookies or all headers parsed", async () => {
  const { app } = await newInstallation();
  const parsing = app.routes.filter((route) => /parseCookie|headers\.toJSON/.test(route.compile().toString()));
  expect(parsing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  expect(app.routes.length).toBeGreaterThan(50);
});
