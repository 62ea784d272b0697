import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pdfText } from "../../support/pdf-text.ts";
import { expectStatus, type Member, newSchool } from "../../support/school.ts";
import { which } from "../../support/which.ts";
import { approvedFlight, contentOf, filesIn, issue, jsonIn, ofPilot } from "./packing.ts";

const has = (tool: string) => which(tool) !== null;

test("the PDF of a pack says what it is, and has the link that verifies it", async () => {
  const school = await newSchool();
  const { owner, student, orgId, installation } = school;
  await approvedFlight(school);
  const name = "Zdzisława Łąka-Østergård";
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { name }));
  const pack = await issue(owner, ofPilot(student.personId));
  const zip = await contentOf(school, owner, pack.id);
  const text = (await pdfText(new Uint8Array(filesIn(zip)["pack.pdf"] ?? zip).buffer)).join("").replaceAll(/\s+/g, "");

  const { parts, key } = jsonIn(zip, "manifest.json");
  const offline = "Without a network windsock verify FILE";
  for (const known of [name, `Pack${pack.id}`, key.thumbprint, `/public/orgs/${orgId}/keys`, "1:02", offline])
    expect(text).toContain(known.replaceAll(" ", ""));
  for (const { name, sha256 } of parts) if (name !== "pack.pdf") expect(text).toContain(sha256);
  const [, path = ""] =
    /https?:\/\/[^/]+(\/public\/orgs\/[\w-]+\/vtr\/[\w-]+\/verify\?token=[\w-]{43})/.exec(text) ?? [];
  const verified = expectStatus(200, await installation.call("GET", path)).body.data;
  expect(verified).toMatchObject({ id: pack.id, signature_valid: true, sha256: pack.sha256 });

  // The members who may see the pack may see and revoke it: also the person whose records they are.
  const { student: self, instructor } = school;
  const list = async (by: Member) => expectStatus(200, await by.get(`/share-tokens?subject_id=${pack.id}`)).body.data;
  const tokens = await list(owner);
  expect(tokens).toMatchObject([{ purpose: "vtr", name: "The link in the pack's PDF", created_by: null }]);
  expect([await list(self), await list(instructor)]).toEqual([tokens, []]);
  expectStatus(404, await instructor.delete(`/share-tokens/${tokens[0].id}`));
  expectStatus(200, await self.delete(`/share-tokens/${tokens[0].id}`));
  expectStatus(404, await installation.call("GET", path));
});

test("the PDF of a pack is in the language of the person, a state's in that of who asked for it", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  await approvedFlight(school);
  const textOf = async (request: object) => {
    const pack = await issue(owner, request);
    const content = filesIn(await contentOf(school, owner, pack.id))["pack.pdf"] ?? new Uint8Array();
    return (await pdfText(new Uint8Array(content).buffer)).join(" ");
  };
  const state = { type: "compliance_pack", as_of: "2026-06-14" };
  expect(await textOf(state)).toContain("Open defects 0");
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { language: "de" }));
  const ofStudent = await textOf(ofPilot(student.personId));
  for (const words of ["Nachweispaket", "Flugzeit, freigegeben", "So wird es geprüft"])
    expect(ofStudent).toContain(words);
  expect(await textOf(ofPilot(owner.personId))).toContain("Evidence pack");
  expectStatus(200, await owner.call("PATCH", "/auth/me", { body: { language: "de" } }));
  expect(await textOf(state)).toContain("Stand der Flugschule");
});

test.skipIf(!has("pdftoppm") || !has("zbarimg"))("another program reads the link from the QR code", async () => {
  const school = await newSchool();
  const { owner, orgId, installation } = school;
  const pack = await issue(owner, ofPilot(owner.personId));
  const folder = mkdtempSync(join(tmpdir(), "windsock-pdf-"));
  try {
    writeFileSync(join(folder, "pack.pdf"), filesIn(await contentOf(school, owner, pack.id))["pack.pdf"] ?? "");
    const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, stdio: "pipe" });
    run("pdftoppm", "-r", "100", "-png", "pack.pdf", "page");
    const link = new URL(run("zbarimg", "--quiet", "--raw", "page-1.png").toString().trim());
    expect(link.pathname).toBe(`/public/orgs/${orgId}/vtr/${pack.id}/verify`);
    expectStatus(200, await installation.call("GET", link.pathname + link.search));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
