/** Whether the public address answers, and whose certificate must be trusted by this machine. */
import { expect, test } from "bun:test";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { selfSigned } from "../../../src/demo/certificate.ts";
import { reach } from "../../../src/modules/operations/doctor/reach.ts";
import type { AcmeTls, TlsSettings } from "../../../src/tls/settings.ts";
import { afterThisTest } from "../../support/after-test.ts";

/** A server with a certificate that nobody trusts. @returns its address */
async function serving(respond: RequestListener): Promise<string> {
  const server = createServer(selfSigned(new Date()), respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterThisTest(async () => void server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const files: TlsSettings = { kind: "files", cert: "cert.pem", key: "key.pem", httpPort: undefined };
const acme: AcmeTls = {
  ...{ kind: "acme", domain: "ops.example.com", directory: "https://ca.example.com", httpPort: 80 },
  ...{ email: undefined, ca: undefined },
};

test("a certificate of the operator's own or of a private authority needs no trust of this machine, others do", async () => {
  const url = await serving((_, response) => void response.end("ok"));
  for (const tls of [files, { ...acme, ca: "our-ca.pem" }])
    expect(await reach(url, tls)).toEqual({ subject: "public address", level: "fine", message: `${url} answers.` });
  for (const tls of [undefined, acme])
    expect(await reach(url, tls)).toMatchObject({ level: "error", code: "address_silent", params: { url } });
});

test("with any certificate, another program at the address is found", async () => {
  const url = await serving((_, response) => void response.writeHead(502).end("Bad gateway"));
  expect(await reach(url, files)).toMatchObject({ code: "address_other", params: { url, status_code: 502 } });
});
