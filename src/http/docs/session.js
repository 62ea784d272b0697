// Who the requests of this page come from. Tokens and keys are only here, in variables that no other file can read: not in the
// page, not in an address, not in the browser's storage. Not in the cookie either, because that is the one of the school's
// front end at this origin, whose user would become another one.

/** An access token this close to its end is renewed before it is used. */
const EARLY = 60_000;

let session;
let key;
let renewing;
const listeners = [];

/** Calls a function after each change of the session or the key. */
export const onChange = (listen) => listeners.push(listen);
const changed = () => {
  for (const listen of listeners) listen();
};

/** @returns the account and its organizations, without tokens; undefined if nobody is signed in */
export const account = () => session?.account;
export const chosenOrganization = () => session?.organization;
export const keyOrganization = () => key?.org;

export function chooseOrganization(id) {
  session.organization = id;
  changed();
}

export function useKey(given) {
  key = given;
  changed();
}

/** @throws an error with the server's message */
async function ask(method, path, { body, access, keepalive = false } = {}) {
  const response = await fetch(path, {
    method,
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(access && { authorization: `Bearer ${access}` }),
    },
    credentials: "omit",
    keepalive,
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  const messages = answer.issues?.map(({ path, message }) => `${path.replace(/^body\./, "")}: ${message}`);
  throw Object.assign(new Error(messages?.join(" ") ?? answer.error.message), { status: response.status });
}

/** @returns the token of the challenge if the account has a second factor; otherwise undefined, and the session is open */
export async function logIn(email, password) {
  const answer = await ask("POST", "/auth/login", { body: { email, password } });
  if (answer.mfa_required) return answer.mfa_token;
  await open(answer);
  return undefined;
}

export const verifyCode = async (mfaToken, code) =>
  open(await ask("POST", "/auth/mfa/verify", { body: { mfa_token: mfaToken, code } }));

async function open(pair) {
  const { data } = await ask("GET", "/auth/me", { access: pair.access_token });
  session = { ...tokensOf(pair), account: data, organization: data.organizations[0]?.id };
  changed();
}

const tokensOf = ({ access_token, refresh_token, expires_in }) => ({
  access: access_token,
  refresh: refresh_token,
  renewAt: Date.now() + expires_in * 1000 - EARLY,
});

/** Exchanges the refresh token, once for all requests that wait for it. */
function renew() {
  renewing ??= exchange().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function exchange() {
  const used = session;
  try {
    Object.assign(used, tokensOf(await ask("POST", "/auth/refresh", { body: { refresh_token: used.refresh } })));
  } catch (error) {
    if (error.status === 401 && session === used) forget();
    throw error;
  }
}

function forget() {
  session = undefined;
  changed();
}

export async function logOut({ keepalive = false } = {}) {
  const { refresh } = session;
  forget();
  await ask("POST", "/auth/logout", { body: { refresh_token: refresh }, keepalive });
}

/** Ends the session with the page: nothing else has its tokens. */
addEventListener("pagehide", () => {
  key = undefined;
  if (session) logOut({ keepalive: true }).catch(() => undefined);
  changed();
});

/**
 * Sends a request with the credential that its operation takes. A token that is about to expire is renewed first; one that is
 * rejected nevertheless, for example after this computer was asleep, is renewed and the request is sent again, which is safe:
 * a 401 was not carried out.
 *
 * @param kind `session`, `apiKey` or undefined
 */
export async function send(kind, path, { headers, ...options }) {
  const request = (credential) =>
    fetch(path, {
      ...options,
      headers: { ...headers, ...(credential && { authorization: `Bearer ${credential}` }) },
      credentials: "omit",
      redirect: "manual",
      cache: "no-store",
    });
  if (kind === "apiKey") return request(key?.key);
  if (kind !== "session" || !session) return request();
  if (Date.now() >= session.renewAt) await renew();
  const used = session.access;
  const response = await request(used);
  if (response.status !== 401 || !session) return response;
  if (session.access === used) await renew();
  return request(session.access);
}
