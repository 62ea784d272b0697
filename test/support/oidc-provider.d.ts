/** The parts of oidc-provider, which has no types, that the tests use. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Client {
    clientId: string;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Asked {
    oidc: { client: Client; session: { accountId: string } };
  }

  export default class Provider {
    constructor(
      issuer: string,
      configuration: {
        clients: object[];
        jwks: { keys: object[] };
        claims: Record<string, string[]>;
        features: object;
        cookies: object;
        interactions: { url(ctx: Asked, interaction: { uid: string }): string };
        findAccount(ctx: Asked, id: string): Promise<{ accountId: string; claims(): Promise<object> }>;
        loadExistingGrant(ctx: Asked): Promise<Grant>;
      },
    );
    Grant: new (of: {
      clientId: string;
      accountId: string;
    }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
