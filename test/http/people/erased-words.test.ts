/** A person's name and address in what others wrote: no column keeps them, apart from those with a reason. */
import { afterAll, expect, test } from "bun:test";
import { getTableColumns, getTableName, is, type SQL, sql } from "drizzle-orm";
import { type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { deliveries, deliveryAttempts } from "../../../src/events/events.tables.ts";
import { tables } from "../../../src/modules.ts";
import type { Kind, Reader, Store, Tenant } from "../../../src/storage/store.ts";
import { exceptions, freeTexts, namesIn } from "../../support/free-texts.ts";
import { newApplication } from "../../support/market.ts";
import { expectStatus } from "../../support/school.ts";
import { changeEach, newStage } from "../../support/stage.ts";
import { tracesOf } from "../../support/traces.ts";
import { tenantOf } from "../maintenance/maintaining.ts";

const stage = await newStage();
afterAll(() => stage.installation.close());

const name = "Zelda Quux";
const email = "zelda@quux.example";

const excepted = new Set(exceptions.flatMap(({ columns }) => namesIn(columns)));

/** Writes the name and the address into each column of each row. @returns the columns of tables without a row */
async function plant(store: Store, kind: Kind, orgId: string): Promise<string[]> {
  const wanted = new Set(freeTexts(kind).filter((column) => !excepted.has(column)));
  const without: string[] = [];
  await store.write(async (tx) => {
    for (const table of Object.values(tables[kind])) {
      if (!is(table, SQLiteTable)) continue;
      const columns = Object.values(getTableColumns(table)).filter((column) =>
        wanted.has(`${getTableName(table)}.${column.name}`),
      );
      if (columns.length === 0) continue;
      const { org_id } = getTableColumns(table);
      const isOfSchool = kind === "control" && org_id ? sql`where ${org_id} = ${orgId}` : sql``;
      const set: SQL[] = [];
      for (const column of columns)
        set.push(sql`${sql.identifier(column.name)} = ${planted(column, await hasJson(tx, table, column))}`);
      await tx.run(sql`update ${table} set ${sql.join(set, sql.raw(", "))} ${isOfSchool}`);
      const [row] = await tx.values<[number]>(sql`select count(*) from ${table} ${isOfSchool}`);
      if (row?.[0] === 0) without.push(getTableName(table));
    }
  });
  return without;
}

/** Another text in each row, since some must be unique. In JSON it is beside what is there, so that it keeps its form. */
function planted({ name: column, dataType }: SQLiteColumn, hasJson: boolean): SQL {
  const value = sql.identifier(column);
  const text = sql`'Ask ${sql.raw(name)} (${sql.raw(email)}) ' || rowid`;
  if (!hasJson) return dataType === "json" ? sql`json_array(${text})` : text;
  return sql`case json_type(${value})
    when 'object' then json_set(${value}, '$.planted', ${text})
    when 'array' then json_insert(${value}, '$[#]', ${text})
    else ${dataType === "json" ? sql`json_array(${text})` : value} end`;
}

/** A column may hold JSON although drizzle does not say so. */
async function hasJson(reader: Reader, table: SQLiteTable, { name: column }: SQLiteColumn): Promise<boolean> {
  const value = sql.identifier(column);
  const found = sql`select 1 from ${table} where
    case when json_valid(${value}) then json_type(${value}) in ('object', 'array') end limit 1`;
  return (await reader.values(found)).length > 0;
}

/** Its receiver answered with what it got. */
const addAttempt = (tenant: Tenant): Promise<unknown> =>
  tenant.write((tx) =>
    tx.run(sql`insert into ${deliveryAttempts}
      (delivery_id, number, started_at, duration_ms, status_code, response_headers, response_body, request_headers)
      select id, 1, created_at, 1, 200, '{}', 'Got it.', '{}' from ${deliveries} limit 1`),
  );

test("an erasure leaves a person's name and address in no column, apart from those with a reason", async () => {
  const { school, installation } = stage;
  await changeEach(stage);
  await newApplication(school);
  await addAttempt(tenantOf(school));
  const { owner, orgId } = school;
  const person = { name, email, types: ["pilot"] };
  const { id } = expectStatus(201, await owner.post("/people", person)).body.data;
  const without = [
    ...(await plant(tenantOf(school), "tenant", orgId)),
    ...(await plant(installation.storage.control, "control", orgId)),
  ];
  expect(without).toEqual([]);
  expect((await tracesOf(school, name)).length).toBeGreaterThan(50);
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  expect(await tracesOf(school, name, email)).toEqual([]);
}, 300_000);
