import type { AnyElysia, Elysia } from "elysia";

/** A route as Elysia lists it in `app.routes`: method, path template and hooks, its schemas among them. */
export type Route = Elysia["routes"][number];

/** A group of routes of a module. */
export type RoutePlugin = AnyElysia;
