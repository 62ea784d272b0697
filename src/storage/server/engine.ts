/** The server with its namespaces: its administration over HTTP, and the way to each namespace. */
import { createPublicKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import { seconds } from "../../core/clock.ts";
import { connectionLost, EngineError } from "./engine-error.ts";
import { type Endpoint, HranaConnection } from "./hrana.ts";
import { Session } from "./session.ts";
import {
  isOnThisMachine,
  namespaceAddress,
  namespaceMark,
  namespaceToken,
  type StoreSettings,
  tokenKeyOf,
} from "./store-settings.ts";

/** Milliseconds that an answer of the server may take: less than a client waits for that of a request. */
const longestWait = seconds(9);

/** What matters of a namespace's configuration. An older server has no durability, and syncs nothing. */
const NamespaceConfig = z.object({ durability_mode: z.string().optional(), jwt_key: z.string().nullish() });

export class Engine {
  readonly #settings: StoreSettings;
  readonly #key: KeyObject | undefined;

  /** @throws Error the settings are not safe: the message is for the operator */
  constructor(settings: StoreSettings) {
    this.#settings = settings;
    this.#key = settings.tokenKey === undefined ? undefined : tokenKeyOf(settings.tokenKey);
    if (this.#key === undefined && !(isOnThisMachine(settings.url) && isOnThisMachine(settings.adminUrl)))
      throw new Error(
        "WINDSOCK_STORE_TOKEN_KEY is missing, and the server is on another machine: whoever reaches it could read and write everything.",
      );
  }

  /** Returns the way to a namespace. Nothing is sent yet. @param name `control`, or the id of an organization */
  session(name: string): Session {
    return new Session(this.#endpoint(name));
  }

  #endpoint(name: string): Endpoint {
    const { namespace, url } = namespaceAddress(this.#settings.url, name);
    const token = this.#key && namespaceToken(this.#key, namespace);
    return { namespace, url, token, longestWait, traffic: this.#settings.traffic };
  }

  /**
   * Connects once more. A server with more namespaces than it keeps active puts away those that were seldom connected to, and ends their
   * connections in the middle of a write: how much one connection is used, it does not see. @throws EngineError
   */
  async keepActive(name: string): Promise<void> {
    (await HranaConnection.open(this.#endpoint(name))).close();
  }

  /** Creates a namespace, durable and with the key. Idempotent. @throws EngineError */
  async create(name: string): Promise<void> {
    const jwt_key = this.#key && publicKeyText(this.#key);
    const wanted = { durability_mode: "strong", ...(jwt_key !== undefined && { jwt_key }) };
    const { status, text } = await this.#admin("POST", `${this.#path(name)}/create`, wanted);
    if (status !== 200 && !/already exists/.test(text)) throw refused("can't create a namespace", status, text);
  }

  /** Removes a namespace with all that is in it. Idempotent. @throws EngineError */
  async remove(name: string): Promise<void> {
    const { status, text } = await this.#admin("DELETE", this.#path(name), {});
    if (status !== 200 && status !== 404) throw refused("can't remove a namespace", status, text);
  }

  /** Returns whether there is a namespace. */
  async has(name: string): Promise<boolean> {
    return (await this.#config(name)) !== undefined;
  }

  /**
   * Refuses a server that would lose acknowledged writes, or that lets others in.
   *
   * @throws Error with a message for the operator
   */
  async check(name: string): Promise<void> {
    const config = await this.#config(name);
    if (config === undefined) throw new Error(`The server has no namespace ${this.#name(name)}.`);
    if (config.durability_mode !== "strong" && config.durability_mode !== "extra")
      throw new Error(
        `The namespace ${this.#name(name)} is not durable (durability_mode: ${config.durability_mode ?? "unknown"}): a power cut would lose what was acknowledged. Set its durability_mode to "strong", and start again.`,
      );
    if (this.#key === undefined) return;
    if (await this.#isOpenTo(undefined, name))
      throw new Error(
        `The namespace ${this.#name(name)} is open to everybody who reaches the server. Start the server with the public key of WINDSOCK_STORE_TOKEN_KEY (--auth-jwt-key-file).`,
      );
    if (!(await this.#isOpenTo(this.#key, name)))
      throw new Error(
        "The server does not accept WINDSOCK_STORE_TOKEN_KEY: it has another public key (--auth-jwt-key-file).",
      );
  }

  async #isOpenTo(key: KeyObject | undefined, name: string): Promise<boolean> {
    const endpoint = this.#endpoint(name);
    try {
      (await HranaConnection.open({ ...endpoint, token: key && namespaceToken(key, endpoint.namespace) })).close();
      return true;
    } catch (error) {
      if (error instanceof EngineError && error.code.startsWith("AUTH_")) return false;
      throw error;
    }
  }

  async #config(name: string): Promise<z.infer<typeof NamespaceConfig> | undefined> {
    const { status, text } = await this.#admin("GET", `${this.#path(name)}/config`);
    if (status === 404) return undefined;
    const config = NamespaceConfig.safeParse(parsed(text));
    if (status !== 200 || !config.success) throw refused("can't say how a namespace is configured", status, text);
    return config.data;
  }

  #name(name: string): string {
    return namespaceAddress(this.#settings.url, name).namespace;
  }

  #path(name: string): string {
    return `/v1/namespaces/${encodeURIComponent(this.#name(name))}`;
  }

  async #admin(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(new URL(path, this.#settings.adminUrl), {
        method,
        signal: AbortSignal.timeout(longestWait),
        ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      });
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      throw connectionLost("the server's administration does not answer", cause);
    }
  }

  /** The address, for messages. */
  get address(): string {
    return this.#settings.url.replace(namespaceMark, "*");
  }
}

const refused = (what: string, status: number, text: string) =>
  new EngineError("ADMIN_REFUSED", `the server ${what}: ${status} ${text.slice(0, 200)}`);

/** The 32 bytes of the public key, the other form that the server takes besides PEM. */
const publicKeyText = (key: KeyObject): string =>
  createPublicKey(key).export({ type: "spki", format: "der" }).subarray(-32).toString("base64url");

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
