/** Obtains the certificate by ACME, and renews it when a third of its lifetime is left. It never asks an authority often. */
import { days, isToCome, minutes, shift } from "../core/clock.ts";
import { messageOf } from "../core/system-error.ts";
import type { RunResult } from "../scheduler/job.ts";
import { newKey } from "./acme/account-key.ts";
import { openAcme } from "./acme/client.ts";
import { obtainCertificate } from "./acme/order.ts";
import { AcmeProblem } from "./acme/problem.ts";
import { acmeStore, type RenewalState } from "./acme-store.ts";
import type { Certificate } from "./certificate.ts";
import type { AcmeTls } from "./settings.ts";

export interface Renewal {
  /**
   * Obtains a certificate if none is there, or the one that is there is due.
   *
   * @param isAsked whether the operator asks for it: then it does not wait after a failure
   */
  renew(now: Date, isAsked: boolean): Promise<RunResult>;
}

interface RenewalOptions {
  tls: AcmeTls;
  dataDir: string;
  /** PEM of the certificate authorities to trust; undefined: the public ones. */
  ca: string | undefined;
  /** Whether this process answers the authority's challenges. */
  isServing(): boolean;
  log: Record<"warn" | "error", (details: Record<string, unknown>, message: string) => void>;
  stopping: AbortSignal;
}

/** Milliseconds to wait after so many failures. Let's Encrypt takes five an hour, of one name. */
const delays = [1, 5, 30, 120, 360].map(minutes);
const longestDelay = days(1);

export function createRenewal({ tls, dataDir, ca, isServing, log, stopping }: RenewalOptions): Renewal {
  const store = acmeStore(tls, dataDir);

  const isDue = (certificate: Certificate | undefined, { directory }: RenewalState, now: Date): boolean =>
    certificate === undefined ||
    directory !== tls.directory ||
    !certificate.isFor(tls.domain) ||
    now.getTime() >= renewalOf(certificate).getTime();

  /** The wait that this process has logged: the log of a server that was started since does not have its reason. */
  let logged: string | null = null;

  function logWait({ problem, retry_at }: RenewalState): void {
    if (retry_at === null || logged === retry_at) return;
    logged = retry_at;
    const details = { domain: tls.domain, directory: tls.directory, retry_at };
    log.warn(
      details,
      `${problem ?? "The last attempt to obtain a certificate was interrupted."} ${nextAttempt(retry_at)}`,
    );
  }

  async function obtain(): Promise<{ cert: string; key: string }> {
    const key = await store.accountKey();
    const { order } = await store.state();
    const { domain, directory, email } = tls;
    const acme = await openAcme({ directory, ca, email, key, stopping });
    return obtainCertificate({
      acme,
      domain,
      placed: order?.directory === directory && order.domain === domain ? order : undefined,
      newKey,
      place: async (placed) => store.putState({ ...(await store.state()), order: { directory, domain, ...placed } }),
      stopping,
    });
  }

  return {
    async renew(now, isAsked) {
      const before = await store.state();
      if (!isDue(await store.findCertificate(), before, now)) return "nothing_due";
      if (!isAsked && before.retry_at !== null && isToCome(shift(new Date(before.retry_at), 0), now, longestDelay)) {
        logWait(before);
        return "waiting";
      }
      if (!isServing())
        return { summary: "Only a running server can prove to the authority that it has the name.", failed: true };
      const failures = before.failures + 1;
      const delay = delays[Math.min(failures, delays.length) - 1] ?? longestDelay;
      await store.putState({ ...before, failures, retry_at: shift(now, delay) });
      try {
        const certificate = await store.putCertificate(await obtain());
        await store.putState({ directory: tls.directory, failures: 0, retry_at: null, problem: null, order: null });
        return { summary: `Obtained a certificate for ${tls.domain}, valid until ${shift(certificate.until, 0)}.` };
      } catch (err) {
        const { order } = await store.state();
        if (stopping.aborted) {
          await store.putState({ ...before, order });
          return "waiting";
        }
        const wait = Math.min(Math.max(delay, (err instanceof AcmeProblem && err.retryAfter) || 0), longestDelay);
        const retryAt = shift(now, wait);
        const words = messageOf(err);
        const problem = err instanceof AcmeProblem ? noCertificate(words) : noAnswer(words);
        // What failed may be the order: the next attempt places another one, unless the authority was not reached.
        const kept = err instanceof AcmeProblem ? null : order;
        await store.putState({ ...before, failures, retry_at: retryAt, problem, order: kept });
        const summary = `${problem} ${nextAttempt(retryAt)}`;
        logged = retryAt;
        log.error({ err, domain: tls.domain, directory: tls.directory, retry_at: retryAt }, summary);
        return { summary, failed: true };
      }
    },
  };
}

const noCertificate = (problem: string) =>
  `The authority issued no certificate: ${problem}. It must reach this server by the name, on port 80.`;

const noAnswer = (problem: string) =>
  `The authority can't be used: ${problem}. This server must reach it; WINDSOCK_ACME_CA names the certificates of a private one.`;

/** For the log, the job's history and `windsock doctor`. */
export const nextAttempt = (retryAt: string): string =>
  `It is asked again at ${retryAt}, or now: windsock jobs run certificate`;

/** When a certificate is renewed: when a third of its lifetime is left. */
export const renewalOf = ({ from, until }: Pick<Certificate, "from" | "until">): Date =>
  new Date(until.getTime() - (until.getTime() - from.getTime()) / 3);
