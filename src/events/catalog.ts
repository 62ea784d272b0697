/**
 * The contract's event types. The contract defines their names, stability and descriptions. The module that emits an event
 * defines the schema of its `data` and an example. `modules.ts` combines all ten, since `events` imports no module.
 */
import { z } from "zod";
import { exampleOf, nodeAt } from "../core/example-of.ts";
import { once } from "../core/once.ts";

/** `stable`: frozen. `beta`: fields may be added or renamed. `planned`: a reserved name; endpoints can't subscribe to it. */
export type Stability = "stable" | "beta" | "planned";

const contract = {
  "flight.submitted": { stability: "stable", description: "A flight is submitted for approval." },
  "flight.approved": { stability: "stable", description: "A flight is approved and posted." },
  "flight.rejected": { stability: "beta", description: "A flight submission is rejected." },
  "maintenance.alert": { stability: "beta", description: "A maintenance due-item or work-order alert fires." },
  "compliance.updated": { stability: "beta", description: "A compliance record is created or updated." },
  "training.signoff.recorded": { stability: "beta", description: "A program item is signed off for a student." },
  "payment.received": { stability: "beta", description: "A payment of an invoice or enrollment charge is recorded." },
  "vtr.issued": { stability: "beta", description: "An evidence pack is built, signed and issued." },
  "medical.expiring": {
    stability: "beta",
    description: "A pilot medical crosses a 60, 30 or 14-day expiry threshold.",
  },
  "webhook.test": { stability: "stable", description: "Ping is used on a webhook endpoint." },
} as const satisfies Record<string, { stability: Stability; description: string }>;

export type EventType = keyof typeof contract;

/** In the contract's order; a tuple, for `z.enum`. */
export const eventTypes = Object.keys(contract) as [EventType, ...EventType[]];

/** One type of event. */
export interface EventDefinition<Type extends EventType = EventType, Data = unknown> {
  readonly type: Type;
  /** The schema of `data`. */
  readonly data: z.ZodType<Data>;
  readonly example: Data;
}

interface Declaration<Data> {
  data: z.ZodType<Data>;
  /** By default made from the examples of the fields. */
  example?: Data;
}

/** The example is made when it is first read: a start needs none. */
export function defineEvent<Type extends EventType, Data>(
  type: Type,
  { data, example }: Declaration<Data>,
): EventDefinition<Type, Data> {
  const shown = once(() => example ?? exampleFrom(data));
  return {
    type,
    data,
    get example() {
      return shown();
    },
  };
}

function exampleFrom<Data>(data: z.ZodType<Data>): Data {
  const schema = z.toJSONSchema(data);
  return data.parse(exampleOf(schema, (ref) => nodeAt(schema, ref)));
}

/** A type as the API shows it to integrators. */
export interface CatalogEntry {
  type: EventType;
  stability: Stability;
  description: string;
  /** All are, since each has a module. */
  emitted: true;
  /** JSON Schema (2020-12) of `data`. */
  schema: Record<string, unknown>;
  /** An example of `data`. */
  example: unknown;
}

export interface EventCatalog {
  readonly entries: readonly CatalogEntry[];
}

/** A definition of any type. */
export interface AnyEventDefinition extends Pick<EventDefinition, "type"> {
  readonly data: z.ZodType;
  readonly example: unknown;
}

/** The types that endpoints may subscribe to: all except planned ones. */
export const subscribableTypes = eventTypes.filter((type) => isSubscribable(contract[type].stability));

function isSubscribable(stability: Stability): boolean {
  return stability !== "planned";
}

/** Receivers must ignore unknown fields, so the schema that they see accepts them, as in the OpenAPI document. */
const allowNewFields = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

/**
 * Creates the catalog, in the contract's order. Its entries are made when they are first read.
 *
 * @param definitions exactly one for each type of the contract
 * @throws when a type has no definition, or more than one
 */
export function createCatalog(definitions: readonly AnyEventDefinition[]): EventCatalog {
  const defined = eventTypes.map((type) => {
    const [definition, second] = definitions.filter((candidate) => candidate.type === type);
    if (definition === undefined) throw new Error(`No module defines the event ${type}.`);
    if (second !== undefined) throw new Error(`The event ${type} is defined twice.`);
    return { ...contract[type], type, definition };
  });
  const entries = once(() =>
    defined.map(({ definition: { data, example }, ...described }): CatalogEntry => {
      const schema = z.toJSONSchema(data, { override: allowNewFields });
      return { ...described, emitted: true, schema, example };
    }),
  );
  return {
    get entries() {
      return entries();
    },
  };
}
