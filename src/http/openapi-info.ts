import type { ZodOpenApiOperationObject } from "zod-openapi";

/** Requests to other servers, by name. No route has them. */
export type DocumentedWebhooks = Readonly<Record<string, ZodOpenApiOperationObject>>;

export interface OpenApiInfo {
  /** Descriptions of tags, in the order in which the document has them. */
  tags?: Readonly<Record<string, string>>;
  webhooks?: DocumentedWebhooks;
  /** Components by name, for what zod can't derive. */
  schemas?: Readonly<Record<string, object>>;
  /** The installation's public address, where a reader finds its operator. */
  publicUrl?: string;
}
