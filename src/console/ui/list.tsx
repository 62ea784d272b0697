/**
 * A list: its filters and its page are in the address, so that a link shows the same. Pages follow each other by cursors: a list is
 * never longer than a page, however many rows it has.
 */
import type { ComponentChildren } from "preact";
import type { Page } from "../api/operations.ts";
import { text } from "../app/language.ts";
import type { Resource } from "../app/resource.ts";
import { place, setQuery } from "../app/router.ts";
import { Button } from "./button.tsx";
import { Choice } from "./choice.tsx";
import { Empty, ProblemNotice } from "./states.tsx";

/** Rows of a page. */
export const pageLimit = 50;

interface Column<Row> {
  label: string;
  /** What a row shows. */
  cell: (row: Row) => ComponentChildren;
  /** To the right, where numbers are compared. */
  isNumber?: boolean;
  /** Shown on a desk only. */
  isDesk?: boolean;
  /** Buttons: on a phone beside the name. */
  isActions?: boolean;
  /** Its head is not seen, since each cell says the same. */
  isHeadless?: boolean;
  /** The orders of the list by this column, as the API names them: the head is a link to the first, and then to the next. */
  orders?: readonly [string, ...string[]];
}

interface ListProps<Row extends { id: string }> {
  /** Names the table. */
  label: string;
  resource: Resource<{ data: Row[]; page: Page }>;
  /** The first names the row. */
  columns: readonly [Column<Row>, ...Column<Row>[]];
  /** Where a row leads to. */
  href?: (row: Row) => string;
  /** Names of filters in the address. */
  filters: readonly string[];
  /** The order without one in the address. */
  order?: string;
  empty: ComponentChildren;
}

export function List<Row extends { id: string }>({
  label,
  resource,
  columns,
  href,
  filters,
  order: usual,
  empty,
}: ListProps<Row>) {
  const { data, problem, reload } = resource;
  const { list } = text();
  const { query } = place.value;
  if (problem !== undefined && data === undefined) return <ProblemNotice error={problem} retry={reload} />;
  const isFiltered = filters.some((name) => query.has(name));
  if (data?.data.length === 0 && !query.has("cursor"))
    return isFiltered ? (
      <NoMatch clear={() => setQuery(Object.fromEntries(filters.map((name) => [name, ""])))} />
    ) : (
      empty
    );
  const [first, ...others] = columns;
  const order = query.get("order") ?? usual;
  return (
    <>
      {problem !== undefined && <ProblemNotice error={problem} retry={reload} />}
      <SortBy columns={columns} order={order} usual={usual} />
      <div class="table-frame" aria-busy={data === undefined}>
        <table class="table" aria-label={label}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.label} scope="col" class={classOf(column)} aria-sort={sortOf(column, order)}>
                  {column.orders ? (
                    <a class="sort" href={inOrder(query, next(column.orders, order), usual)}>
                      {column.label}
                    </a>
                  ) : (
                    <span class={column.isHeadless ? "visually-hidden" : undefined}>{column.label}</span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data === undefined
              ? Array.from({ length: 8 }, (_, index) => (
                  <tr key={index}>
                    <td colSpan={columns.length}>
                      <span class="skeleton" style={{ inlineSize: `${35 + ((index * 17) % 40)}%` }} />
                    </td>
                  </tr>
                ))
              : data.data.map((row) => (
                  <tr key={row.id}>
                    <th scope="row">{href ? <a href={href(row)}>{first.cell(row)}</a> : first.cell(row)}</th>
                    {others.map((column) => (
                      <td key={column.label} class={classOf(column)}>
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
      <div class="form-actions">
        {query.has("cursor") && <Button onClick={() => setQuery({ cursor: undefined })}>{list.first}</Button>}
        {data?.page.has_more && data.page.next_cursor !== null && (
          <a class="button" href={withCursor(query, data.page.next_cursor)}>
            {list.next}
          </a>
        )}
      </div>
    </>
  );
}

/** On a phone, where the heads of the columns are not seen. */
function SortBy<Row>({
  columns,
  order,
  usual,
}: {
  columns: readonly Column<Row>[];
  order: string | undefined;
  usual: string | undefined;
}) {
  const { list } = text();
  const options = columns.flatMap(({ label, orders = [] }) =>
    orders.map((value) => ({ value, label: `${label}, ${value.startsWith("-") ? list.descending : list.ascending}` })),
  );
  if (options.length === 0) return null;
  return (
    <div class="filters sort-by">
      <Choice
        label={list.sortBy}
        value={order ?? ""}
        options={options}
        onChange={(value) => setQuery({ order: value === usual ? undefined : value, cursor: undefined })}
      />
    </div>
  );
}

const classOf = ({ isNumber, isDesk, isActions }: Pick<Column<never>, "isNumber" | "isDesk" | "isActions">) =>
  [isNumber && "number", isDesk && "desk", isActions && "actions-cell"].filter(Boolean).join(" ") || undefined;

/** Returns the order that the address names, if the list has it. */
export const chosenOrder = <Name extends string>(orders: readonly Name[]): { order?: Name } => {
  const order = orders.find((one) => one === place.value.query.get("order"));
  return order === undefined ? {} : { order };
};

type Orders = readonly [string, ...string[]];

const next = (orders: Orders, order: string | undefined): string =>
  orders[(orders.indexOf(order ?? "") + 1) % orders.length] ?? orders[0];

function sortOf({ orders }: { orders?: Orders }, order: string | undefined): "ascending" | "descending" | undefined {
  if (order === undefined || orders?.includes(order) !== true) return undefined;
  return order.startsWith("-") ? "descending" : "ascending";
}

function inOrder(query: URLSearchParams, order: string, usual: string | undefined): string {
  const next = new URLSearchParams(query);
  next.delete("cursor");
  if (order === usual) next.delete("order");
  else next.set("order", order);
  return next.size === 0 ? place.value.path : `${place.value.path}?${next}`;
}

function withCursor(query: URLSearchParams, cursor: string): string {
  const next = new URLSearchParams(query);
  next.set("cursor", cursor);
  return `${place.value.path}?${next}`;
}

function NoMatch({ clear }: { clear: () => void }) {
  const { list } = text();
  return (
    <Empty title={list.noMatch} action={<Button onClick={clear}>{list.clearFilters}</Button>}>
      {list.noMatchHint}
    </Empty>
  );
}
