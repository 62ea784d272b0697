/** A school of a server that runs as a process, as its owner uses it. */
export interface Asked {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
}

export interface SchoolOverHttp {
  orgId: string;
  token: string;
  /** A request with the owner's token; the path is relative to the school's, unless it begins with `/auth`. */
  ask(method: string, path: string, body?: object): Promise<Asked>;
  /** Adds a student. @returns the id, when the server has acknowledged it */
  addPerson(name: string): Promise<string>;
  /** The names of all people. */
  names(): Promise<string[]>;
}

export const password = "correct horse battery";

async function send(
  url: string,
  method: string,
  path: string,
  { token = "", body }: { token?: string; body?: object | undefined },
) {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

export async function signUp(url: string, email: string): Promise<SchoolOverHttp> {
  const organization = { name: "Windy Hill", kind: "ato", time_zone: "Europe/Berlin" };
  const { body } = await send(url, "POST", "/auth/signup-org", {
    body: { email, password, name: "Olga", organization },
  });
  return schoolAt(url, body.data.organization.id, body.data.tokens.access_token);
}

/** Signs in again, for example to a server that was restored. */
export async function signIn(url: string, email: string, orgId: string): Promise<SchoolOverHttp> {
  const { status, body } = await send(url, "POST", "/auth/login", { body: { email, password } });
  if (status !== 200) throw new Error(`The sign-in was answered ${status}.`);
  return schoolAt(url, orgId, body.access_token);
}

function schoolAt(url: string, orgId: string, token: string): SchoolOverHttp {
  const ask = (method: string, path: string, body?: object) =>
    send(url, method, path.startsWith("/auth") ? path : `/orgs/${orgId}${path}`, { token, body });
  return {
    orgId,
    token,
    ask,
    async addPerson(name) {
      const { status, body } = await ask("POST", "/people", { name, types: ["student"] });
      if (status !== 201) throw new Error(`A person was answered ${status}.`);
      return body.data.id;
    },
    async names() {
      const found: string[] = [];
      for (let offset = 0; ; offset += 500) {
        const { body } = await ask("GET", `/people?limit=500&offset=${offset}`);
        found.push(...body.data.map(({ name }: { name: string }) => name));
        if (!body.page.has_more) return found;
      }
    },
  };
}
