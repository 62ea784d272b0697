/** A school whose file is large, because it has many stored files: each upload is a PDF of 10 MB, as a scanner makes it. */

/** Signs up a school at a server, and uploads so many megabytes. @returns its id */
export async function fillSchool(url: string, megabytes: number): Promise<string> {
  let token = "";
  async function post(path: string, body: object | Blob) {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: {
        "content-type": body instanceof Blob ? body.type : "application/json",
        ...(token !== "" && { authorization: `Bearer ${token}` }),
      },
      body: body instanceof Blob ? body : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()).data;
  }
  const account = { email: "olga@bench.example", password: "correct horse battery", name: "Olga Lindner" };
  const organization = { name: "Windy Hill", kind: "ato", time_zone: "Europe/Berlin" };
  const school = await post("/auth/signup-org", { ...account, organization });
  token = school.tokens.access_token;
  const base = `/orgs/${school.organization.id}/aircraft`;
  const aircraft = await post(base, { registration: "D-EABC", model: "Cessna 172S", class: "SEP" });
  const defect = await post(`${base}/${aircraft.id}/defects`, { description: "Left brake drags." });
  const path = `${base}/${aircraft.id}/defects/${defect.id}/attachments?filename=scan.pdf`;
  for (let stored = 0; stored < megabytes; stored += 10) await post(path, scan());
  return school.organization.id;
}

/** A PDF of 10 MB, as far as an upload looks at it. */
function scan(): Blob {
  const parts: BlobPart[] = ["%PDF-1.7\n"];
  for (let count = 0; count < 150; count += 1) parts.push(crypto.getRandomValues(new Uint8Array(65_536)));
  return new Blob([...parts, "\n%%EOF\n"], { type: "application/pdf" });
}
