import { type Running, start, stop, urlOf } from "./processes.ts";

export interface Answered {
  status: number;
  /** The body, as far as it came. */
  text: string;
  bytes: Buffer;
  /** The connection was closed in the middle of the body. */
  isCut: boolean;
}

/** A server that is started again whenever it has ended abnormally, as systemd does. */
export interface Supervised {
  /** A request. Returns `undefined` if the server ended instead of responding; it is running again then. */
  ask(path: string, init?: RequestInit): Promise<Answered | undefined>;
  /** The number of abnormal ends. */
  restarts(): number;
  /** The log of all runs. */
  log(): string;
  /** Stops it in good order. */
  stop(): Promise<number | string>;
}

export async function supervised(directory: string): Promise<Supervised> {
  const env = { WINDSOCK_DATA_DIR: directory, WINDSOCK_DEBUG_ENDPOINTS: "1" };
  const logs: string[] = [];
  let restarts = 0;
  let server: Running;
  let url = "";
  const started = async () => {
    for (;;) {
      server = await start([], { env });
      const served = await urlOf(server).catch(() => undefined);
      if (served !== undefined) return served;
      noteEnd(await server.ended);
    }
  };
  const noteEnd = (how: number | string) => {
    logs.push(server.stdout());
    restarts += 1;
    if (how === 0 || how === 1) throw new Error(`It ended with ${how}: ${server.stdout()}${server.stderr()}`);
  };
  url = await started();
  return {
    async ask(path, init) {
      const answer = await fetch(`${url}${path}`, init).catch(() => undefined);
      const bytes = await answer?.bytes().catch(() => undefined);
      if (answer !== undefined && bytes !== undefined) {
        const body = Buffer.from(bytes);
        return { status: answer.status, text: body.toString(), bytes: body, isCut: false };
      }
      // A response that is cut, or the end of the server: only then the next request gets none.
      const isServing = await fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (answer !== undefined && isServing)
        return { status: answer.status, text: "", bytes: Buffer.alloc(0), isCut: true };
      noteEnd(await server.ended);
      url = await started();
      return undefined;
    },
    restarts: () => restarts,
    log: () => [...logs, server.stdout()].join(""),
    stop: async () => (await stop(server)).code,
  };
}
