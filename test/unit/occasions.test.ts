/** What modules announce and ask reaches exactly those modules that the occasion names. */
import { expect, test } from "bun:test";
import {
  announce,
  answer,
  ask,
  followersOf,
  occasion,
  on,
  onPrepared,
  prepare,
  question,
} from "../../src/storage/occasions.ts";
import type { Followers, Reader, Tx } from "../../src/storage/store.ts";

const landed = occasion<{ id: string }>("it landed", ["maintenance", "finance"]);
const known = question<{ id: string }, string>("who knows it?", ["training"]);

const database = (followers: Followers) => ({ followers }) as Tx<"tenant"> & Reader<"tenant">;

test("followers act in the order of the modules, and their answers are in it", async () => {
  const told: string[] = [];
  const note = (name: string) => on(landed, async (_tx, { id }) => void told.push(`${name} ${id}`));
  const followers = followersOf([
    { name: "maintenance", follows: [note("maintenance")] },
    { name: "training", follows: [answer(known, async (_reader, { id }) => `training knows ${id}`)] },
    { name: "finance", follows: [note("finance"), note("finance again")] },
  ]);
  const tx = database(followers);
  await announce(tx, landed, { id: "1" });
  expect(told).toEqual(["maintenance 1", "finance 1", "finance again 1"]);
  expect(await ask(tx, known, { id: "2" })).toEqual(["training knows 2"]);
});

test("followers that prepare read at once, before any of them acts, and act in order with what they have read", async () => {
  const told: string[] = [];
  const noting = (name: string) =>
    onPrepared(
      landed,
      async (_reader, { id }) => {
        told.push(`${name} reads`);
        return `${name} has read ${id}`;
      },
      async (_tx, _about, read) => void told.push(read),
    );
  const followers = followersOf(["maintenance", "finance"].map((name) => ({ name, follows: [noting(name)] })));
  const announceLanded = await prepare(database(followers), landed, { id: "1" });
  expect(told).toEqual(["maintenance reads", "finance reads"]);
  await announceLanded();
  expect(told.slice(2)).toEqual(["maintenance has read 1", "finance has read 1"]);
  told.splice(0);
  await announce(database(followers), landed, { id: "2" });
  expect(told).toEqual(["maintenance reads", "finance reads", "maintenance has read 2", "finance has read 2"]);
});

test("an occasion that names others than those who follow it does not start", () => {
  const follows = [on(landed, async () => undefined)];
  const started = (...names: string[]) => followersOf(names.map((name) => ({ name, follows })));
  expect(() => started("maintenance", "finance")).not.toThrow();
  for (const names of [["maintenance"], ["finance", "maintenance"], ["maintenance", "finance", "planning"]])
    expect(() => started(...names)).toThrow(`These do, in the modules' order: ${names.join(", ")}.`);
});

test("an announcement that nobody can hear throws: silence would lose a posting", async () => {
  const tx = database(new Map());
  await expect(announce(tx, landed, { id: "1" })).rejects.toThrow('No module follows "it landed"');
  await expect(ask(tx, known, { id: "1" })).rejects.toThrow('No module follows "who knows it?"');
});

test("what a follower throws ends the verb", async () => {
  const fault = new Error("The counters are full.");
  const follows = [
    on(landed, async () => {
      throw fault;
    }),
  ];
  const tx = database(followersOf(["maintenance", "finance"].map((name) => ({ name, follows }))));
  await expect(announce(tx, landed, { id: "1" })).rejects.toBe(fault);
});
